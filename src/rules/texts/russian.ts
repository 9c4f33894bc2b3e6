import { facts } from '../facts.ts';
import { label, labelWord, queryLabels, queryValue, text, value, when } from '../template.ts';
import type { AlertTexts } from '../texts.ts';

const account = label('account');

/** The value is the number of midnights until the account is suspended. */
const suspension = text`
  По расчёту хостера, аккаунт ${account} ${when(
    0,
    ['уже должен быть заблокирован'],
    [
      when(
        0.5,
        ['заблокируют сегодня'],
        [when(1.5, ['заблокируют завтра'], ['заблокируют через ', value('whole'), ' дн.'])],
      ),
    ],
  )} за неоплату.`;

/** The value counts the whole days until a domain's last day begins: 0 on the day before, -1 on the last day. */
const daysLeft = when(
  0,
  ['; сегодня последний день'],
  [when(0.5, ['; завтра последний день'], ['; осталось дней: ', value('whole')])],
);

const inventory = labelWord('kind', { sites: 'сайтов', domains: 'доменов', databases: 'баз данных' }, 'заданий cron');

const copies = labelWord('kind', { files: 'файлов' }, 'баз данных');

const freeSpace = queryValue('; свободно ', facts.diskFree, 'tenths', ' ГБ');

export const russian: AlertTexts = {
  HostingExporterDown: {
    summary: 'Экспортёр хостинга не отвечает.',
    description: (severity) => [
      ...text`Prometheus не может опросить экспортёр ${label('instance')} (job ${label('job')}`,
      severity === 'critical'
        ? '). Как минимум один аккаунт остался без мониторинга; сработавшие оповещения ещё сутки опираются на последние известные данные.'
        : '). Если нет критического оповещения, аккаунты этого экспортёра отслеживает другой.',
    ],
  },
  HostingExporterAbsent: {
    summary: 'Экспортёр хостинга пропал из списка целей Prometheus.',
    description: text`
      В Prometheus не осталось целей с job ${label('job')}: их убрали из конфигурации, или service discovery их
      больше не находит. Ни один аккаунт не отслеживается.`,
  },
  HostingExporterRestarting: {
    summary: 'Экспортёр хостинга постоянно перезапускается.',
    description: text`
      Число перезапусков экспортёра ${label('instance')} (job ${label('job')}) за последний час:
      ${value('whole')}. Аккаунты опрашиваются с опозданием или не опрашиваются вовсе. Причина указана в конце
      журнала; если её там нет, экспортёру могло не хватить памяти.`,
  },
  HostingScrapedTooRarely: {
    summary: 'Prometheus слишком редко опрашивает экспортёр хостинга.',
    description: text`
      Prometheus опрашивает экспортёр ${label('instance')} (job ${label('job')}) слишком редко; опросов за последний час:
      ${value('whole')}. Оповещения ненадёжны: опрашивайте экспортёр не реже чем раз в пять минут.`,
  },
  HostingProviderUnreachable: {
    summary: 'API хостинга не отвечает на запросы большинства аккаунтов.',
    description: text`
      API не отвечает на запросы ${value('percent')} аккаунтов (job ${label('job')})${queryLabels('; ошибка: ', facts.failureReasons, 'reason', [])}.`,
  },
  HostingExporterCannotPoll: {
    summary: 'Экспортёр хостинга не может опросить свои аккаунты.',
    description: (severity) => [
      ...text`Экспортёр ${label('instance')} (job ${label('job')}) не может опросить ${value('percent')} своих аккаунтов. `,
      severity === 'critical'
        ? 'Другие экспортёры эти аккаунты не опрашивают, хотя API им отвечает: проверьте сеть этого экспортёра.'
        : 'Их опрашивает другой экспортёр. Проверьте сеть, адрес и файлы с паролями этого экспортёра.',
    ],
  },
  HostingAccountUnreachable: {
    summary: 'API хостинга не отвечает на запросы одного аккаунта.',
    description: text`
      API не отвечает на запросы аккаунта
      ${account}${queryLabels('; ошибка: ', facts.failureReasons, 'reason', ['account'])}.`,
  },
  HostingMostLoginsRejected: {
    summary: 'API хостинга не принимает пароли большинства аккаунтов.',
    description: text`
      API отклоняет логин или пароль у ${value('percent')} аккаунтов (job ${label('job')}). Столько паролей разом не
      меняется: проверьте, не заблокирован ли экспортёр у хостера, не изменился ли его адрес и подключены ли файлы с
      паролями.`,
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
      Сборщик ${label('collector')} аккаунта ${account} не получает данных; интервалов:
      ${value('whole')}${queryLabels('; ошибка: ', facts.collectorFailures, 'reason', ['account', 'collector'])}.`,
  },
  HostingAccountMissing: {
    summary: 'Аккаунт хостинга больше не отслеживается.',
    description: text`
      Аккаунт ${account} пропал из метрик, хотя все экспортёры (job ${label('job')}) работают. Новых оповещений по нему не будет.
      Если вы убрали его намеренно, ничего делать не нужно: оповещение снимется через сутки.`,
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
      Экспортёр ${label('instance')} (job ${label('job')}) не может писать в каталог состояния. После перезапуска данных
      не будет, пока он не опросит аккаунты заново. Причина указана в журнале: например, диск заполнен.`,
  },
  HostingShardsDisagree: {
    summary: 'Экспортёры хостинга запущены с разным числом шардов.',
    description: text`
      Экспортёры (job ${label('job')}) запущены с разным числом шардов (наибольшее — ${value('whole')}). Одни аккаунты
      опрашиваются сразу двумя экспортёрами, и запросов к API уходит вдвое больше, а другие не опрашиваются вовсе. Остановите
      все и запустите с одинаковым числом шардов.`,
  },
  HostingClocksDisagree: {
    summary: 'Часы экспортёра хостинга, Prometheus и хостера расходятся.',
    description: text`
      Время, которое сообщает экспортёр ${label('instance')} (job ${label('job')}), расходится с часами Prometheus;
      разница в минутах: ${value('whole')}. Неверно идут часы или неверно задан time_zone аккаунта.`,
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
      API отклонил запросы аккаунта ${account} из-за лимита запросов в минуту; отказов: ${value('whole')}. Вероятно,
      тем же логином пользуется кто-то ещё: второй экспортёр или скрипт.`,
  },
  HostingApiBudgetExhausted: {
    summary: 'Экспортёр хостинга не укладывается в бюджет запросов к API.',
    description: text`
      Очередь запросов аккаунта ${account} к API не пустеет уже полчаса; запросов в ней не меньше ${value('whole')}. Опросы
      запаздывают. Увеличьте requests_per_minute или реже запускайте сборщики, которые делают много запросов.`,
  },
  HostingPermissionMissing: {
    summary: 'Аккаунту хостинга не разрешён метод API.',
    description: (severity) => [
      ...text`Сборщик ${label('collector')} аккаунта ${account} не работает: нужный ему метод API не разрешён. `,
      severity === 'info'
        ? 'Отметьте нужный раздел в панели управления хостера или отключите сборщик.'
        : 'Его данные больше не отслеживаются. Отметьте нужный раздел в панели управления хостера.',
    ],
  },
  HostingDiskAlmostFull: {
    summary: 'На аккаунте хостинга почти не осталось места.',
    description: text`Аккаунт ${account} занял ${value('percent')} квоты${freeSpace}.`,
  },
  HostingDiskFillingUp: {
    summary: 'Место на аккаунте хостинга закончится в ближайшие недели.',
    description: text`
      Примерно через ${value('whole')} дн. на аккаунте ${account} закончится место${freeSpace}.`,
  },
  HostingDiskFillingUpFast: {
    summary: 'Место на аккаунте хостинга закончится через несколько часов.',
    description: text`
      Место на аккаунте ${account} закончится примерно через ${value('tenths')} ч. Найдите и остановите
      процесс, который пишет на диск.`,
  },
  HostingAccountBlockedToday: {
    summary: 'Аккаунт хостинга блокируют за неоплату.',
    description: suspension,
  },
  HostingAccountBlockedSoon: {
    summary: 'Аккаунт хостинга скоро заблокируют за неоплату.',
    description: suspension,
  },
  HostingDomainExpired: {
    summary: 'Срок регистрации домена истёк.',
    description: (severity) => [
      ...text`Срок регистрации домена ${label('domain')} (аккаунт ${account}) истёк. Сайты и почта на этом домене не работают. `,
      severity === 'critical'
        ? 'Продлите домен сейчас: это возможно ещё несколько недель, но часто дороже.'
        : 'Домен зарегистрирован не у хостера: проверьте у регистратора, продлён ли он.',
    ],
  },
  HostingDomainExpiring: {
    summary: 'Срок регистрации домена скоро истечёт, автопродления нет.',
    description: text`
      Срок регистрации домена ${label('domain')} (аккаунт ${account}) истекает; автопродление отключено или
      неизвестно${daysLeft}.`,
  },
  HostingDomainRenewalOverdue: {
    summary: 'Домен не продлился автоматически.',
    description: text`
      Срок регистрации домена ${label('domain')} (аккаунт ${account}) истекает: вероятно, автопродление не
      сработало${daysLeft}.`,
  },
  HostingDomainRenewalFailed: {
    summary: 'Продление домена не удалось или зависло.',
    description: text`
      Продление домена ${label('domain')} аккаунта ${account} ${labelWord('status', { error: 'не удалось' }, 'зависло')}${daysLeft}.`,
  },
  HostingBackupTooOld: {
    summary: 'Последняя резервная копия аккаунта хостинга слишком старая.',
    description: text`
      Последняя резервная копия ${copies} аккаунта ${account} сделана ${value('tenths')} дн. назад. Более поздние
      изменения восстановить из копий хостера нельзя.`,
  },
  HostingBackupMissing: {
    summary: 'У аккаунта хостинга нет резервных копий.',
    description: text`
      Хостер уже несколько дней не показывает ни одной резервной копии ${copies} аккаунта ${account}.
      Потерянные сейчас данные восстановить из копий хостера нельзя.`,
  },
  HostingPlanLoadHigh: {
    summary: 'Нагрузка аккаунта хостинга близка к лимиту тарифа.',
    description: text`
      Сайты аккаунта ${account} создают ${value('percent')} нагрузки, разрешённой тарифом (в среднем за месяц). Если лимит
      будет превышен, хостер ограничит аккаунт или попросит сменить тариф.`,
  },
  HostingInventoryCollapsed: {
    summary: 'Пропала большая часть сайтов, доменов, баз данных или заданий cron.',
    description: text`
      За сутки число ${inventory} аккаунта ${account} сократилось до ${value('percent')} прежнего.`,
  },
  HostingMailForwardingStarted: {
    summary: 'Почтовый ящик начал пересылать почту.',
    description: text`
      За сутки в домене ${label('domain')} (аккаунт ${account}) прибавилось ящиков с пересылкой: ${value('whole')}.
      Если пересылку никто не настраивал, почту может читать взломщик.`,
  },
  HostingSiteLoadUnusual: {
    summary: 'Необычно высокая нагрузка сайта.',
    description: text`
      Нагрузка сайта ${label('site')} (аккаунт ${account}) уже как минимум два часа подряд в ${value('tenths')}
      раза выше, чем в самый загруженный час того же дня неделю назад. Возможные причины: боты, атака, новый плагин или
      рекламная кампания.`,
  },
  HostingDatabaseGrewFast: {
    summary: 'База данных необычно быстро выросла.',
    description: text`
      База данных ${label('database')} (аккаунт ${account}) за сутки выросла в ${value('tenths')}
      раза. Чаще всего растёт таблица журналов, сессий или спама.`,
  },
};
