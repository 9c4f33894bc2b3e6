import type { Texts } from './english.ts';
import { labelsIn } from './labels.ts';

const rules = new Intl.PluralRules('ru');

function plural(count: number, one: string, few: string, many: string): string {
  const form = rules.select(count);
  return `${count} ${form === 'one' ? one : form === 'few' ? few : many}`;
}

const statusOf = (words: Readonly<Record<string, string>>) =>
  Object.assign((code: string) => words[code] ?? (code === '' ? '' : `состояние «${code}»`), { words });

const copiesOf: Readonly<Record<string, string>> = { files: 'файлов', databases: 'баз данных' };

const operations: Readonly<Record<string, string>> = { restore: 'восстановление', download: 'скачивание' };

const accountsOf = (count: number) => plural(count, 'аккаунт', 'аккаунта', 'аккаунтов');

function allAccounts(total: number): string {
  return total === 2 ? 'Оба аккаунта' : `Все ${accountsOf(total)}`;
}

/** Uses the terms of the Russian dashboards. */
export const russian: Texts = {
  ...labelsIn(1),
  lost: 'Экспортёр не отвечает. Показаны последние полученные данные.',
  needsScript: 'Без JavaScript страница не обновляется сама.',

  attention: (count, total) =>
    total === 1
      ? 'Аккаунт требует внимания'
      : count === total
        ? `${allAccounts(total)} требуют внимания`
        : `${rules.select(count) === 'one' ? 'Требует' : 'Требуют'} внимания ${accountsOf(count)} из ${total}`,
  allFine: (total) => (total === 1 ? 'С аккаунтом всё в порядке' : `${allAccounts(total)} в порядке`),
  noneSelected: (count) => `Для этого экспортёра не выбран ни один из настроенных аккаунтов (${count})`,
  accountCount: accountsOf,
  stateCount: (state, count) => `${russian.states[state]}: ${count}`,
  found: (count, conditions) =>
    count === 0
      ? `По запросу ${conditions} ничего не найдено`
      : `По запросу ${conditions} ${rules.select(count) === 'one' ? 'найден' : 'найдено'} ${accountsOf(count)}`,

  onlyDatabases: 'Сравниваются только размеры баз данных: API ещё отдаёт их за этот день.',
  trendLater: 'Графики диска и баланса появятся завтра.',
  databasesTake: (databases, rest, largest) =>
    `Базы данных занимают ${databases}, файлы и почта — ${rest}. Самые большие базы: ${largest}.`,
  without: (label) => (label === 'customer' ? 'без клиента' : `без метки ${label}`),
  customerCount: (count) => plural(count, 'клиент', 'клиента', 'клиентов'),
  diskFull: (percent) => (percent ? `Диск заполнен на ${percent}` : 'Диск почти заполнен'),
  recentLoadHigh: (percent) =>
    percent ? `Нагрузка за 3 дня — ${percent} лимита тарифа` : 'Высокая нагрузка для тарифа за 3 дня',
  overdue: (age, balance) => `Оплата просрочена${age && ` примерно на ${age}`}${balance}, возможно, уже заблокировано`,
  pay: (amount, days) => `Внесите ${amount}, чтобы хватило на ${plural(days, 'день', 'дня', 'дней')}`,
  lowBalance: (balance) => `На балансе мало денег${balance && `: ${balance}`}`,
  planLoadHigh: (percent) => (percent ? `Нагрузка — ${percent} лимита тарифа` : 'Высокая нагрузка для тарифа'),
  suspension: (day, isGroup) => `Без оплаты ${isGroup ? 'аккаунты' : 'аккаунт'} заблокируют ${day}`,
  suspensionWasDue: (day) => `Срок оплаты истёк ${day}: если оплаты не было, аккаунт заблокирован`,
  domainExpires: (domain, day) => `Регистрация ${domain ? `домена ${domain}` : 'доменов'} истекает ${day}`,
  domainExpired: (domain, day) => `Регистрация ${domain ? `домена ${domain}` : 'доменов'} истекла ${day}`,
  renewalFailed: (domain) => `Не удалось продлить ${domain ? `домен ${domain}` : 'домены'}`,
  oldBackup: (kind, ago) =>
    ago
      ? `Последняя копия ${copiesOf[kind] ?? kind} сделана ${ago}`
      : `Давно нет новых копий ${copiesOf[kind] ?? kind}`,
  missingBackup: (kind) => `Нет резервных копий ${copiesOf[kind] ?? kind}`,
  cause: ({ reason, status }) =>
    reason === 'http' && status !== undefined ? `API отвечает ошибкой (HTTP ${status})` : russian.causes[reason],
  outage: (cause, count, total) =>
    `${cause}: ${count === total ? allAccounts(total).toLowerCase() : `${accountsOf(count)} из ${total}`}`,
  lastKnown: 'Ниже — последние известные данные. Устаревшие исчезают.',
  withoutFigures: {
    'not permitted': (collectors) => `Не отслеживается (у пароля для API не хватает прав): ${collectors}`,
    'no figures': (collectors) => `Нет свежих данных: ${collectors}`,
    'not polled': (collectors) => `Ещё не опрошено: ${collectors}`,
    'dropped series': (collectors) => `Из-за ограничения max_series показаны не все данные: ${collectors}`,
  },
  toPay: (days) => `Внести, чтобы хватило на ${plural(days, 'день', 'дня', 'дней')}`,
  forDays: (days) => plural(days, 'день', 'дня', 'дней'),
  currencies: 'Суммы — в валюте каждого аккаунта. Итоги верны, если валюта у всех одна.',
  backupKind: (kind) => ({ files: 'файлы', databases: 'базы данных' })[kind] ?? kind,

  loadNote: 'Нагрузка указана в единицах хостера; у сайтов и баз данных они разные. Сначала самые нагруженные.',
  renewalStatus: statusOf({
    pending: 'продление заказано',
    success: 'продлён',
    error: 'продлить не удалось',
    canceled: 'продление отменено',
    delete: 'заказ удалён',
  }),
  certificateStatus: statusOf({ wle_set: 'Let’s Encrypt', none: 'без Let’s Encrypt' }),
  domainStatus: statusOf({ delegated: 'делегирован', undelegated: 'не делегирован', not_active: 'не активен' }),
  disabledTasks: (count) => `и ещё ${plural(count, 'отключённое', 'отключённых', 'отключённых')}`,
  backupJob: (operation, kind) => `${operations[operation] ?? operation} ${copiesOf[kind] ?? kind}`,
  jobStatus: statusOf({ success: 'успешно', error: 'ошибка' }),
  rowsShown: (shown, total) => `Показаны первые ${shown} из ${total}; в метриках есть все.`,

  advice: {
    network: 'Проверьте base_url, сеть и прокси (HTTPS_PROXY). Для собственного центра сертификации укажите ca_file.',
    timeout: 'Хостер отвечает медленно. Если так происходит постоянно, увеличьте timeout.',
    http: 'Проверьте base_url. Ответ 5xx — проблема на стороне хостера.',
    payload:
      'Если не удалось прочитать одно поле, оно названо в сообщении; остальные данные получены. Если число вроде «1,024 MB» можно понять по-разному, укажите number_format. В остальных случаях проверьте base_url. Если ошибка повторяется, сообщите о ней разработчикам.',
    auth: 'Проверьте логин и пароль, а также включён ли доступ к API в панели хостера. Пароль для API отличается от пароля панели.',
    permission:
      'Либо включите для пароля API нужный раздел в панели хостера, либо разрешите метод, указанный в выводе команды check, либо отключите сборщик.',
    limit:
      'Пока ничего делать не нужно: экспортёр ждёт минуту или столько, сколько просит API. Если ошибка повторяется, уменьшите requests_per_minute или опрашивайте реже.',
    request: 'Возможно, хостер использует другой диалект API: попробуйте другой input_format или отключите сборщик.',
    method: 'Подождите. Если ошибка повторяется, обратитесь к хостеру.',
    api: 'Код ошибки — в сообщении. Сообщите о нём разработчикам.',
    local: 'В сообщении сказано, что не так на этом сервере.',
    bug: 'Это ошибка экспортёра: сообщите о ней разработчикам и приложите журнал.',
  },
  orDisable:
    'Если доступ закрыт намеренно, отключите эти сборщики, и их данные не будут считаться недостающими. Добавьте в конфигурацию:',
  permitMethods: (methods) => `В панели хостера разрешите паролю для API: ${methods}.`,
  permitSections: (sections) => `В панели хостера включите для этого пароля разделы: ${sections}.`,
  sectionLabels: {
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
  },

  budgetNote:
    'Числа — запросы к API в минуту. Сначала аккаунты, запросы которых ждут в очереди, затем — с наибольшим расходом бюджета.',
};
