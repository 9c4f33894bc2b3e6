import { english as pagesInEnglish } from '../../src/pages/english.ts';
import { russian as pages } from '../../src/pages/russian.ts';
import type { Translations } from './translate.ts';

const statusWords = (['renewalStatus', 'certificateStatus', 'domainStatus', 'jobStatus'] as const).flatMap((kind) =>
  Object.entries(pagesInEnglish[kind].words).map(([code, text]) => [text, pages[kind].words[code] ?? text]),
);

/** Russian texts of the dashboards by their English texts, in order of appearance. */
export const russian: Translations = {
  ...Object.fromEntries(statusWords),
  // Fleet
  'Hosting / Fleet': 'Хостинг / Все аккаунты',
  'All hosting accounts: which ones need attention?': 'Все аккаунты хостинга: какие требуют внимания?',
  Account: 'Аккаунт',
  'One account: disk, load, billing and inventory': 'Один аккаунт: диск, нагрузка, оплата, сайты и домены',
  'Sites and databases': 'Сайты и базы данных',
  'Top sites and databases of all accounts': 'Самые нагруженные сайты и базы данных всех аккаунтов',
  Exporter: 'Экспортёр',
  'Data freshness and API failures': 'Актуальность данных и ошибки API',
  'Data source': 'Источник данных',
  Job: 'Задание',
  'Critical alerts': 'Критические оповещения',
  'Warning alerts': 'Предупреждения',
  Alerts: 'Оповещения',
  'Number of firing critical and warning alerts. The table below lists them and the info alerts. Requires the rules in Prometheus.':
    'Число активных критических оповещений и предупреждений. Список, в том числе с важностью «информация», — в таблице ниже. Нужны правила в Prometheus.',
  critical: 'критично',
  warning: 'предупреждение',
  'no data': 'нет данных',
  'Accounts without new data': 'Аккаунты без новых данных',
  'Accounts whose newest poll failed: the API did not answer or rejected the credentials. Their data is no longer updated and will expire. Critical from #% of the accounts. The Exporter dashboard shows the cause. For a minute after an exporter start, all accounts count.':
    'Аккаунты, последний опрос которых завершился ошибкой: API не ответил или отклонил логин и пароль. Их данные больше не обновляются и со временем будут удалены. Критично, если таких аккаунтов # % и больше. Причину показывает дашборд «Экспортёр». В первую минуту после запуска экспортёра сюда попадают все аккаунты.',
  OK: 'в норме',
  'Open exporter dashboard': 'Открыть дашборд «Экспортёр»',
  'Disk almost full': 'Диск почти заполнен',
  'Accounts above their disk usage threshold (default: warning from #%). Critical, as in the alert: over the quota, less than # MB free, full within # days, or #% used and less than three days of history. At the quota, mail bounces and uploads fail. Requires the recording rules.':
    'Аккаунты, у которых доля занятого места достигла порога (по умолчанию: предупреждение от # %). Критично — как в оповещении: квота превышена, свободно меньше # МБ, место закончится раньше чем через # дн. или занято # %, а данных меньше чем за трое суток. Когда квота исчерпана, почта не принимается, а файлы не загружаются. Нужны правила записи.',
  'Suspended soon': 'Скоро блокировка',
  'Accounts that the provider is about to suspend for insufficient funds, by its own estimate (default: warning below # days, critical below #). All sites and mail of a suspended account go offline. Requires the recording rules.':
    'Аккаунты, которые хостер, по его собственной оценке, скоро заблокирует за неоплату (по умолчанию: предупреждение менее чем за # дн., критично менее чем за # дн.). У заблокированного аккаунта не работают ни сайты, ни почта. Нужны правила записи.',
  'Open account': 'Открыть аккаунт',
  'Next to fill up': 'Заполнится первым',
  'The account whose disk quota is used up first, at the growth rate of the last days. The forecast uses the median of the daily growth, so a single upload or a nightly backup does not affect it. Requires the recording rules and a few hours of history.':
    'Аккаунт, у которого при нынешних темпах роста раньше всех закончится место. Прогноз строится по медиане суточного прироста, поэтому разовая загрузка или ночная резервная копия на него не влияет. Нужны правила записи и данные за несколько часов.',
  ' d': ' дн.',
  full: 'заполнен',
  today: 'сегодня',
  'over a year': 'больше года',
  'Next suspension': 'Ближайшая блокировка',
  'Balance and monthly cost': 'Баланс и расход в месяц',
  "Balance of all selected accounts together, and what they cost in # days at today's daily charge, in the provider's currency.":
    'Сколько денег на всех выбранных аккаунтах вместе и сколько они стоят за # дней при сегодняшнем списании, в валюте хостера.',
  balance: 'баланс',
  'per month': 'в месяц',
  "The account that is suspended first for insufficient funds, by the provider's own estimate.":
    'Аккаунт, который, по оценке хостера, раньше всех заблокируют за неоплату.',
  'Oldest data': 'Самые старые данные',
  'Age of the oldest account data: time since the newest successful poll of the collector account. A few minutes are normal; an alert fires from three poll intervals on.':
    'Аккаунт с самыми старыми данными: сколько времени прошло с последнего успешного опроса сборщика account. Несколько минут — норма; оповещение срабатывает от трёх интервалов опроса.',
  Accounts: 'Аккаунты',
  'One row per account, the most severe problem first: critical or warning if an alert fires or the condition of one holds, no new data if the newest poll failed. Problem is "not evaluated yet" until Prometheus has evaluated the recording rules, up to 15 minutes after its start, and without the rules. While an account cannot be polled, disk space, days, load and backups are the last known ones of the last day. Click a cell to open the account or the related panel. Group is the own label that is selected in Group by; the funnel in the header filters.':
    'Одна строка — один аккаунт, самые проблемные сверху. «Критично» и «предупреждение»: сработало оповещение или выполнено его условие; «нет новых данных»: последний опрос не удался; «ещё не вычислено»: Prometheus ещё не вычислил правила записи (до 15 минут после запуска) или правил нет. Пока аккаунт не удаётся опросить, показаны диск, сроки, нагрузка и резервные копии, последние известные за сутки. Щёлкните по ячейке, чтобы открыть аккаунт или нужный график. «Группа» — значение вашей метки, выбранной в поле «Группировать по»; воронка в заголовке фильтрует.',
  'Group by': 'Группировать по',
  Group: 'Группа',
  'No accounts configured, or Prometheus does not scrape the exporter.':
    'Аккаунты не настроены, или Prometheus не собирает метрики экспортёра.',
  State: 'Состояние',
  'critical: disk': 'критично: диск',
  'critical: suspension': 'критично: блокировка',
  'critical: domain': 'критично: домен',
  'warning: account missing': 'предупреждение: пропал',
  'warning: credentials': 'предупреждение: пароль',
  'warning: API unreachable': 'предупреждение: API',
  'warning: permission': 'предупреждение: права',
  'warning: stale data': 'предупреждение: устарело',
  'warning: disk': 'предупреждение: диск',
  'warning: suspension': 'предупреждение: блокировка',
  'warning: domain': 'предупреждение: домен',
  'warning: no backup': 'предупреждение: нет копий',
  'warning: old backup': 'предупреждение: копия',
  'warning: load': 'предупреждение: нагрузка',
  'warning: inventory': 'предупреждение: содержимое',
  'warning: series dropped': 'предупреждение: ряды',
  'no new data: credentials': 'нет новых данных: пароль',
  'no new data: API unreachable': 'нет новых данных: API',
  'Domain expires': 'Домен истекает',
  'Since yesterday': 'Изменения за сутки',
  'What differs from # hours ago: alerts that started, became critical or ended, and accounts that were added or removed. Info alerts are not listed. Requires the alert rules in Prometheus and a day of history.':
    'Что изменилось за последние # ч: какие оповещения появились, стали критическими или закончились, какие аккаунты добавлены или убраны. Оповещения с важностью «информация» не показаны. Нужны правила оповещений в Prometheus и данные за сутки.',
  'Nothing changed within a day.': 'За сутки ничего не изменилось.',
  Change: 'Изменение',
  'new: critical': 'новое: критично',
  'new: warning': 'новое: предупреждение',
  'account added': 'аккаунт добавлен',
  'account removed': 'аккаунт убран',
  'ended: warning': 'снято: предупреждение',
  'ended: critical': 'снято: критично',
  Money: 'Деньги',
  "Balance of each account, what it costs in # days at today's daily charge, in the provider's currency; the days until the provider suspends it for insufficient funds, and how much the daily charge changed within a day. The accounts that are suspended first come first.":
    'Баланс каждого аккаунта и сколько он стоит за # дней при сегодняшнем списании, в валюте хостера; сколько дней осталось до блокировки за неоплату и как изменилось за сутки списание в день. Сначала — аккаунты, которые заблокируют раньше всех.',
  'No billing data.': 'Нет данных об оплате.',
  'Per month': 'В месяц',
  'Charge, change': 'Списание: рост',
  expired: 'истёк',
  'Disk used': 'Занято на диске',
  'Usage and quota': 'Занятое место и квота',
  'Disk free': 'Свободно',
  Quota: 'Квота',
  'Full in': 'До заполнения',
  'Suspended in': 'До блокировки',
  'Plan load': 'Нагрузка, % лимита',
  Load: 'Нагрузка',
  Sites: 'Сайты',
  Databases: 'Базы данных',
  Mailboxes: 'Ящики',
  Backup: 'Копия',
  'no backup': 'нет копий',
  'Data age': 'Возраст данных',
  'Open account polls': 'Открыть опросы аккаунта',
  'Firing alerts': 'Активные оповещения',
  'Firing alerts, the most severe first. Subject is the affected site, database, domain, backup type, collector or exporter. Click an alert to open its runbook. Requires the alert rules in Prometheus.':
    'Активные оповещения, самые важные сверху. «Объект» — сайт, база данных, домен, вид копии, сборщик или экспортёр, к которому относится оповещение. Щёлкните по оповещению, чтобы открыть инструкцию. Нужны правила оповещений в Prometheus.',
  'No firing alerts found.': 'Активных оповещений нет.',
  Severity: 'Важность',
  info: 'информация',
  Alert: 'Оповещение',
  'Open runbook': 'Открыть инструкцию',
  Subject: 'Объект',
  Duration: 'Длится',
  'Expiring domains': 'Истекающие домены',
  'Domains that need action come first, as critical or warning: they have expired, they expire soon without automatic renewal, or their renewal is overdue. All others follow, the next to expire first. Domains that expired more than # days ago are not listed.':
    'Сначала домены, которыми нужно заняться: срок истёк или скоро истечёт, а автопродления нет или оно не сработало. За ними — остальные, по сроку. Домены, срок которых истёк больше # дн. назад, не показаны.',
  'No domains with a known expiry date.': 'Нет доменов с известным сроком регистрации.',
  Domain: 'Домен',
  'Expires in': 'Истекает через',
  Renewal: 'Продление',
  manual: 'вручную',
  automatic: 'авто',
  Trends: 'Динамика',
  'Top accounts by disk usage': 'Самые заполненные аккаунты',
  'The six accounts that use the largest share of their disk quota at the end of the time range.':
    'Шесть аккаунтов, у которых на конец выбранного периода занята наибольшая доля квоты.',
  'No current data, or no account has a disk quota.': 'Нет свежих данных, или ни у одного аккаунта нет квоты.',
  'Top accounts by load': 'Самые нагруженные аккаунты',
  'Load of all sites of an account (mean of the last month) as a share of the load that its plan allows, for the six accounts with the highest share at the end of the time range. Above the limit, the provider throttles the account.':
    'Суммарная нагрузка всех сайтов аккаунта (в среднем за месяц) в процентах от лимита тарифа. Показаны шесть аккаунтов с наибольшим процентом на конец выбранного периода. Если лимит превышен, хостер замедляет сайты аккаунта.',
  'No current data, or no plan has a load limit.': 'Нет свежих данных, или тарифы не ограничивают нагрузку.',
  'Disk growth in 7 days': 'Рост занятого места за 7 дней',
  'The fifteen accounts whose disk usage grew most in the last seven days.':
    'Пятнадцать аккаунтов, у которых за последние семь дней занятое место выросло больше всего.',
  'No growth, or less than seven days of history.': 'Роста нет, или данных меньше чем за семь дней.',
  Growth: 'Прирост',
  'Oldest backups': 'Давность резервных копий',
  'Age of the newest backup of files and of databases: accounts without a backup first, then the fifteen highest ages. Providers delete some backups from the list: an age of two or three days is normal.':
    'Возраст последней копии, отдельно для файлов и баз данных: сначала аккаунты без копий, затем пятнадцать строк с самыми старыми. Хостеры хранят не все копии, поэтому возраст в два-три дня — норма.',
  'No backup data.': 'Нет данных о резервных копиях.',
  Type: 'Вид',
  files: 'файлы',
  databases: 'базы данных',
  Age: 'Возраст',
  Count: 'Количество',
  Groups: 'Группы',
  'One row per value of the own label that is selected in Group by: number of accounts, firing alerts, total disk usage, and the highest disk usage, highest load and next suspension of a single account. Own labels are set in the configuration of the exporter.':
    'Одна строка — одно значение вашей метки, выбранной в поле «Группировать по»: число аккаунтов, активные оповещения, занятое место, а также самый заполненный диск, самая высокая нагрузка и ближайшая блокировка одного аккаунта. Такие метки задаются в конфигурации экспортёра.',
  'No account has own labels.': 'Ни у одного аккаунта нет дополнительных меток.',
  'Totals, plans and servers': 'Итоги, тарифы и серверы',
  'Sites of all selected accounts.': 'Число сайтов во всех выбранных аккаунтах.',
  Domains: 'Домены',
  'Domains of all selected accounts.': 'Число доменов во всех выбранных аккаунтах.',
  'Databases of all selected accounts.': 'Число баз данных во всех выбранных аккаунтах.',
  'Mailboxes of all selected accounts.': 'Число почтовых ящиков во всех выбранных аккаунтах.',
  'Disk space that all selected accounts use.': 'Сколько места на диске занимают все выбранные аккаунты вместе.',
  Plans: 'Тарифы',
  'Per plan: number of accounts, total disk usage, and the highest disk usage and load of a single account.':
    'По каждому тарифу: число аккаунтов, сколько места они занимают вместе, а также наибольшие заполненность диска и нагрузка отдельного аккаунта.',
  'No plan data.': 'Нет данных о тарифах.',
  Plan: 'Тариф',
  'Max. disk': 'Макс. заполнение',
  'Max. load': 'Макс. нагрузка',
  Servers: 'Серверы',
  'Servers that host the selected accounts. Other customers share them: you cannot change their load, but it can explain slow sites.':
    'Серверы, на которых размещены выбранные аккаунты. Там же работают сайты других клиентов: на нагрузку сервера вы не влияете, но она может объяснить, почему сайты тормозят.',
  'No server data.': 'Нет данных о серверах.',
  Server: 'Сервер',
  'Load average': 'Нагрузка (LA)',
  'Memory used': 'Занято памяти',
  Uptime: 'Работает',

  // Account
  'Hosting / Account': 'Хостинг / Аккаунт',
  'One hosting account: what runs out, and what uses it up?':
    'Один аккаунт хостинга: что заканчивается и на что уходит?',
  Fleet: 'Все аккаунты',
  'All accounts': 'Обзор всех аккаунтов',
  'Share of the disk quota that is used. The thresholds of this account determine the severity (default: warning from #%). Critical, as in the alert: over the quota, less than # MB free, full within # days, or #% used and less than three days of history. While the account cannot be polled, the last known value of a day at most; Data age shows how old it is. Requires the recording rules.':
    'Какая доля квоты занята. Важность определяют пороги этого аккаунта (по умолчанию: предупреждение от # %). Критично — как в оповещении: квота превышена, свободно меньше # МБ, место закончится раньше чем через # дн. или занято # %, а данных меньше чем за трое суток. Пока аккаунт не удаётся опросить, показано последнее известное значение, не старше суток; насколько оно старое, видно в «Возрасте данных». Нужны правила записи.',
  unlimited: 'без ограничений',
  'last known': 'последнее известное',
  'not evaluated yet': 'ещё не вычислено',
  unknown: 'неизвестно',
  'no quota': 'без квоты',
  'Disk space left within the quota. Requires the recording rules.':
    'Сколько места осталось до исчерпания квоты. Нужны правила записи.',
  'Time until the disk quota is used up, at the growth rate of the last days. The forecast uses the median of the daily growth, so a single upload or a nightly backup does not affect it. No forecast while the disk does not grow. Requires a quota, the recording rules and a few hours of history.':
    'Через сколько времени при нынешних темпах роста закончится место. Прогноз строится по медиане суточного прироста, поэтому разовая загрузка или ночная резервная копия на него не влияет. Пока диск не растёт, прогноза нет. Нужны квота, правила записи и данные за несколько часов.',
  'no forecast': 'нет прогноза',
  'Whole days until the provider suspends the account for insufficient funds, by its own estimate; 0 on that day. All sites and mail of a suspended account go offline. Requires the recording rules.':
    'Сколько дней, по оценке хостера, осталось до блокировки за неоплату; 0 — в день блокировки. У заблокированного аккаунта не работают ни сайты, ни почта. Нужны правила записи.',
  'Load of all sites together (mean of the last month) as a share of the load that the plan allows. Above the limit, the provider throttles the account or asks for a bigger plan. Requires the recording rules.':
    'Суммарная нагрузка всех сайтов (в среднем за месяц) в процентах от лимита тарифа. Если лимит превышен, хостер замедляет сайты аккаунта или предлагает перейти на старший тариф. Нужны правила записи.',
  'no limit': 'без лимита',
  'Number of firing critical and warning alerts about this account. Requires the rules in Prometheus.':
    'Число активных критических оповещений и предупреждений об этом аккаунте. Нужны правила в Prometheus.',
  'Time since the newest successful poll of the collector account: the maximum age of the data about disk, plan, billing and server. A few minutes are normal; an alert fires from three poll intervals on.':
    'Сколько времени прошло с последнего успешного опроса сборщика account: данные о диске, тарифе, оплате и сервере не старше этого. Несколько минут — норма; оповещение срабатывает от трёх интервалов опроса.',
  'no poll yet': 'опроса ещё не было',
  'Plan of the account, as the provider names it.': 'Тариф аккаунта под тем названием, которое дал ему хостер.',
  Disk: 'Диск',
  'Disk usage, total size of the databases, quota and the warning threshold of this account. "In # days" is a forecast at the growth rate of "Full in": a single upload does not affect it. It is not drawn while the disk does not grow. Requires the recording rules.':
    'Занятое место, общий размер баз данных, квота и порог предупреждения этого аккаунта. «Через # дней» — прогноз по тем же темпам роста, что и «До заполнения»: разовая загрузка на него не влияет. Пока диск не растёт, линии нет. Нужны правила записи.',
  Used: 'Занято',
  'Warning threshold': 'Порог предупреждения',
  'In 7 days': 'Через 7 дней',
  'Daily growth': 'Прирост за сутки',
  'Disk usage minus disk usage exactly one day before. A constant value means steady growth. Temporary files that appear every night cancel out.':
    'На сколько занятое место больше, чем ровно сутки назад. Горизонтальная линия — равномерный рост. Временные файлы, которые появляются каждую ночь, на графике не видны.',
  'Less than one day of history.': 'Данных меньше чем за сутки.',
  'Size of each database, its change in seven days, and its size as a multiple of the size a day ago. Load is the mean of the last month. Its unit differs from that of site load: compare databases only with databases. Remote hosts may connect to the database from outside the server.':
    'Размер каждой базы данных, его изменение за семь дней и во сколько раз она выросла за сутки. Нагрузка — средняя за месяц. У сайтов единицы нагрузки другие: сравнивайте базы данных только между собой. «Внешние хосты» — сколько адресов за пределами сервера могут подключаться к базе.',
  'No database data.': 'Нет данных о базах данных.',
  Database: 'База данных',
  Size: 'Размер',
  'Change in 7 days': 'За 7 дней',
  'vs. yesterday': 'Рост за сутки',
  'Database size': 'Размер баз данных',
  'The five databases with the largest mean size in the time range, and the sum of all others, stacked.':
    'Пять баз данных с наибольшим средним размером за выбранный период и сумма остальных, с накоплением.',
  others: 'остальные',
  'Load by site': 'Нагрузка по сайтам',
  "Hourly load of the five busiest sites in the time range and the sum of all others, stacked, in the provider's unit. The provider omits hours without load; the graph repeats the previous hour instead. Where only the days are known, their mean hour.":
    'Почасовая нагрузка пяти самых нагруженных за выбранный период сайтов и сумма остальных, с накоплением, в единицах хостера. Часы без нагрузки хостер пропускает: вместо них на графике повторяется предыдущий час. Если известны только сутки — их средний час.',
  'No hourly load: no sites, or the collector site_load_detail is disabled.':
    'Нет почасовой нагрузки: нет сайтов, или отключён сборщик site_load_detail.',
  'Load by database': 'Нагрузка по базам данных',
  'Hourly load of the five busiest databases in the time range and the sum of all others, stacked. Where only the days are known, their mean hour. The unit differs from that of site load; never add the two.':
    'Почасовая нагрузка пяти самых нагруженных за выбранный период баз данных и сумма остальных, с накоплением. Если известны только сутки — их средний час. У сайтов единицы другие: складывать эти нагрузки нельзя.',
  'No hourly load: no databases, or the collector database_load_detail is disabled.':
    'Нет почасовой нагрузки: нет баз данных, или отключён сборщик database_load_detail.',
  'Load of each site: mean of the last month, its share of the load that the plan allows, the newest complete hour, and that hour as a multiple of the busiest hour around the same day last week. Whether a site is frozen is known only if the list of sites contains it or the collector frozen_sites is enabled.':
    'Нагрузка каждого сайта: средняя за месяц, её доля в лимите тарифа и нагрузка за последний полный час. «К прошлой неделе» — отношение этого часа к самому нагруженному часу неделю назад (±12 часов). Заморожен ли сайт, известно, только если это указано в списке сайтов или включён сборщик frozen_sites.',
  'No site data.': 'Нет данных о сайтах.',
  Site: 'Сайт',
  'Share of limit': 'Доля лимита',
  'Last hour': 'Последний час',
  'vs. last week': 'К прошлой неделе',
  Frozen: 'Заморожен',
  frozen: 'да',
  active: 'нет',
  ID: 'Номер',
  'Total site load and limit': 'Нагрузка всех сайтов и лимит',
  'Load of all sites of the account together: mean of the last month, and mean of the three days that ended last. The plan limits the load. HostingPlanLoadHigh fires when the month reaches the orange line, HostingPlanOverloaded when the three days reach the limit.':
    'Суммарная нагрузка всех сайтов аккаунта: средняя за месяц и средняя за последние трое полных суток. Нагрузку ограничивает тариф. HostingPlanLoadHigh срабатывает, когда средняя за месяц достигает оранжевой линии, HostingPlanOverloaded — когда трое суток достигают лимита.',
  'Last 3 days': 'Последние 3 дня',
  'All sites': 'Все сайты',
  Limit: 'Лимит',
  'No load data.': 'Нет данных о нагрузке.',
  'Billing, domains and backups': 'Оплата, домены и резервные копии',
  Balance: 'Баланс',
  "Account balance in the provider's currency.": 'Баланс аккаунта в валюте хостера.',
  Charge: 'Списание',
  'plan “$#”': 'тариф «$#»',
  'Balance lasts': 'Баланса хватит на',
  'Whole days that the balance covers at today\'s daily charge. The provider\'s own estimate, "Suspended in", also knows about credit and annual payments; the alert uses that one.':
    'На сколько полных дней хватит баланса при сегодняшнем списании. Собственная оценка хостера, «До блокировки», учитывает ещё кредит и годовые платежи; оповещение опирается на неё.',
  'per day': 'в день',
  "Cost of the account per day, and thirty times as much, in the provider's currency.":
    'Сколько аккаунт стоит в день и за тридцать дней, в валюте хостера.',
  Backups: 'Резервные копии',
  'Age of the newest backup and number of backups. Providers delete some backups from the list: an age of two or three days is normal.':
    'Возраст последней копии и число копий. Хостеры хранят не все копии, поэтому возраст в два-три дня — норма.',
  'Restores and downloads': 'Восстановления и скачивания',
  'Restores and downloads that someone requested in the control panel or by the API, with the status that the provider gives: success, or what it writes instead. A request that keeps another status has failed or hangs.':
    'Восстановления и скачивания, запрошенные в панели управления или через API, и их состояние по данным хостера: «успешно» или то, что он пишет вместо этого. Если состояние долго остаётся другим, запрос не выполнен или завис.',
  'No restores and downloads in the log.': 'В журнале нет восстановлений и скачиваний.',
  Operation: 'Операция',
  restore: 'восстановление',
  download: 'скачивание',
  'Newest requested': 'Последний запрос',
  Order: 'Заказ',
  'Expiry and renewal of each domain, the status of the newest order to renew it, and whether the provider manages its registration. Critical or warning if a domain needs action.':
    'Срок регистрации и способ продления каждого домена, состояние последнего заказа на продление и то, управляет ли хостер его регистрацией. «Критично» или «предупреждение» — доменом нужно заняться.',
  'Remote hosts': 'Внешние хосты',
  Managed: 'Управляется',
  here: 'здесь',
  elsewhere: 'в другом месте',
  Registrar: 'Регистратор',
  Status: 'Статус',
  'Firing alerts about this account, the most severe first. Subject is the affected site, database, domain, backup type or collector. Click an alert to open its runbook.':
    'Активные оповещения об этом аккаунте, самые важные сверху. «Объект» — сайт, база данных, домен, вид копии или сборщик, к которому относится оповещение. Щёлкните по оповещению, чтобы открыть инструкцию.',
  Inventory: 'Содержимое аккаунта',
  'Plan limits': 'Лимиты тарифа',
  'Number of sites, domains, databases, mailboxes and FTP accounts, and how many the plan allows. Cron tasks have no limit; only enabled ones count. Output: whether an address receives the output of cron tasks.':
    'Сколько в аккаунте сайтов, доменов, баз данных, почтовых ящиков и FTP-аккаунтов и сколько разрешает тариф. Число заданий cron не ограничено; считаются только включённые. «Вывод» — задан ли адрес, на который приходит вывод заданий cron.',
  Output: 'Вывод',
  'by e-mail': 'на почту',
  'to no one': 'никому',
  'No inventory data.': 'Нет данных о содержимом аккаунта.',
  Item: 'Ресурс',
  'FTP accounts': 'FTP-аккаунты',
  'Cron tasks': 'Задания cron',
  Share: 'Доля',
  'Inventory over time': 'Содержимое аккаунта: динамика',
  'Number of items over time. A sudden drop means that items were deleted or that the provider did not list them.':
    'Сколько сайтов, доменов, баз данных и прочего было в аккаунте. Резкое падение означает, что часть удалили или хостер перестал её показывать.',
  'Site domains': 'Домены сайтов',
  'Site, PHP version, HTTPS and certificate status of each domain that belongs to a site. "Security fixes" is the time for which the PHP version still gets them, by a table of #-#-#; a version that is not in the table has none. The certificate is the free one of the provider: a domain with another certificate has HTTPS, too.':
    'Сайт, версия PHP, HTTPS и статус сертификата каждого домена, привязанного к сайту. «Поддержка» — сколько ещё для этой версии PHP будут выходить исправления безопасности, по таблице от #-#-#; если версии в таблице нет, ячейка пуста. Сертификат — бесплатный, от хостера: домен с другим сертификатом тоже работает по HTTPS.',
  HTTPS: 'HTTPS',
  on: 'включён',
  off: 'выключен',
  'No domain data.': 'Нет данных о доменах.',
  PHP: 'PHP',
  Certificate: 'Сертификат',
  'Security fixes': 'Поддержка',
  ended: 'закончилась',
  'Mailboxes by domain': 'Ящики по доменам',
  'Number of mailboxes of each domain and subdomain, and how many of them forward their mail or have no spam filter. A mailbox that forwards unexpectedly is a common sign of a break-in.':
    'Сколько почтовых ящиков в каждом домене и поддомене, сколько из них пересылают почту и у скольких выключен спам-фильтр. Неожиданная пересылка — частый признак взлома.',
  Forwarding: 'С пересылкой',
  'No spam filter': 'Без спам-фильтра',
  Subdomains: 'Поддомены',
  'No mailbox data.': 'Нет данных о почтовых ящиках.',
  'About this data': 'Об этих данных',
  'Source and meaning of the data.': 'Откуда берутся данные и что они значат.',
  "**Source**: the API of the provider, polled on a schedule: by default, disk and billing every few minutes, databases and sites a few times an hour, load and backups every hour, domains and mailboxes a few times a day. *Data age* shows how old the disk and billing data is; the table *Polls* shows the age of all data. If the provider does not answer, results expire after three poll intervals plus ten minutes; the figures that the rules record are then the last known ones of a day at most. A gap in a graph means that a value is unknown, never that it is zero.\n\n**Load** is in the provider's own, undocumented unit. Site load and database load have different units: never add the two.\n\n**Missing values**: a plan without a quota or a limit has none to show. Some providers do not report billing, certificates or backups.":
    '**Источник** — API хостера, который экспортёр опрашивает по расписанию. По умолчанию: диск и оплата — раз в несколько минут, базы данных и сайты — несколько раз в час, нагрузка и резервные копии — раз в час, домены и почтовые ящики — несколько раз в сутки. *Возраст данных* относится к диску и оплате, возраст всех данных — в таблице *Опросы*. Если хостер не отвечает, данные хранятся три интервала опроса и ещё 10 минут, а затем удаляются; показатели, которые записывают правила, после этого показывают последние известные значения, не старше суток. Разрыв на графике значит, что значение неизвестно, а не равно нулю.\n\n**Нагрузка** измеряется в собственных единицах хостера; что они значат, он не объясняет. У сайтов и баз данных единицы разные: складывать их нельзя.\n\n**Чего может не быть**: у тарифа без квоты или лимита показывать нечего. Некоторые хостеры не сообщают данные об оплате, сертификатах или резервных копиях.',
  'Server and polls': 'Сервер и опросы',
  'Server load': 'Нагрузка сервера',
  'Load average of the server that hosts the account. Other customers share it: you cannot change its load, but it can explain slow sites.':
    'Load average сервера, на котором размещён аккаунт. Там же работают сайты других клиентов: на нагрузку сервера вы не влияете, но она может объяснить, почему сайты тормозят.',
  'Server memory': 'Память сервера',
  'Share of the memory in use on the server that hosts the account. Other customers share it.':
    'Какая доля памяти занята на сервере, где размещён аккаунт. Там же работают сайты других клиентов.',
  'Server uptime': 'Время работы сервера',
  'Time since the server that hosts the account was started. A drop to zero is a restart.':
    'Сколько времени сервер, на котором размещён аккаунт, работает без перезагрузки. Падение до нуля — перезагрузка.',
  'Server software': 'Программы на сервере',
  'Versions of the programs on the server that hosts the account, as the provider writes them. Sites may use other versions of PHP, which the panel "Site domains" shows.':
    'Версии программ на сервере, на котором размещён аккаунт, как их пишет хостер. Сайты могут работать на других версиях PHP — см. панель «Домены сайтов».',
  Program: 'Программа',
  Polls: 'Опросы',
  'Result of the newest poll of each collector, the reason if it failed, and the age of the data.':
    'Результат последнего опроса каждого сборщика, причина ошибки и возраст данных.',
  'No poll data.': 'Нет данных об опросах.',
  Collector: 'Сборщик',
  'Newest poll': 'Опрос',
  Interval: 'Интервал',
  'Data age in intervals': 'Возраст в интервалах',
  ' intervals': ' инт.',
  Series: 'Ряды',

  // Sites and databases
  'Hosting / Sites and databases': 'Хостинг / Сайты и базы данных',
  'Top sites and databases of all hosting accounts, this week compared with last week':
    'Самые нагруженные сайты и базы данных всех аккаунтов: эта неделя в сравнении с прошлой',
  'Busiest site': 'Самый нагруженный сайт',
  "The site with the highest load: mean of the last month, in the provider's undocumented unit.":
    'Сайт с наибольшей средней нагрузкой за месяц. Нагрузка — в единицах хостера; что они значат, он не объясняет.',
  'Busiest database': 'Самая нагруженная база',
  'The database with the highest load: mean of the last month. The unit differs from that of site load.':
    'База данных с наибольшей средней нагрузкой за месяц. У сайтов единицы нагрузки другие.',
  'Unusual load': 'Необычная нагрузка',
  'Sites whose load in the newest complete hour is at least # times that of their busiest hour around the same day last week. Hours with a load below # and hours that began more than # hours ago do not count. Requires a week of history. Requires the recording rules.':
    'Сайты, у которых нагрузка за последний полный час в # и более раз выше, чем в самый нагруженный час неделю назад (±12 часов). Часы с нагрузкой ниже # и часы, начавшиеся больше # ч назад, не учитываются. Нужны данные за неделю. Нужны правила записи.',
  'Fast-growing databases': 'Быстро растущие базы данных',
  'Databases that are at least # times as large as a day ago. Databases below # MB are not included. The usual cause is a table of logs, sessions or spam. Requires the recording rules.':
    'Базы данных, которые за сутки выросли в # и более раз. Базы меньше # МБ не учитываются. Обычно причина — таблица с журналами, сессиями или спамом. Нужны правила записи.',
  'Sites, week over week': 'Сайты: неделя к неделе',
  'The twenty sites with the highest mean daily load in the last seven days, compared with the seven days before. Also the mean of the last month, the newest complete hour, and that hour as a multiple of the busiest hour around the same day last week.':
    'Двадцать сайтов с наибольшей средней суточной нагрузкой за последние семь дней, в сравнении с предыдущими семью днями. Далее — средняя за месяц и нагрузка за последний полный час. «Час к прошлой неделе» — отношение этого часа к самому нагруженному часу неделю назад (±12 часов).',
  'No daily load: no sites, or the collector site_load_detail is disabled.':
    'Нет суточной нагрузки: нет сайтов, или отключён сборщик site_load_detail.',
  'This week': 'Эта неделя',
  'Last week': 'Прошлая неделя',
  Ratio: 'Отношение',
  'Monthly mean': 'Средняя за месяц',
  'Hour vs. last week': 'Час к прошлой неделе',
  'Databases, week over week': 'Базы данных: неделя к неделе',
  'The twenty databases with the highest mean daily load in the last seven days, compared with the seven days before. Also the mean of the last month, the size and its change. The unit of load differs from that of site load.':
    'Двадцать баз данных с наибольшей средней суточной нагрузкой за последние семь дней, в сравнении с предыдущими семью днями. Далее — средняя за месяц, размер и его изменение. У сайтов единицы нагрузки другие.',
  'No daily load: no databases, or the collector database_load_detail is disabled.':
    'Нет суточной нагрузки: нет баз данных, или отключён сборщик database_load_detail.',
  User: 'Пользователь',
  'Over time': 'Динамика',
  'Top sites by load': 'Самые нагруженные сайты',
  'Hourly load of the six sites with the highest mean load in the time range. Where only the days are known, their mean hour.':
    'Почасовая нагрузка шести сайтов с наибольшей средней нагрузкой за выбранный период. Если известны только сутки — их средний час.',
  'Top databases by load': 'Самые нагруженные базы данных',
  'Hourly load of the six databases with the highest mean load in the time range. Where only the days are known, their mean hour. The unit differs from that of site load.':
    'Почасовая нагрузка шести баз данных с наибольшей средней нагрузкой за выбранный период. Если известны только сутки — их средний час. У сайтов единицы нагрузки другие.',
  'Largest databases': 'Самые большие базы данных',
  'Size of the six databases with the largest mean size in the time range.':
    'Размер шести баз данных с наибольшим средним размером за выбранный период.',
  'Database growth in 7 days': 'Прирост баз данных за 7 дней',
  'The fifteen databases that grew most in the last seven days.':
    'Пятнадцать баз данных, которые больше всего выросли за последние семь дней.',
  Software: 'Версии и сертификаты',
  'PHP versions': 'Версии PHP',
  'Number of domains per PHP version, and for how long the version still gets security fixes, by a table of #-#-#. Versions without security fixes come first. A version that is not in the table has no such figure.':
    'Сколько доменов работает на каждой версии PHP и сколько ещё для неё будут выходить исправления безопасности, по таблице от #-#-#. Сначала версии без поддержки. Если версии в таблице нет, ячейка пуста.',
  'No PHP data.': 'Нет данных о версиях PHP.',
  Version: 'Версия',
  Certificates: 'Сертификаты',
  'Number of site domains per status of the free certificate, as the provider reports it. A domain with another certificate has HTTPS, too.':
    'Число доменов сайтов по статусам бесплатного сертификата хостера. Домен с другим сертификатом тоже работает по HTTPS.',
  'No certificate data.': 'Нет данных о сертификатах.',
  'Domains without PHP security fixes': 'Домены без исправлений безопасности PHP',
  'Domains whose PHP version no longer gets security fixes, or only for the given time. By a table of #-#-#.':
    'Домены на версиях PHP, для которых исправления безопасности больше не выходят или скоро перестанут выходить. По таблице от #-#-#.',
  'No such domains found.': 'Таких доменов нет.',

  // Exporter
  'Hosting / Exporter': 'Хостинг / Экспортёр',
  'Is the data current, and if not, what is the cause?': 'Актуальны ли данные, и если нет, то почему?',
  Exporters: 'Экспортёры',
  'Number of exporters that Prometheus can scrape. Critical if one is down and its accounts are not monitored; warning if another exporter still monitors them. With /sd, each account is a separate target and counts as one.':
    'Число экспортёров, с которых Prometheus собирает метрики. Критично, если экспортёр не отвечает и его аккаунты остались без мониторинга; предупреждение, если их опрашивает другой экспортёр. При /sd каждый аккаунт — отдельная цель и считается отдельно.',
  'all up': 'все работают',
  'one down': 'работают не все',
  'accounts unmonitored': 'есть аккаунты без мониторинга',
  'Accounts whose newest poll failed: the API did not answer or rejected the credentials. Critical from #% of the accounts. If a few accounts fail, check these accounts. If most fail, check the provider and the network.':
    'Аккаунты, последний опрос которых завершился ошибкой: API не ответил или отклонил логин и пароль. Критично, если таких аккаунтов # % и больше. Если их мало, проверьте эти аккаунты; если большинство — проверьте хостера и сеть.',
  'Failed polls': 'Опросы с ошибкой',
  'Number of collectors, over all accounts, whose newest poll failed, completely or in part. Their previous results expire after three poll intervals plus ten minutes.':
    'Число сборщиков всех аккаунтов, последний опрос которых завершился ошибкой, хотя бы частичной. Прежние данные хранятся три интервала опроса и ещё 10 минут.',
  'The collector with the oldest data, by its age in poll intervals. Up to 1 is normal. From 3 on, an alert fires, and the data expires soon.':
    'Сборщик с самыми старыми данными и их возраст в интервалах опроса. До 1 — норма. От 3 срабатывает оповещение, и вскоре данные удаляются.',
  'Failed API calls, 1 h': 'Ошибки API за 1 ч',
  'API calls that failed in the last hour, for any reason. The table below lists the reasons.':
    'Запросы к API, завершившиеся ошибкой за последний час. Причины — в таблице ниже.',
  'Queued API calls': 'Очередь запросов к API',
  'API calls that wait for the budget of their account. A few minutes of waiting after each full hour are normal. If the queue never empties, polls are late.':
    'Запросы к API, которые ждут, потому что бюджет запросов аккаунта исчерпан. В начале каждого часа ожидание в несколько минут — норма. Если очередь никогда не пустеет, опросы запаздывают.',
  Configuration: 'Конфигурация',
  'Result of the newest configuration reload and time since the last successful one. If a reload fails, the exporter keeps its previous configuration; its log shows the error.':
    'Чем закончилась последняя загрузка конфигурации и сколько времени прошло с последней успешной. После неудачной загрузки экспортёр работает с прежней конфигурацией; ошибка — в его журнале.',
  loaded: 'загружена',
  'reload failed': 'ошибка загрузки',
  'Version of the exporter. During an upgrade there may be two.':
    'Версия экспортёра. Во время обновления версий может быть две.',
  'API failures': 'Ошибки API',
  'API failures and who can fix them': 'Ошибки API и кто может их исправить',
  'Failed API calls by account and reason. If the provider is slow or unreachable, wait. Credentials and permissions are yours to fix.':
    'Запросы к API, завершившиеся ошибкой, по аккаунтам и причинам. Если хостер тормозит или недоступен — ждите. Логин, пароль и права доступа исправить можете только вы.',
  'No failed API calls found in the last day.': 'За последние сутки ошибок API нет.',
  Reason: 'Причина',
  'Who can fix it': 'Кто может исправить',
  'You: correct the login or password': 'Вы: исправьте логин или пароль',
  'You: fix this machine, see the log': 'Вы: проблема на этом сервере, см. журнал',
  'You: tick the section for the API password': 'Вы: включите раздел API в панели хостера',
  'You: another client uses the same login': 'Вы: тот же логин использует другая программа',
  'Network or provider': 'Сеть или хостер',
  'Provider or network': 'Хостер или сеть',
  Provider: 'Хостер',
  'Provider or exporter': 'Хостер или экспортёр',
  'You: try another input_format': 'Вы: попробуйте другой input_format',
  '1 h': '1 ч',
  '24 h': '24 ч',
  'Failed API calls per hour': 'Ошибки API по часам',
  'Failed API calls of each hour by reason. If many accounts have "network" or "timeout" failures at the same time, the provider is the likely cause.':
    'Запросы к API, завершившиеся ошибкой, за каждый час по причинам. Если у многих аккаунтов одновременно network или timeout, дело, скорее всего, в хостере.',
  'No failed API calls found in the time range.': 'За выбранный период ошибок API нет.',
  'Data freshness': 'Актуальность данных',
  Problems: 'Проблемные опросы',
  Problem: 'Проблема',
  'no new data': 'нет новых данных',
  'all collectors': 'все сборщики',
  'failed, stale data': 'ошибка, данные устарели',
  'late, stale data': 'опоздание, данные устарели',
  'series dropped': 'отброшены ряды',
  'Series dropped': 'Отброшено рядов',
  'Accounts and collectors with a problem, the worst first. No new data: the newest poll of the whole account failed. Other rows are single collectors: their data is stale (by default, from three poll intervals on), their newest poll failed, or they dropped series because of max_series. An empty table is good.':
    'Аккаунты и сборщики, у которых что-то не так, самые проблемные сверху. «Нет новых данных»: не удался последний опрос всего аккаунта. Остальные строки — отдельные сборщики: данные устарели (по умолчанию — от трёх интервалов опроса), последний опрос не удался или часть рядов отброшена из-за max_series. Если таблица пуста, всё в порядке.',
  'No failed or late polls and no dropped series found.':
    'Опросов с ошибкой, запоздавших опросов и отброшенных рядов нет.',
  'Time since the newest successful poll in poll intervals, for the six collectors with the oldest data at the end of the time range. Values between # and # are normal. By default, an alert fires from # on.':
    'Возраст данных в интервалах опроса. Показаны шесть сборщиков с самыми старыми данными на конец выбранного периода. Норма — от # до #. По умолчанию оповещение срабатывает от #.',
  Collectors: 'Сборщики',
  'Per collector, over all selected accounts: interval, number of accounts, failed polls, share of the last day with a failed poll, oldest data, and items (domains, sites or databases) for which the API refuses to answer. The duration is that of all accounts: # % of the polls of the last day took no longer.':
    'По каждому сборщику для всех выбранных аккаунтов: интервал, число аккаунтов, опросы с ошибкой, доля времени с ошибкой за последние сутки, возраст самых старых данных и число объектов (доменов, сайтов или баз), о которых API отказывается отвечать. Длительность — по всем аккаунтам: # % опросов за последние сутки длились не дольше.',
  Failed: 'Ошибки',
  'Max. age': 'Макс. возраст',
  'Failed, # h': 'Ошибки, # ч',
  'Poll duration': 'Длительность',
  'Refused items': 'Отказы',
  'Accounts up': 'Настроено и опрошено',
  'Configured accounts, and accounts for which the API answered the newest poll and accepted the credentials. The gap between the lines shows accounts without new data.':
    'Сколько аккаунтов настроено и у скольких API ответил на последний опрос и принял логин и пароль. Расстояние между линиями — аккаунты без новых данных.',
  Configured: 'Настроено',
  Up: 'Опрошено',
  'Calls and polls over time': 'Запросы и опросы: динамика',
  'Budget usage': 'Расход бюджета запросов',
  "API calls per minute as a share of the account's budget (requests_per_minute), for the six accounts with the highest share. The provider's own limit applies to all clients that use the login.":
    'Число запросов к API в минуту в процентах от бюджета аккаунта (requests_per_minute). Показаны шесть аккаунтов с наибольшим расходом. Лимит самого хостера — общий для всех программ с этим логином.',
  'No API calls found.': 'Запросов к API нет.',
  'API calls that wait for the budget, for the six accounts with the longest mean queue in the time range. If a queue never empties, polls are late: raise the budget or poll the fan-out collectors less often.':
    'Запросы к API, которые ждут, потому что бюджет исчерпан. Показаны шесть аккаунтов с самой длинной в среднем очередью за выбранный период. Если очередь никогда не пустеет, опросы запаздывают: увеличьте бюджет или реже запускайте сборщики, которые делают отдельный запрос на каждый сайт, базу данных или домен.',
  'No queued API calls found.': 'Запросов в очереди не было.',
  'API call duration': 'Длительность запросов к API',
  'Median and 95th percentile of the API call duration of all accounts, without the time in the queue.':
    'Медиана и 95-й процентиль длительности запроса к API по всем аккаунтам, без ожидания в очереди.',
  median: 'медиана',
  '95th percentile': '95-й процентиль',
  'API methods': 'Методы API',
  'Number of calls and mean duration in the last day, of all accounts. The table Collectors shows what fails.':
    'Число запросов и средняя длительность за последние сутки по всем аккаунтам. Что завершается ошибкой, видно в таблице «Сборщики».',
  Method: 'Метод',
  'Calls, 24 h': 'Запросы, 24 ч',
  'Mean duration': 'Длительность',
  Process: 'Процесс',
  Memory: 'Память',
  'Resident memory of the process.': 'Резидентная память процесса (RSS).',
  CPU: 'Процессор',
  'CPU usage of the process as a share of one core.': 'Загрузка процессора в процентах от одного ядра.',
  'Event loop lag': 'Задержка цикла событий',
  '99th percentile of the event loop lag. Above one second, scrapes become slow.':
    '99-й процентиль задержки цикла событий. Если больше секунды, метрики отдаются медленно.',
  'Exporter instances': 'Экземпляры экспортёра',
  'Version and uptime of each exporter.': 'Версия и время работы каждого экспортёра.',
  Revision: 'Ревизия',
  'Node.js': 'Node.js',
  'Slowest polls': 'Самые долгие опросы',
  'Number of series of the selected accounts, without those about the exporter. The number determines what storing them costs.':
    'Число рядов выбранных аккаунтов без рядов о работе экспортёра. От него зависит, сколько стоит хранение.',
  'Mean poll duration over six hours, of all accounts, for the six slowest collectors at the end of the time range. Polls of fan-out collectors take as long as the budget requires.':
    'Средняя длительность опроса за шесть часов по всем аккаунтам у шести самых медленных сборщиков на конец выбранного периода. Если сборщик делает отдельный запрос на каждый сайт, базу данных или домен, длительность зависит от бюджета запросов.',
};
