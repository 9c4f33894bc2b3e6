import type { Section } from '../api/method.ts';
import type { PollFailure } from '../results/finished-poll.ts';
import type { Texts } from './english.ts';

const rules = new Intl.PluralRules('ru');

function plural(count: number, one: string, few: string, many: string): string {
  const form = rules.select(count);
  return `${count} ${form === 'one' ? one : form === 'few' ? few : many}`;
}

const advice: Readonly<Record<PollFailure['reason'], string>> = {
  network: 'Проверьте base_url, сеть и прокси (HTTPS_PROXY). Для собственного центра сертификации укажите ca_file.',
  timeout: 'Хостер отвечает медленно. Если так всегда, увеличьте timeout.',
  http: 'Проверьте base_url. Ответ 5xx — проблема на стороне хостера.',
  payload:
    'Если неверно одно поле, оно названо в сообщении, и отсутствуют только его данные. Если неоднозначно число вроде «1,024 MB», укажите number_format. Иначе проверьте base_url. Если ошибка не проходит, сообщите о ней разработчикам.',
  auth: 'Проверьте логин, пароль и то, включён ли доступ к API в панели хостера. Пароль для API отличается от пароля панели.',
  permission:
    'Включите раздел для пароля API в панели хостера, или разрешите метод, который называет команда check, или отключите сборщик.',
  limit:
    'Ничего не делайте: экспортёр ждёт минуту или столько, сколько просит API. Если ошибка не проходит, уменьшите requests_per_minute или опрашивайте реже.',
  request: 'Возможно, хостер использует другой диалект API: попробуйте другой input_format или отключите сборщик.',
  method: 'Подождите. Если ошибка не проходит, обратитесь к хостеру.',
  api: 'Код ошибки — в сообщении. Сообщите о нём разработчикам.',
  local: 'В сообщении сказано, что не так на этом сервере.',
  bug: 'Это ошибка экспортёра: сообщите о ней разработчикам и приложите журнал.',
};

const sectionLabels: Readonly<Record<Section, string>> = {
  user: 'управление аккаунтом',
  backup: 'резервные копии',
  cron: 'Cron',
  dns: 'DNS',
  ftp: 'FTP',
  mysql: 'MySQL',
  site: 'сайты',
  domain: 'домены',
  mail: 'почта',
  stat: 'статистика',
};

const causes: Readonly<Record<PollFailure['reason'], string>> = {
  network: 'Нет связи с API',
  timeout: 'API не отвечает вовремя',
  http: 'API отвечает ошибкой HTTP',
  payload: 'Ответы API не удаётся прочитать',
  auth: 'API отклоняет логин или пароль',
  permission: 'У пароля для API нет доступа',
  limit: 'API пока не принимает новые запросы',
  request: 'API не знает метода или его аргументов',
  method: 'У хостера метод завершается ошибкой',
  api: 'API отвечает неизвестной ошибкой',
  local: 'Запросам мешает сбой на сервере экспортёра',
  bug: 'Ошибка в экспортёре',
};

const domainStatus: Readonly<Record<string, string>> = {
  delegated: 'делегирован',
  undelegated: 'не делегирован',
  not_active: 'не активен',
};

const renewalStatus: Readonly<Record<string, string>> = {
  pending: 'продление заказано',
  success: 'продлён',
  error: 'продлить не удалось',
  canceled: 'продление отменено',
  delete: 'заказ удалён',
};

const copiesOf: Readonly<Record<string, string>> = { files: 'файлов', databases: 'баз данных' };

const operations: Readonly<Record<string, string>> = { restore: 'восстановление', download: 'скачивание' };
const jobStatus: Readonly<Record<string, string>> = { success: 'успешно', error: 'ошибка' };

function allAccounts(total: number): string {
  return total === 2 ? 'Оба аккаунта' : `Все ${plural(total, 'аккаунт', 'аккаунта', 'аккаунтов')}`;
}

