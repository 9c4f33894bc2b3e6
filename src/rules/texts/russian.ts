import { facts } from '../facts.ts';
import { label, queryLabels, queryValue, type TemplatePart, value, when } from '../template.ts';
import type { AlertTexts } from '../texts.ts';

const account = label('account');

function age(query: (typeof facts)['accountAge'], ...by: string[]): TemplatePart {
  return queryValue(' Данным ', query, 'duration', ': более свежих получить не удалось.', ['account', ...by]);
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
      'Prometheus не может опросить экспортёр ',
      label('instance'),
      ' (job ',
      label('job'),
      severity === 'critical'
        ? '). Хотя бы один его аккаунт остался без наблюдения; уже сработавшие оповещения ещё сутки опираются на последние известные данные.'
        : '). Если нет критического оповещения, за его аккаунтами следит другой экспортёр.',
    ],
  },
  HostingExporterAbsent: {
    summary: 'У Prometheus нет цели для экспортёра хостинга.',
    description: () => [
      'В Prometheus не осталось целей с job ',
      label('job'),
      ': цель убрали из конфигурации, или она больше не обнаруживается. Ни один аккаунт не отслеживается.',
    ],
  },
  HostingExporterRestarting: {
    summary: 'Экспортёр хостинга постоянно перезапускается.',
    description: () => [
      'Экспортёр ',
      label('instance'),
      ' (job ',
      label('job'),
      ') раз за разом перезапускается; перезапусков за последний час: ',
      value('whole'),
      '. Пока это продолжается, аккаунты опрашиваются с опозданием или не опрашиваются вовсе. Причина — в последних строках его журнала; нехватку памяти ищите в системном журнале.',
    ],
  },
  HostingProviderUnreachable: {
    summary: 'API хостинга не отвечает для большинства аккаунтов.',
    description: () => [
      'API не отвечает для ',
      value('percent'),
      ' аккаунтов (job ',
      label('job'),
      queryLabels('; причины: ', facts.failureReasons, 'reason', []),
      '). Он не работает, или экспортёр не может до него достучаться. Оповещения по этим аккаунтам ещё сутки опираются на последние известные данные.',
    ],
  },
  HostingAccountUnreachable: {
    summary: 'API хостинга не отвечает для одного аккаунта.',
    description: () => [
      'API не отвечает для аккаунта ',
      account,
      queryLabels('; причины: ', facts.failureReasons, 'reason', ['account']),
      queryValue('; последний успешный опрос был ', facts.accountAge, 'duration', ' назад'),
      '. Других аккаунтов это не касается, или их нет. Оповещения по этому аккаунту ещё сутки опираются на последние известные данные.',
    ],
  },
  HostingMostLoginsRejected: {
    summary: 'API хостинга не принимает пароли большинства аккаунтов.',
    description: () => [
      'API отклоняет логин или пароль у ',
      value('percent'),
      ' аккаунтов (job ',
      label('job'),
      queryValue(': ', facts.rejectedAccounts, 'whole', '', []),
      queryValue(' из ', facts.allAccounts, 'whole', '', []),
      '). Все пароли разом не меняются: проверьте, не заблокировал ли хостинг экспортёр, не изменился ли его адрес и подключены ли файлы с паролями.',
    ],
  },
  HostingCredentialsRejected: {
    summary: 'API хостинга не принимает пароль аккаунта.',
    description: () => [
      'API отклоняет логин или пароль аккаунта ',
      account,
      '. Его данные больше не обновляются. Повторные попытки не помогут: исправьте логин или пароль.',
    ],
  },
  HostingPollFailing: {
    summary: 'Данные аккаунта хостинга устарели.',
    description: () => [
      'Сборщик ',
      label('collector'),
      ' аккаунта ',
      account,
      ' не получал данных уже ',
      value('duration'),
      queryValue('; обычно он делает это раз в ', facts.collectorInterval, 'duration', '', ['account', 'collector']),
      queryLabels('. Последний опрос не удался, причина: ', facts.failureReasons, 'reason', ['account', 'collector']),
      '. По умолчанию данные исчезают через десять минут после трёх интервалов; оповещения по ним ещё сутки опираются на последние известные значения.',
    ],
  },
  HostingAccountMissing: {
    summary: 'Аккаунт хостинга больше не отслеживается.',
    description: () => [
      'Аккаунт ',
      account,
      ' был в конфигурации в последние сутки, а теперь его нет, хотя все экспортёры (job ',
      label('job'),
      ') работают. Новых оповещений по нему не будет. Если вы убрали его намеренно, ничего делать не нужно: оповещение снимется само через сутки после последнего появления аккаунта. Чтобы снять его сразу: amtool silence add alertname=HostingAccountMissing account=',
      account,
      ' --duration=1d --comment=removed',
    ],
  },
  HostingConfigReloadFailed: {
    summary: 'Экспортёр хостинга не смог перечитать конфигурацию.',
    description: () => [
      'Экспортёр ',
      label('instance'),
      ' (job ',
      label('job'),
      ') работает с прежней конфигурацией: в новой есть ошибка. Файл, строка и ключ указаны в журнале. С новой конфигурацией экспортёр не запустится.',
    ],
  },
  HostingSeriesDropped: {
    summary: 'Экспортёр хостинга отбрасывает ряды из-за max_series.',
    description: () => [
      'Сборщик ',
      label('collector'),
      ' аккаунта ',
      account,
      ' не вместил в max_series рядов: ',
      value('whole'),
      '. Часть сайтов, баз данных или доменов не отслеживается. Увеличьте max_series или отключите сборщик.',
    ],
  },
  HostingApiLimitHit: {
    summary: 'API хостинга отклоняет запросы из-за лимита.',
    description: () => [
      'API отклонил запросы аккаунта ',
      account,
      ' из-за лимита в минуту; всего отказов: ',
      value('whole'),
      queryValue('. Сам экспортёр отправляет не больше ', facts.requestBudget, 'whole', ' в минуту'),
      '. Вероятно, тем же логином пользуется кто-то ещё: второй экспортёр или скрипт.',
    ],
  },
  HostingApiBudgetExhausted: {
    summary: 'Экспортёру хостинга не хватает разрешённого числа запросов к API.',
    description: () => [
      'В очереди аккаунта ',
      account,
      ' уже полчаса не становится меньше запросов, чем ',
      value('whole'),
      queryValue('; разрешено ', facts.requestBudget, 'whole', ' в минуту'),
      '. Опросы запаздывают. Увеличьте requests_per_minute или реже опрашивайте сайты, базы данных и домены по отдельности.',
    ],
  },
  HostingPermissionMissing: {
    summary: 'Аккаунту хостинга не разрешён метод API.',
    description: (severity) => [
      'Сборщик ',
      label('collector'),
      ' аккаунта ',
      account,
      ' не работает: его метод API не разрешён. ',
      severity === 'info'
        ? 'Отметьте раздел в панели управления хостинга или отключите сборщик.'
        : 'Место на диске и деньги этого аккаунта не отслеживаются; оповещения о них ещё сутки опираются на последние известные данные. Отметьте раздел в панели управления хостинга.',
    ],
  },
  HostingDiskAlmostFull: {
    summary: 'На аккаунте хостинга почти не осталось места.',
    description: () => [
      'Аккаунт ',
      account,
      ' занял ',
      value('percent'),
      ' дисковой квоты',
      ...diskFigures,
      queryValue('; если рост не изменится, место кончится примерно через ', facts.diskDaysToFull, 'whole', ' дн.'),
      queryValue('; если рост не изменится, место кончится примерно через ', facts.diskSecondsToFull, 'duration'),
      queryValue('; скорость роста пока неизвестна', facts.diskGrowthUnknown, undefined),
      '. Когда место кончится, почта перестанет приниматься, а загрузки и запись в базы данных — работать.',
      accountAge,
    ],
  },
  HostingDiskFillingUp: {
    summary: 'Место на аккаунте хостинга кончится в ближайшие недели.',
    description: () => [
      'Если рост не изменится, место на аккаунте ',
      account,
      ' кончится ',
      when(1, ['меньше чем через сутки'], ['примерно через ', value('whole'), ' дн.']),
      queryValue('; занято ', facts.diskUsed, 'percent'),
      ...diskFigures,
      '.',
      accountAge,
    ],
  },
  HostingDiskFillingUpFast: {
    summary: 'Место на аккаунте хостинга кончится через несколько часов.',
    description: () => [
      'При нынешней скорости роста место на аккаунте ',
      account,
      ' кончится примерно через ',
      value('duration'),
      queryValue('; занято ', facts.diskUsed, 'percent'),
      ...diskFigures,
      '. Найдите и остановите то, что пишет на диск: чаще всего это отладочный журнал, резервная копия в домашнем каталоге или зациклившаяся загрузка.',
      accountAge,
    ],
  },
  HostingAccountBlockedSoon: {
    summary: 'Аккаунт хостинга скоро заблокируют за неоплату.',
    description: () => [
      'По оценке хостинга, аккаунт ',
      account,
      ' будет заблокирован за неоплату ',
      daysLeft,
      queryValue('; баланс: ', facts.balance, 'number'),
      queryValue('; списание в день: ', facts.dailyCharge, 'number'),
      '. После этого перестанут работать все его сайты и почта.',
      accountAge,
    ],
  },
  HostingDomainExpired: {
    summary: 'Срок регистрации домена истёк.',
    description: () => [
      'Срок регистрации домена ',
      label('domain'),
      ' (аккаунт ',
      account,
      ') истёк. Его сайты и почта не работают. Продлите его сейчас: ещё несколько недель это возможно, но часто дороже.',
      age(facts.domainsAge),
    ],
  },
  HostingDomainExpiring: {
    summary: 'Срок регистрации домена скоро истечёт, автопродления нет.',
    description: () => [
      'Срок регистрации домена ',
      label('domain'),
      ' (аккаунт ',
      account,
      ') истекает ',
      daysLeft,
      ', а автопродление отключено или о нём нет данных. Когда срок истечёт, сайты и почта домена перестанут работать.',
      age(facts.domainsAge),
    ],
  },
  HostingDomainRenewalOverdue: {
    summary: 'Домен не продлился автоматически.',
    description: () => [
      'Срок регистрации домена ',
      label('domain'),
      ' (аккаунт ',
      account,
      ') истекает ',
      daysLeft,
      ', хотя автопродление включено',
      queryValue('; баланс аккаунта: ', facts.balance, 'number'),
      '. Скорее всего, продлить не удалось.',
      age(facts.domainsAge),
    ],
  },
  HostingBackupTooOld: {
    summary: 'Последняя резервная копия аккаунта хостинга слишком старая.',
    description: () => [
      'Последней резервной копии (',
      label('kind'),
      ') аккаунта ',
      account,
      ' уже ',
      value('tenths'),
      ' дн. Более поздние изменения восстановить с хостинга нельзя.',
      age(facts.backupsAge),
    ],
  },
  HostingBackupMissing: {
    summary: 'У аккаунта хостинга нет резервных копий.',
    description: () => [
      'Хостинг уже несколько дней не показывает ни одной резервной копии (',
      label('kind'),
      ') аккаунта ',
      account,
      '. Потерянные сейчас данные восстановить с хостинга нельзя.',
    ],
  },
  HostingPlanLoadHigh: {
    summary: 'Нагрузка аккаунта хостинга близка к пределу тарифа.',
    description: () => [
      'Сайты аккаунта ',
      account,
      ' дают ',
      value('percent'),
      ' нагрузки, разрешённой тарифом (в среднем за месяц)',
      queryValue('; нагрузка: ', facts.planLoad, 'number'),
      queryValue(' из ', facts.planLoadLimit, 'number'),
      '. При превышении хостинг ограничит аккаунт или попросит перейти на другой тариф.',
      age(facts.siteLoadAge),
    ],
  },
  HostingInventoryCollapsed: {
    summary: 'Пропала большая часть сайтов, доменов, баз данных или задач cron.',
    description: () => [
      'У аккаунта ',
      account,
      ' пропала большая часть (',
      label('kind'),
      ')',
      queryValue(': осталось ', facts.inventory, 'whole', '', ['account', 'kind']),
      queryValue(', за последние сутки было до ', facts.formerInventory, 'whole', '', ['account', 'kind']),
      '. Их удалили, отключили, или хостинг перестал их показывать.',
    ],
  },
  HostingMailForwardingStarted: {
    summary: 'Почтовый ящик начал пересылать почту.',
    description: () => [
      'В домене ',
      label('domain'),
      ' аккаунта ',
      account,
      ' ящиков с пересылкой стало больше, чем было за последние сутки: на ',
      value('whole'),
      '. Если её никто не настраивал, почту может читать взломщик.',
    ],
  },
  HostingSiteLoadUnusual: {
    summary: 'Необычно высокая нагрузка сайта.',
    description: () => [
      'Нагрузка сайта ',
      label('site'),
      ' (аккаунт ',
      account,
      ') не меньше двух часов подряд выше обычной: в ',
      value('tenths'),
      ' раза больше, чем в самый загруженный час тех же суток неделю назад. Ищите ботов, атаку, новый плагин или рекламную кампанию.',
    ],
  },
  HostingDatabaseGrewFast: {
    summary: 'База данных необычно быстро выросла.',
    description: () => [
      'База данных ',
      label('database'),
      ' (аккаунт ',
      account,
      ') за сутки стала больше в ',
      value('tenths'),
      ' раза',
      queryValue('; она занимает ', facts.databaseSize, 'bytes', '', ['account', 'database']),
      queryValue('; все базы данных вместе — ', facts.databasesSize, 'bytes'),
      '. Чаще всего растёт таблица журнала, сессий или спама.',
    ],
  },
};
