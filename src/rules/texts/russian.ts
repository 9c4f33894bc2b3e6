import { facts } from '../facts.ts';
import { label, queryLabels, queryValue, type TemplatePart, text, value, when } from '../template.ts';
import type { AlertTexts } from '../texts.ts';

const account = label('account');

function age(query: (typeof facts)['accountAge'], ...by: string[]): TemplatePart {
  return queryValue(' Данные получены ', query, 'duration', ' назад: более свежих нет.', ['account', ...by]);
}

const accountAge = age(facts.accountAge);

const diskFigures: readonly TemplatePart[] = [
  queryValue('; свободно ', facts.diskFree, 'bytes'),
  queryValue('; это на ', facts.diskExcess, 'bytes', ' больше, чем разрешает тариф'),
  queryValue('; на этой неделе квота была больше: ', facts.formerDiskLimit, 'bytes'),
];

const daysLeft = when(0.5, ['сегодня'], [when(1.5, ['завтра'], ['через ', value('whole'), ' дн.'])]);

/** The texts of the alerts in Russian. */
export const russian: AlertTexts = {
  HostingExporterDown: {
    summary: 'Экспортёр хостинга не отвечает.',
    description: (severity) => [
      ...text`Prometheus не может опросить экспортёр ${label('instance')} (job ${label('job')}`,
      severity === 'critical'
        ? '). Хотя бы один его аккаунт остался без мониторинга; уже сработавшие оповещения ещё сутки опираются на последние известные данные.'
        : '). Если нет критического оповещения, за его аккаунтами следит другой экспортёр.',
    ],
  },
  HostingExporterAbsent: {
    summary: 'Экспортёр хостинга пропал из целей Prometheus.',
    description: text`
      В Prometheus не осталось целей с job ${label('job')}: цель убрали из конфигурации, или обнаружение целей её
      больше не находит. Ни один аккаунт не отслеживается.`,
  },
  HostingExporterRestarting: {
    summary: 'Экспортёр хостинга постоянно перезапускается.',
    description: text`
      Экспортёр ${label('instance')} (job ${label('job')}) раз за разом перезапускается; перезапусков за последний
      час: ${value('whole')}. Пока это продолжается, аккаунты опрашиваются с опозданием или не опрашиваются вовсе.
      Причина — в последних строках его журнала; если не хватило памяти, об этом сказано в системном журнале.`,
  },
  HostingProviderUnreachable: {
    summary: 'API хостинга не отвечает на запросы большинства аккаунтов.',
    description: text`
      API не отвечает на запросы ${value('percent')} аккаунтов (job
      ${label('job')}${queryLabels('; причины: ', facts.failureReasons, 'reason', [])}). Либо не работает сам API,
      либо экспортёр не может к нему подключиться. Оповещения по этим аккаунтам ещё сутки опираются на последние
      известные данные.`,
  },
  HostingAccountUnreachable: {
    summary: 'API хостинга не отвечает на запросы одного аккаунта.',
    description: text`
      API не отвечает на запросы аккаунта ${account}${[
        queryLabels('; причины: ', facts.failureReasons, 'reason', ['account']),
        queryValue('; последний успешный опрос был ', facts.accountAge, 'duration', ' назад'),
      ]}. Большинства других аккаунтов это не касается, или других аккаунтов нет. Оповещения по этому аккаунту ещё
      сутки опираются на последние известные данные.`,
  },
  HostingMostLoginsRejected: {
    summary: 'API хостинга не принимает пароли большинства аккаунтов.',
    description: text`
      API отклоняет логин или пароль у ${value('percent')} аккаунтов (job ${label('job')}${[
        queryValue(': ', facts.rejectedAccounts, 'whole', '', []),
        queryValue(' из ', facts.allAccounts, 'whole', '', []),
      ]}). Столько паролей разом не меняется: проверьте, не заблокирован ли экспортёр у хостера, не изменился ли адрес
      экспортёра и подключены ли файлы с паролями.`,
  },
  HostingCredentialsRejected: {
    summary: 'API хостинга не принимает пароль аккаунта.',
    description: text`
      API отклоняет логин или пароль аккаунта ${account}. Его данные больше не обновляются. Повторные попытки не
      помогут: исправьте логин или пароль.`,
  },
  HostingPollFailing: {
    summary: 'Данные аккаунта хостинга устарели.',
    description: text`
      Сборщик ${label('collector')} аккаунта ${account} не получал данных уже ${value('duration')}${[
        queryValue('; его интервал — ', facts.collectorInterval, 'duration', '', ['account', 'collector']),
        queryLabels('. Последний опрос не удался, причина: ', facts.failureReasons, 'reason', ['account', 'collector']),
      ]}. По умолчанию данные исчезают через три интервала и ещё десять минут; оповещения по ним ещё сутки опираются
      на последние известные значения.`,
  },
  HostingAccountMissing: {
    summary: 'Аккаунт хостинга больше не отслеживается.',
    description: text`
      Аккаунт ${account} был в конфигурации в последние сутки, а теперь его нет, хотя все экспортёры (job
      ${label('job')}) работают. Новых оповещений по нему не будет. Если вы убрали его намеренно, ничего делать не
      нужно: оповещение снимется само через сутки после того, как аккаунт пропал. Чтобы снять его сразу: amtool
      silence add alertname=HostingAccountMissing account=${account} --duration=1d --comment=removed`,
  },
  HostingConfigReloadFailed: {
    summary: 'Экспортёр хостинга не смог перечитать конфигурацию.',
    description: text`
      Экспортёр ${label('instance')} (job ${label('job')}) работает с прежней конфигурацией: в новой есть ошибка.
      Файл, строка и ключ указаны в журнале. С новой конфигурацией экспортёр не запустится.`,
  },
  HostingStateNotSaved: {
    summary: 'Экспортёр хостинга не может сохранить данные.',
    description: text`
      Экспортёр ${label('instance')} (job ${label('job')}) не может писать в каталог состояния. Опрос продолжается, но
      после перезапуска данных не будет, пока экспортёр не опросит аккаунты заново. Причина указана в журнале:
      например, диск заполнен или нет прав.`,
  },
  HostingSeriesDropped: {
    summary: 'Экспортёр хостинга отбрасывает ряды из-за max_series.',
    description: text`
      У сборщика ${label('collector')} аккаунта ${account} рядов больше, чем разрешает max_series; отброшено:
      ${value('whole')}. Часть сайтов, баз данных или доменов не отслеживается. Увеличьте max_series или отключите
      сборщик.`,
  },
  HostingApiLimitHit: {
    summary: 'API хостинга отклоняет запросы из-за лимита.',
    description: text`
      API отклонил запросы аккаунта ${account} из-за лимита запросов в минуту; отказов: ${value('whole')}${[
        queryValue('. Сам экспортёр отправляет не больше ', facts.requestBudget, 'whole', ' в минуту'),
      ]}. Вероятно, тем же логином пользуется кто-то ещё: второй экспортёр или скрипт.`,
  },
  HostingApiBudgetExhausted: {
    summary: 'Экспортёру хостинга не хватает разрешённого числа запросов к API.',
    description: text`
      Запросы аккаунта ${account} к API уже полчаса стоят в очереди; в ней не меньше ${value('whole')}${[
        queryValue('; разрешено ', facts.requestBudget, 'whole', ' в минуту'),
      ]}. Опросы запаздывают. Увеличьте requests_per_minute или реже запускайте сборщики, которые делают отдельный
      запрос на каждый сайт, базу данных или домен.`,
  },
  HostingPermissionMissing: {
    summary: 'Аккаунту хостинга не разрешён метод API.',
    description: (severity) => [
      ...text`Сборщик ${label('collector')} аккаунта ${account} не работает: его метод API не разрешён. `,
      severity === 'info'
        ? 'Отметьте нужный раздел в панели управления хостера или отключите сборщик.'
        : 'Место на диске и деньги этого аккаунта не отслеживаются; оповещения о них ещё сутки опираются на последние известные данные. Отметьте нужный раздел в панели управления хостера.',
    ],
  },
  HostingDiskAlmostFull: {
    summary: 'На аккаунте хостинга почти не осталось места.',
    description: text`
      Аккаунт ${account} занял ${value('percent')} дисковой квоты${[
        ...diskFigures,
        queryValue(' (если рост не изменится, место кончится примерно через ', facts.diskDaysToFull, 'whole', ' дн.)'),
        queryValue(
          ' (если рост не изменится, место кончится примерно через ',
          facts.diskSecondsToFull,
          'duration',
          ')',
        ),
        queryValue('; скорость роста пока неизвестна', facts.diskGrowthUnknown, undefined),
      ]}. Когда место кончится, перестанут работать приём почты, загрузка файлов и запись в базы данных.${accountAge}`,
  },
  HostingDiskFillingUp: {
    summary: 'Место на аккаунте хостинга кончится в ближайшие недели.',
    description: text`
      Если рост не изменится, ${when(1, ['меньше чем через сутки'], ['примерно через ', value('whole'), ' дн.'])}
      место на аккаунте ${account}
      кончится${queryValue('; занято ', facts.diskUsed, 'percent')}${diskFigures}.${accountAge}`,
  },
  HostingDiskFillingUpFast: {
    summary: 'Место на аккаунте хостинга кончится через несколько часов.',
    description: text`
      При нынешней скорости роста место на аккаунте ${account} кончится примерно через
      ${value('duration')}${queryValue('; занято ', facts.diskUsed, 'percent')}${diskFigures}. Найдите и остановите
      то, что пишет на диск: чаще всего это отладочный журнал, резервная копия в домашнем каталоге или зациклившаяся
      загрузка.${accountAge}`,
  },
  HostingAccountBlockedSoon: {
    summary: 'Аккаунт хостинга скоро заблокируют за неоплату.',
    description: text`
      По оценке хостера, ${daysLeft} аккаунт ${account} заблокируют за неоплату${[
        queryValue('; баланс: ', facts.balance, 'number'),
        queryValue('; списание в день: ', facts.dailyCharge, 'number'),
      ]}. После этого перестанут работать все его сайты и почта.${accountAge}`,
  },
  HostingDomainExpired: {
    summary: 'Срок регистрации домена истёк.',
    description: text`
      Срок регистрации домена ${label('domain')} (аккаунт ${account}) истёк. Сайты и почта домена не работают.
      Продлите домен сейчас: это возможно ещё несколько недель, но часто дороже.${age(facts.domainsAge)}`,
  },
  HostingDomainExpiring: {
    summary: 'Срок регистрации домена скоро истечёт, автопродления нет.',
    description: text`
      Срок регистрации домена ${label('domain')} (аккаунт ${account}) истекает ${daysLeft}, а автопродление отключено
      или о нём нет данных. Когда срок истечёт, сайты и почта домена перестанут работать.${age(facts.domainsAge)}`,
  },
  HostingDomainRenewalOverdue: {
    summary: 'Домен не продлился автоматически.',
    description: text`
      Срок регистрации домена ${label('domain')} (аккаунт ${account}) истекает ${daysLeft}, хотя автопродление
      включено${queryValue('; баланс аккаунта: ', facts.balance, 'number')}. Скорее всего, продлить не
      удалось.${age(facts.domainsAge)}`,
  },
  HostingBackupTooOld: {
    summary: 'Последняя резервная копия аккаунта хостинга слишком старая.',
    description: text`
      Последней резервной копии (${label('kind')}) аккаунта ${account} уже ${value('tenths')} дн. Более поздние
      изменения восстановить из копий хостера нельзя.${age(facts.backupsAge)}`,
  },
  HostingBackupMissing: {
    summary: 'У аккаунта хостинга нет резервных копий.',
    description: text`
      Хостер уже несколько дней не показывает ни одной резервной копии (${label('kind')}) аккаунта ${account}.
      Потерянные сейчас данные восстановить из копий хостера нельзя.`,
  },
  HostingPlanLoadHigh: {
    summary: 'Нагрузка аккаунта хостинга близка к лимиту тарифа.',
    description: text`
      Сайты аккаунта ${account} дают ${value('percent')} нагрузки, разрешённой тарифом (в среднем за месяц)${[
        queryValue('; нагрузка: ', facts.planLoad, 'number'),
        queryValue(' из ', facts.planLoadLimit, 'number'),
      ]}. Если лимит будет превышен, хостер ограничит аккаунт или попросит перейти на другой
      тариф.${age(facts.siteLoadAge)}`,
  },
  HostingInventoryCollapsed: {
    summary: 'Пропала большая часть сайтов, доменов, баз данных или заданий cron.',
    description: text`
      В аккаунте ${account} резко уменьшилось число объектов (${label('kind')})${[
        queryValue(': осталось ', facts.inventory, 'whole', '', ['account', 'kind']),
        queryValue(', за последние сутки было до ', facts.formerInventory, 'whole', '', ['account', 'kind']),
      ]}. Остальные удалены или отключены, или хостер перестал их показывать.`,
  },
  HostingMailForwardingStarted: {
    summary: 'Почтовый ящик начал пересылать почту.',
    description: text`
      За последние сутки в домене ${label('domain')} аккаунта ${account} ящиков с пересылкой стало больше на
      ${value('whole')}. Если пересылку никто не настраивал, почту может читать взломщик.`,
  },
  HostingSiteLoadUnusual: {
    summary: 'Необычно высокая нагрузка сайта.',
    description: text`
      Нагрузка сайта ${label('site')} (аккаунт ${account}) уже не меньше двух часов подряд выше обычной: в
      ${value('tenths')} раза больше, чем в самый загруженный час тех же суток неделю назад. Ищите ботов, атаку, новый
      плагин или рекламную кампанию.`,
  },
  HostingDatabaseGrewFast: {
    summary: 'База данных необычно быстро выросла.',
    description: text`
      База данных ${label('database')} (аккаунт ${account}) за сутки выросла в ${value('tenths')} раза${[
        queryValue('; она занимает ', facts.databaseSize, 'bytes', '', ['account', 'database']),
        queryValue('; все базы данных вместе — ', facts.databasesSize, 'bytes'),
      ]}. Чаще всего растёт таблица журналов, сессий или спама.`,
  },
};
