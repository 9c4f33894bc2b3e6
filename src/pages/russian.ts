import { sectionLabels } from '../api/method.ts';
import { english, type Texts } from './english.ts';
import { labelsIn, translated } from './labels.ts';
import { russianTexts } from './translate.ts';

const rules = new Intl.PluralRules('ru');

function plural(count: number, one: string, few: string, many: string): string {
  const form = rules.select(count);
  return `${count} ${form === 'one' ? one : form === 'few' ? few : many}`;
}

const statusOf = (words: Readonly<Record<string, string>>) =>
  Object.assign((code: string) => words[code] ?? (code === '' ? '' : `состояние «${code}»`), { words });

const copiesOf: Readonly<Record<string, string>> = { files: 'файлов', databases: 'баз данных' };

const accountsOf = (count: number) => plural(count, 'аккаунт', 'аккаунта', 'аккаунтов');

function allAccounts(total: number): string {
  return total === 2 ? 'Оба аккаунта' : `Все ${accountsOf(total)}`;
}

/** Uses the terms of the Russian dashboards. */
export const russian: Texts = {
  ...labelsIn(1),

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
  toPay: (days) => `Внести, чтобы хватило на ${plural(days, 'день', 'дня', 'дней')}`,
  forDays: (days) => plural(days, 'день', 'дня', 'дней'),
  backupKind: (kind) => ({ files: 'файлы', databases: 'базы данных' })[kind] ?? kind,

  renewalStatus: statusOf(translated(1, english.renewalStatus.words)),
  certificateStatus: statusOf({ wle_set: 'Let’s Encrypt', none: 'без Let’s Encrypt' }),
  domainStatus: statusOf({ delegated: 'делегирован', undelegated: 'не делегирован', not_active: 'не активен' }),
  disabledTasks: (count) => `и ещё ${plural(count, 'отключённое', 'отключённых', 'отключённых')}`,
  backupJob: (operation, kind) => `${russianTexts[operation] ?? operation} ${copiesOf[kind] ?? kind}`,
  jobStatus: statusOf({ success: 'успешно', error: 'ошибка' }),

  advice: translated(1, english.advice),
  sectionLabels: translated(1, sectionLabels),
};