/** Uses the terms of the Russian dashboards. */
export const russian: Texts = {
  exporter: 'Экспортёр',
  metrics: 'Метрики',
  configuration: 'Конфигурация',
  navigation: 'Страницы',
  skip: 'К содержимому',
  otherLanguage: 'In English',
  asOf: (time) => `Состояние на ${time}.`,
  lost: 'Экспортёр не отвечает. Показано прежнее состояние.',
  needsScript: 'Без JavaScript страница не обновляется сама.',
  notRefreshing: 'Автообновление выключено.',
  pause: 'Выключить автообновление',
  resume: 'Возобновить',

  states: {
    critical: 'критично',
    warning: 'предупреждение',
    failing: 'нет новых данных',
    partly: 'неполные данные',
    waiting: 'ждёт первого опроса',
    ok: 'в норме',
  },
  missing: {
    disabled: 'сборщик отключён',
    waiting: 'ждёт первого опроса',
    missing: 'нет свежих данных',
    'not permitted': 'нет доступа',
    failing: 'неизвестно',
  },
  notReported: 'не сообщается',
  quote: (word) => `«${word}»`,
  unknown: 'неизвестно',
  noLimit: 'лимит не указан',
  none: 'нет',
  ago: (duration) => `${duration} назад`,
  justNow: 'только что',
  within: (duration) => `через ${duration}`,
  soon: 'сейчас',

  attention: (count, total) =>
    total === 1
      ? 'Аккаунт требует внимания'
      : count === total
        ? `${allAccounts(total)} требуют внимания`
        : `${rules.select(count) === 'one' ? 'Требует' : 'Требуют'} внимания ${plural(count, 'аккаунт', 'аккаунта', 'аккаунтов')} из ${total}`,
  allFine: (total) => (total === 1 ? 'С аккаунтом всё в порядке' : `${allAccounts(total)} в порядке`),
  waitingForFirstPoll: 'Первый опрос ещё не завершён',
  noAccounts: 'Аккаунты не настроены',
  noneSelected: (count) =>
    `У этого экспортёра нет аккаунтов: ${plural(count, 'аккаунт', 'аккаунта', 'аккаунтов')} — у других`,
  stateCount: (state, count) => `${russian.states[state]}: ${count}`,
  search: 'Найти',
  searchLabel: 'Аккаунт, сайт, домен, база данных или метка',
  showAll: 'Показать все',
  found: (count, conditions) =>
    count === 0
      ? `По запросу ${conditions} ничего не найдено`
      : `По запросу ${conditions} ${rules.select(count) === 'one' ? 'найден' : 'найдено'} ${plural(count, 'аккаунт', 'аккаунта', 'аккаунтов')}`,
  sortBy: 'Сортировка:',
  groupedBy: 'Группировка по метке:',
  notGrouped: 'без группировки',
  pages: 'Страницы списка',
  pageOf: (page, pages) => `Страница ${page} из ${pages}`,
  previous: 'Назад',
  next: 'Вперёд',
  accounts: 'Аккаунты',
  account: 'Аккаунт',
  disk: 'Занято на диске',
  paidUntil: 'Оплачено до',
  planLoad: 'Нагрузка',
  nextDomain: 'Ближайшее окончание домена',
  newestBackup: 'Последняя копия',
  updated: 'Обновлено',
  free: (free, limit) => `свободно ${free} из ${limit}`,
  exceeded: (over, limit) => `на ${over} больше лимита ${limit}`,
  usedOf: (used, limit) => `${used} из ${limit}`,
  expired: (day) => `истёк ${day}`,
  noBackup: 'нет копий',

  sinceYesterday: 'Изменения за сутки',
  noChanges: 'Изменений нет',
  noYesterday: 'Вчерашних данных для сравнения нет.',
  notCompared: 'не сравнивались, так как список неполный',
  trendLater: 'динамика появится через день',
  full: (day) => `заполнится ${day}`,
  diskFilling: (day) => `Если рост продолжится, диск заполнится ${day}`,
  problemTitle: 'Требует внимания',
  nothingUrgent: 'Всё в порядке',
  needsHistory:
    'Оценка по последним данным и по занятому месту за последние дни. Часы сравнивает только Prometheus: он заметит быстрый рост занятого места и необычную нагрузку.',
  whatToDo: 'Что делать',
  reloadNotice: 'Последняя загрузка конфигурации не удалась',
  diskFull: (percent) => `Диск заполнен на ${percent}`,
  planLoadHigh: (percent) => `Нагрузка — ${percent} лимита тарифа`,
  suspension: (day) => `Без оплаты аккаунт заблокируют ${day}`,
  suspensionWasDue: (day) => `Срок оплаты истёк ${day}: если оплаты не было, аккаунт заблокирован`,
  domainExpires: (domain, day) => `Регистрация домена ${domain} истекает ${day}`,
  domainExpired: (domain, day) => `Регистрация домена ${domain} истекла ${day}`,
  oldBackup: (kind, ago) => `Последняя копия ${copiesOf[kind] ?? kind} сделана ${ago}`,
  missingBackup: (kind) => `Нет резервных копий ${copiesOf[kind] ?? kind}`,
  cause: ({ reason, status }) =>
    reason === 'http' && status !== undefined ? `API отвечает ошибкой (HTTP ${status})` : causes[reason],
  outage: (cause, count, total) =>
    `${cause}: ${count === total ? allAccounts(total).toLowerCase() : `${plural(count, 'аккаунт', 'аккаунта', 'аккаунтов')} из ${total}`}`,
  lastKnown: 'Ниже — последние известные данные. Устаревшие исчезают.',
  failingPolls: (cause, collectors) => `${cause}: ${collectors}`,
  stale: (cause, collectors, ago) => `Последнее обновление ${ago}: ${collectors}. ${cause}`,
  withoutFigures: {
    'not permitted': (collectors) => `Не отслеживается, потому что у пароля для API нет доступа: ${collectors}`,
    'no figures': (collectors) => `Нет свежих данных: ${collectors}`,
    'not polled': (collectors) => `Ещё не опрошено: ${collectors}`,
    'dropped series': (collectors) => `Показаны не все данные: достигнут предел max_series (${collectors})`,
  },
  unknownDisk: 'API не сообщает, сколько места занято на диске',
  changes: { new: 'новое', ended: 'больше нет' },
  andMore: (count) => `и ещё ${count}`,
  backupKind: (kind) => ({ files: 'файлы', databases: 'базы данных' })[kind] ?? kind,

  plan: 'Тариф',
  server: 'Сервер',
  balance: 'Баланс',
  dailyCharge: 'Списание в день',
  currency: 'в валюте счёта',
  sites: 'Сайты',
  site: 'Сайт',
  databases: 'Базы данных',
  database: 'База данных',
  grown: (list) => `Быстро выросли: ${list}`,
  grownSince: (database, times, date) => `${database} × ${times} с ${date}`,
  domains: 'Домены',
  domain: 'Домен',
  loadMean: 'Нагрузка, месяц',
  loadHour: 'Последний час',
  loadNote: 'Нагрузка — в единицах хостера; у сайтов и баз данных они разные. Сначала самые нагруженные.',
  shareOfLimit: 'Доля лимита',
  loadDays30: 'Нагрузка, 30 дней',
  loadHours24: 'Нагрузка, 24 часа',
  sizeDays30: 'Размер, 30 дней',
  size: 'Размер',
  remoteHosts: 'Внешний доступ (адресов)',
  frozen: 'заморожен',
  chart: (name, from, to, highest, newest) => `${name}, ${from} — ${to}: наибольшее ${highest}, последнее ${newest}`,
  expires: 'Истекает',
  renewal: 'Продление',
  renewalStatus: (code) => renewalStatus[code] ?? `состояние «${code}»`,
  automatic: 'авто',
  manual: 'вручную',
  registrar: 'Регистратор',
  certificate: 'Сертификат',
  certificateStatus: (code) => (code === 'wle_set' ? 'Let’s Encrypt' : `код «${code}»`),
  domainStatus: (code) => domainStatus[code] ?? (code === '' ? '' : `состояние «${code}»`),
  dnsRecords: 'Записи DNS',
  mailboxes: 'Ящики',
  forwarding: (count) => `с пересылкой: ${count}`,
  unfiltered: (count) => `без спам-фильтра: ${count}`,
  planLimits: 'Лимиты тарифа',
  item: 'Ресурс',
  ftpAccounts: 'FTP-аккаунты',
  cronTasks: 'Задания cron',
  disabledTasks: (count) => `и ещё ${plural(count, 'отключённое', 'отключённых', 'отключённых')}`,
  noCronEmail: 'адрес для вывода не задан',
  used: 'Занято',
  limit: 'Лимит',
  share: 'Доля',
  backups: 'Резервные копии',
  kind: 'Вид',
  newest: 'Последняя',
  count: 'Количество',
  backupJobs: 'Восстановления и скачивания',
  backupJob: (operation, kind) => `${operations[operation] ?? operation} ${copiesOf[kind] ?? kind}`,
  jobStatus: (code) => jobStatus[code] ?? (code === '' ? '' : `состояние «${code}»`),
  requested: 'Запрошено',
  loadAverage: 'Нагрузка (LA)',
  memory: 'Занято памяти',
  uptime: 'Работает',
  serverUptime: 'Без перезагрузки',
  noFiguresOf: 'Данных нет:',
  rowsShown: (shown, total) => `Показаны первые ${shown} из ${total}; в метриках есть все.`,
  showAllRows: (total) => `Показать все ${total}`,
  showFewer: 'Свернуть',
  noFiguresYet: 'Данных пока нет.',
  noFigures: 'Данных нет: давно не было успешных опросов.',

  collectors: 'Сборщики',
  lastSuccess: 'Последний успешный опрос',
  never: 'никогда',
  interval: 'Интервал',
  nextRun: 'Следующий опрос',
  calls: 'Запросы',
  methods: 'Методы API',
  polls: 'Последние опросы',
  showPolls: 'Показать опросы',
  hidePolls: 'Скрыть опросы',
  expandAll: 'Показать все опросы',
  collapseAll: 'Скрыть все опросы',
  time: 'Время',
  duration: 'Длительность',
  result: 'Результат',
  succeeded: 'успешно',
  failed: 'ошибка',
  polling: 'идёт опрос',
  fromBeforeRestart: 'до перезапуска',
  waiting: 'ожидание',
  noPolls: 'С момента запуска ни один опрос не завершён.',
  advice: (reason) => advice[reason],
  answer: 'Ответ:',
  nextAttempt: (time) => `Следующая попытка: ${time}`,
  orDisable: 'Если так задумано, отключите сборщики в конфигурации, и эти данные не будут считаться недостающими:',
  permitMethods: (methods) => `Разрешите ${methods} для пароля API в панели хостера.`,
  permitSections: (sections) => `Включите ${sections} для пароля API в панели хостера.`,
  sectionLabel: (section) => sectionLabels[section],
  metricsOfAccount: 'Метрики этого аккаунта',

  version: 'Версия',
  started: 'Запущен',
  configurationFile: 'Файл конфигурации',
  environment: 'переменные окружения',
  configurationInUse: 'Действующая конфигурация',
  webConfigurationFile: 'Файл веб-конфигурации',
  reload: 'Последняя загрузка',
  loadedAtStart: 'после запуска конфигурацию не перечитывали',
  previousInUse: 'действует прежняя конфигурация',
  residentMemory: 'Память',
  heap: 'куча',
  budgets: 'Бюджеты и очереди',
  budgetNote:
    'Числа — запросы к API в минуту. Сначала аккаунты, запросы которых ждут в очереди, затем — с наибольшим расходом бюджета.',
  budget: 'Бюджет',
  required: 'Требуется',
  queue: 'В очереди',
  pausedFor: 'Пауза',
  stretched: 'Интервалы увеличены',
  slowestMethods: 'Самые медленные методы API',
  method: 'Метод',
  meanDuration: 'Длительность',
  noCalls: 'Ни один запрос ещё не завершён.',
  notFound: (name) => `Аккаунта «${name}» нет.`,
};
