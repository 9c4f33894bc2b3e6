import type { Translations } from './translate.ts';

/** Every text of the dashboards in Russian, by its English words, in the order in which they appear. */
export const russian: Translations = {
  // Fleet
  'Hosting / Fleet': 'Хостинг / Все аккаунты',
  'Which of all hosting accounts need somebody today?': 'Какими из аккаунтов хостинга нужно заняться сегодня?',
  Account: 'Аккаунт',
  'One account: is it about to run out of something?': 'Один аккаунт: что у него скоро закончится?',
  'Sites and databases': 'Сайты и базы',
  'Top consumers over all accounts': 'Кто потребляет больше всех во всех аккаунтах',
  Exporter: 'Экспортер',
  'Is what I see current?': 'Свежие ли данные я вижу?',
  'Data source': 'Источник данных',
  Job: 'Задание',
  'Critical alerts': 'Критические оповещения',
  Warnings: 'Предупреждения',
  Alerts: 'Оповещения',
  'Alerts that fire now. They need the alert rules in Prometheus: without these, 0 means that nobody watches. The table below names them.':
    'Оповещения, которые активны сейчас. Для них в Prometheus нужны правила: без правил 0 означает, что никто не следит. Подробности — в таблице ниже.',
  critical: 'критично',
  warning: 'внимание',
  'no data': 'нет данных',
  'Not answering': 'Не отвечают',
  'Accounts whose newest poll got no answer, or whose credentials were rejected; for a minute after a start of the exporter, all. Their figures are old and disappear soon. The Exporter dashboard tells whose fault it is.':
    'Аккаунты, которые не ответили на последний опрос или чьи учётные данные отклонены; в первую минуту после запуска экспортера — все. Их показатели устарели и скоро исчезнут. На панели «Экспортер» видно, в чём причина.',
  none: 'нет',
  fine: 'в норме',
  'Open the exporter': 'Открыть экспортер',
  'Disk almost full': 'Диск почти заполнен',
  'Accounts that use more of their disk quota than their threshold allows (# % unless configured otherwise); critical where one is over # %. At the quota mail bounces and uploads fail.':
    'Аккаунты, занявшие больше своей пороговой доли дисковой квоты (# %, если не настроено иначе); критично, если кто-то занял больше # %. Когда квота исчерпана, почта не доходит и файлы не загружаются.',
  'Blocked soon': 'Скоро блокировка',
  'Accounts that the provider will block for lack of money within # days, by its own estimate; critical under #. A blocked account is gone with all its sites and mail.':
    'Аккаунты, которые хостер, по его же оценке, заблокирует за неоплату в ближайшие дни (#); критично, если дней меньше #. Вместе с аккаунтом отключаются все его сайты и почта.',
  'Fullest account': 'Самый заполненный',
  'The account that uses most of its disk quota. Accounts without a quota are never full.':
    'Аккаунт, занявший наибольшую долю своей дисковой квоты. Аккаунты без квоты не учитываются.',
  'Open the account': 'Открыть аккаунт',
  'Next full': 'Заполнится первым',
  'The account whose disk quota is used up first at the pace of the last days: median daily growth, so that one upload or a nightly backup does not count. Needs three days of history.':
    'Аккаунт, чья дисковая квота закончится раньше всех при нынешнем темпе: берётся медиана суточного прироста, поэтому разовая загрузка или ночная копия не влияют. Нужны данные за трое суток.',
  'all accounts': 'все аккаунты',
  ' d': ' дн.',
  now: '0 дн.',
  'over a year': 'больше года',
  'not growing': 'не растёт',
  'Next blocked': 'Ближайшая блокировка',
  "The account whose money ends first, by the provider's own estimate.":
    'Аккаунт, у которого раньше всех закончатся деньги, по оценке хостера.',
  'Oldest data': 'Самые старые данные',
  'Time since the newest good poll of the account whose figures are oldest. A few minutes are ordinary; coloured from three missed turns on.':
    'Сколько времени прошло с последнего удачного опроса у аккаунта с самыми старыми показателями. Несколько минут — обычное дело; цвет появляется после трёх пропущенных опросов.',
  Accounts: 'Аккаунты',
  'One row per account, those that need somebody first. State: critical or warning where an alert fires or a threshold is passed; "no answer" where the newest poll failed. A click on a cell opens the account, or the panel about that figure.':
    'По строке на аккаунт, сначала те, кому нужно внимание. Состояние: «критично» или «внимание», если активно оповещение или пройден порог; «нет ответа», если последний опрос не удался. Щелчок по ячейке открывает аккаунт или график этого показателя.',
  'No account is configured, or the exporter is not scraped.':
    'Аккаунты не настроены, или Prometheus не опрашивает экспортер.',
  State: 'Состояние',
  'no answer': 'нет ответа',
  ended: 'закончилась',
  'Disk used': 'Диск занят',
  'Usage and quota': 'Занято и квота',
  'Disk free': 'Свободно',
  Quota: 'Квота',
  'Full in': 'Хватит на',
  'Blocked in': 'До блокировки',
  'Load of the plan': 'Нагрузка от лимита',
  Load: 'Нагрузка',
  Sites: 'Сайты',
  Databases: 'Базы данных',
  Mailboxes: 'Ящики',
  'Oldest backup': 'Возраст копии',
  'Data age': 'Возраст данных',
  'Polls of the account': 'Опросы аккаунта',
  'Firing alerts': 'Активные оповещения',
  'What Prometheus reports now, the loudest first. "About" is the site, database, domain or collector where the alert is about one. A click on the alert opens what to do. Needs the alert rules in Prometheus.':
    'О чём Prometheus сообщает сейчас, сначала самое важное. «Что» — сайт, база, домен или коллектор, если оповещение об одном из них. Щелчок по оповещению открывает, что делать (на английском). Нужны правила оповещений в Prometheus.',
  'What to do': 'Что делать',
  'No alert is known to fire.': 'Активных оповещений не найдено.',
  Severity: 'Важность',
  info: 'к сведению',
  Alert: 'Оповещение',
  About: 'Что',
  For: 'Длится',
  'Domains that end next': 'Истекающие домены',
  'Every domain with which somebody must act, coloured: renewal is not automatic, or it is and should have happened by now. Then the twenty whose registration ends first. Those that ended more than # days ago are left out.':
    'Цветом отмечены домены, с которыми нужно что-то сделать: автопродления нет или оно уже должно было произойти. За ними — двадцать доменов, чья регистрация закончится раньше всех. Закончившиеся больше # дней назад не показаны.',
  'No domain with a known end of registration.': 'Нет доменов с известным сроком регистрации.',
  Domain: 'Домен',
  'Ends in': 'Осталось',
  Renewed: 'Продление',
  'by hand': 'вручную',
  'by itself': 'авто',
  Trends: 'Динамика',
  'Fullest accounts': 'Самые заполненные аккаунты',
  'The six accounts that use most of their disk quota now, and how they came there. The dashed lines are the usual thresholds of the alert.':
    'Шесть аккаунтов, занявших сейчас наибольшую долю квоты, и как она росла. Пунктир — обычные пороги оповещения.',
  'No usage is known now, or no account has a quota.': 'Сейчас нет данных о диске, или ни у кого нет квоты.',
  'Busiest accounts': 'Самые нагруженные аккаунты',
  'Load of all sites of an account (mean of the last month) as a share of what its plan allows, for the six highest now. Over the plan the provider slows the account down.':
    'Нагрузка всех сайтов аккаунта (среднее за месяц) как доля допустимой по тарифу, шесть самых нагруженных сейчас. При превышении хостер замедляет аккаунт.',
  'No load is known now, or no plan limits it.': 'Сейчас нет данных о нагрузке, или тарифы её не ограничивают.',
  'Grew most in 7 days': 'Сильнее всех выросли за 7 дней',
  'The fifteen accounts whose disk usage grew most within the last seven days.':
    'Пятнадцать аккаунтов, у которых за семь дней сильнее всего выросло занятое место.',
  'No growth is known: nothing grew, or there are not yet seven days of history.':
    'Роста не видно: ничего не выросло, или данных ещё меньше чем за семь дней.',
  Growth: 'Прирост',
  'Oldest backups': 'Самые старые резервные копии',
  'The fifteen accounts and kinds that have no backup, or whose newest is oldest. Providers thin their lists out: two or three days are ordinary.':
    'Пятнадцать аккаунтов и видов копий, где копий нет или последняя старше всех. Хостеры прореживают списки: два-три дня — обычное дело.',
  'No backup is known.': 'Нет данных о резервных копиях.',
  Of: 'Вид',
  files: 'файлы',
  databases: 'базы данных',
  'Newest is': 'Возраст',
  'How many': 'Количество',
  Backups: 'Резервные копии',
  'Totals, plans and servers': 'Итоги, тарифы и серверы',
  'Sites of all chosen accounts together.': 'Сайты всех выбранных аккаунтов вместе.',
  Domains: 'Домены',
  'Domains of all chosen accounts together.': 'Домены всех выбранных аккаунтов вместе.',
  'Databases of all chosen accounts together.': 'Базы данных всех выбранных аккаунтов вместе.',
  'Disk space that all chosen accounts use together.':
    'Место на диске, которое занимают все выбранные аккаунты вместе.',
  Plans: 'Тарифы',
  'How many accounts have which plan, how much they use together, and how full the fullest of them is.':
    'Сколько аккаунтов на каком тарифе, сколько места они занимают вместе и насколько занят диск у самого заполненного.',
  'No plan is known.': 'Нет данных о тарифах.',
  Plan: 'Тариф',
  Fullest: 'Макс. диск',
  Busiest: 'Макс. нагрузка',
  Servers: 'Серверы',
  "The provider's machines on which the accounts live, shared with its other customers. Nothing can be done about their load, but it explains slow sites.":
    'Машины хостера, на которых размещены аккаунты, вместе с другими клиентами. Повлиять на их нагрузку нельзя, но она объясняет медленные сайты.',
  'No server is known.': 'Нет данных о серверах.',
  Server: 'Сервер',
  'Load average': 'Средняя нагрузка',
  'Memory used': 'Память занята',
  'Running for': 'Работает',

  // Account
  'Hosting / Account': 'Хостинг / Аккаунт',
  'Is this hosting account about to run out of something, and what eats it?':
    'Что у этого аккаунта хостинга скоро закончится и что это съедает?',
  Fleet: 'Все аккаунты',
  'All accounts': 'Все аккаунты вместе',
  'Share of the disk quota that is used. The word is what the alert says: warning from # %, critical from # %, unless configured otherwise for this account.':
    'Занятая доля дисковой квоты. Слово рядом — то, что скажет оповещение: внимание от # %, критично от # %, если для этого аккаунта не настроено иначе.',
  'never full': 'не ограничен',
  'not known': 'неизвестно',
  'no quota': 'без квоты',
  'Disk space left until the quota.': 'Место на диске, оставшееся до квоты.',
  'Days until the quota is used up at the pace of the last days: the median of daily growth, which one upload or a nightly backup does not move. Critical where it fills within hours. Needs a quota and three days of history.':
    'Через сколько дней закончится квота при нынешнем темпе: берётся медиана суточного прироста, которую не сдвинет разовая загрузка или ночная копия. Критично, если место кончится за часы. Нужны квота и данные за трое суток.',
  'no forecast': 'нет прогноза',
  'Whole days until the provider suspends the account for insufficient funds, by its own estimate; 0 on that day. A blocked account is gone with all its sites and mail.':
    'Через сколько полных дней хостер, по его словам, заблокирует аккаунт за неоплату; 0 — этот день настал. Вместе с аккаунтом отключаются все его сайты и почта.',
  'Load of all sites together (mean of the last month) as a share of the load that the plan allows. Over the plan the provider slows the account down or asks for a bigger plan.':
    'Нагрузка всех сайтов вместе (среднее за месяц) как доля допустимой по тарифу. При превышении хостер замедляет аккаунт или просит сменить тариф.',
  'never too high': 'не ограничена',
  'no limit': 'без лимита',
  'Alerts about this account that fire now. Without the alert rules in Prometheus, 0 means that nobody watches.':
    'Активные оповещения об этом аккаунте. Без правил в Prometheus 0 означает, что никто не следит.',
  'Time since the newest good poll of the account: how old what you see can be. A few minutes are ordinary; coloured from three missed turns on.':
    'Сколько времени прошло с последнего удачного опроса аккаунта, то есть насколько старыми могут быть показатели. Несколько минут — обычное дело; цвет появляется после трёх пропущенных опросов.',
  stale: 'устарели',
  'no poll yet': 'опроса ещё не было',
  'The plan of the account, as the provider calls it.': 'Тариф аккаунта, как его называет хостер.',
  Disk: 'Диск',
  'Disk space in use, what the plan allows, and the thresholds of the alerts for this account. "In 7 days" is where the pace of "Full in" leads: a single upload does not move it. It needs three days of history.':
    'Занятое место, квота по тарифу и пороги оповещений для этого аккаунта. «Через 7 дней» — сколько будет занято при том же темпе, что в «Хватит на»: разовая загрузка его не меняет. Нужны данные за трое суток.',
  Used: 'Занято',
  'Warning from': 'Внимание от',
  'Critical from': 'Критично от',
  'In 7 days': 'Через 7 дней',
  'Growth in a day': 'Прирост за сутки',
  'Usage now less usage exactly a day before. Steady heights mean steady growth; what comes and goes every night is not seen here.':
    'Занято сейчас минус занято ровно сутки назад. Ровная высота — ровный рост; то, что каждую ночь появляется и исчезает, здесь не видно.',
  'Not yet a day of history.': 'Данных ещё меньше чем за сутки.',
  'What each database takes and how it changed in seven days. Load is the mean of the last month, in a unit of the provider that is not the unit of the sites: compare databases with databases only.':
    'Сколько занимает каждая база и как она изменилась за семь дней. Нагрузка — среднее за месяц в единицах хостера, не тех, что у сайтов: сравнивайте базы только с базами.',
  'No database is known.': 'Нет данных о базах.',
  Database: 'База данных',
  Size: 'Размер',
  'Change in 7 days': 'За 7 дней',
  'Against yesterday': 'К вчерашнему',
  'Size of databases': 'Размер баз данных',
  'The five biggest databases and all others together, one upon the other.':
    'Пять самых больших баз и все остальные вместе, с накоплением.',
  'all others': 'все остальные',
  'Load by site': 'Нагрузка по сайтам',
  "Load of each hour, the five busiest sites and all others together, one upon the other. The unit is the provider's. Hours without load are left out by the provider and show the hour before.":
    'Нагрузка за каждый час: пять самых нагруженных сайтов и все остальные вместе, с накоплением. Единицы — хостера. Часы без нагрузки хостер пропускает, вместо них виден предыдущий час.',
  'No load per hour is known: no sites, or the collector site_load_detail is off.':
    'Почасовая нагрузка неизвестна: нет сайтов, или выключен коллектор site_load_detail.',
  'Load by database': 'Нагрузка по базам',
  'Load of each hour, the five busiest databases and all others together. Not the unit of the sites: never add the two.':
    'Нагрузка за каждый час: пять самых нагруженных баз и все остальные вместе. Единицы не те, что у сайтов: складывать их нельзя.',
  'No load per hour is known: no databases, or the collector database_load_detail is off.':
    'Почасовая нагрузка неизвестна: нет баз, или выключен коллектор database_load_detail.',
  'What each site takes: mean of the last month, its share of what the plan allows, the newest complete hour, and that hour in multiples of the busiest hour around this day last week.':
    'Нагрузка каждого сайта: среднее за месяц, доля допустимого по тарифу, последний полный час и во сколько раз он больше самого нагруженного часа около этого дня на прошлой неделе.',
  'No site is known.': 'Нет данных о сайтах.',
  Site: 'Сайт',
  'Share of plan': 'Доля тарифа',
  'Last hour': 'Последний час',
  'Against last week': 'К прошлой неделе',
  Id: 'Номер',
  'Load of all sites and limit': 'Нагрузка всех сайтов и лимит',
  'Load of all sites of the account together, mean of the last month. The plan limits this value. From the orange line on the alert warns.':
    'Нагрузка всех сайтов аккаунта вместе, среднее за месяц; именно её ограничивает тариф. Выше оранжевой линии приходит оповещение.',
  'All sites': 'Все сайты',
  Limit: 'Лимит',
  'No load is known.': 'Нет данных о нагрузке.',
  'Money, domains, backups': 'Деньги, домены, копии',
  Balance: 'Баланс',
  "Money on the account, in the provider's currency.": 'Деньги на счёте, в валюте хостера.',
  'Daily charge': 'Списание в день',
  "Cost of the account per day, in the provider's currency.": 'Сколько аккаунт стоит в день, в валюте хостера.',
  'How many backups there are and how old the newest is. Providers thin the list out: two or three days are ordinary.':
    'Сколько есть копий и сколько дней назад сделана последняя. Хостеры прореживают список: два-три дня — обычное дело.',
  'When the registration of each domain ends, and whether the provider renews it. Coloured where somebody must act.':
    'Когда заканчивается регистрация каждого домена и продлевает ли его хостер. Цветом отмечено, где нужно что-то сделать.',
  Registrar: 'Регистратор',
  Status: 'Статус',
  'What Prometheus reports about this account now, the loudest first. "About" is the site, database, domain or collector where the alert is about one. A click on the alert opens what to do.':
    'О чём Prometheus сообщает для этого аккаунта сейчас, сначала самое важное. «Что» — сайт, база, домен или коллектор, если оповещение об одном из них. Щелчок по оповещению открывает, что делать (на английском).',
  'What the account holds': 'Что есть в аккаунте',
  'Used of what the plan allows': 'Использование лимитов тарифа',
  'How many sites, domains, databases, mailboxes and FTP accounts there are, and how many the plan allows. Of cron tasks those that are switched on; they have no limit.':
    'Сколько есть сайтов, доменов, баз, ящиков и FTP-аккаунтов и сколько разрешает тариф. Из заданий cron — включённые; лимита для них нет.',
  'Nothing of this is known.': 'Нет данных.',
  What: 'Что',
  'FTP accounts': 'FTP-аккаунты',
  'Cron tasks': 'Задания cron',
  Allowed: 'Разрешено',
  Share: 'Доля',
  'How many there are': 'Количество',
  'Counts over time. A sudden fall means that something was deleted, or that the provider forgot to list it.':
    'Количество во времени. Резкое падение значит, что что-то удалено или хостер перестал это показывать.',
  'Domains of sites': 'Домены сайтов',
  'Which site answers under which name, with which PHP version and which state of its certificate.':
    'Какой домен ведёт на какой сайт, версия PHP и состояние сертификата.',
  PHP: 'PHP',
  Certificate: 'Сертификат',
  'Mailboxes by domain': 'Ящики по доменам',
  'How many mailboxes each domain has.': 'Сколько почтовых ящиков у каждого домена.',
  'No mailbox is known.': 'Нет данных о ящиках.',
  'How to read this': 'Как это читать',
  'What stands behind the figures.': 'Что стоит за цифрами.',
  '**Everything comes from the provider\'s API**, polled on a schedule: disk and money every few minutes, sites and load every hour, domains and mailboxes a few times a day. *Data age* tells how old it is. When the provider stops answering, figures are kept for three turns and ten minutes, then they disappear: a gap means "not known", never zero.\n\n**Load** is in the provider\'s own, undocumented unit. The load of sites and the load of databases are two different units and are never added.\n\n**Missing figures**: a plan without a quota or a limit has none to show. Some providers do not tell money, certificates or backups.':
    '**Всё берётся из API хостера**, по расписанию: диск и деньги — каждые несколько минут, сайты и нагрузка — каждый час, домены и ящики — несколько раз в сутки. *Возраст данных* говорит, насколько они старые. Если хостер перестаёт отвечать, показатели хранятся три интервала опроса и ещё десять минут, а потом исчезают: пробел значит «неизвестно», но никогда не ноль.\n\n**Нагрузка** — в собственных единицах хостера, которые он не описывает. У сайтов и у баз данных единицы разные, и они никогда не складываются.\n\n**Если показателя нет**: у тарифа без квоты или лимита показывать нечего. Некоторые хостеры не сообщают деньги, сертификаты или копии.',
  'Server and polls': 'Сервер и опросы',
  'Load of the server': 'Нагрузка сервера',
  "Load average of the provider's machine, shared with its other customers. Nothing can be done about it, but it explains slow sites.":
    'Средняя нагрузка машины хостера, общей с другими клиентами. Повлиять на неё нельзя, но она объясняет медленные сайты.',
  'Memory of the server': 'Память сервера',
  "Memory in use on the provider's machine as a share of what it has; shared with other customers.":
    'Занятая доля памяти на машине хостера, общей с другими клиентами.',
  'Server running for': 'Сервер работает',
  "Time since the provider's machine was started. A fall to nothing is a restart.":
    'Сколько времени работает машина хостера. Падение до нуля — перезапуск.',
  Polls: 'Опросы',
  'When each collector last got its figures, and whether its newest poll succeeded as a whole.':
    'Когда каждый коллектор получил показатели в последний раз и удался ли его последний опрос целиком.',
  'No poll is known.': 'Нет данных об опросах.',
  Collector: 'Коллектор',
  'Newest poll': 'Последний',
  failed: 'не удался',
  good: 'удался',
  Every: 'Раз в',
  'Data age in turns': 'Возраст в интервалах опроса',
  ' turns': ' инт.',
  Series: 'Рядов',

  // Sites and databases
  'Hosting / Sites and databases': 'Хостинг / Сайты и базы',
  'Which sites and databases consume most over all hosting accounts, this week against last?':
    'Какие сайты и базы данных потребляют больше всех во всех аккаунтах, эта неделя в сравнении с прошлой?',
  'Busiest site': 'Самый нагруженный сайт',
  "The site with most load. Load of the site, mean of the last month, in the provider's undocumented unit.":
    'Сайт с наибольшей нагрузкой: среднее за месяц, в единицах хостера, которые он не описывает.',
  'Busiest database': 'Самая нагруженная база',
  'The database with most load. Load of the database, mean of the last month. Its unit differs from that of site load; never add the two.':
    'База данных с наибольшей нагрузкой: среднее за месяц; единицы не те, что у сайтов, и с ними не складываются.',
  'Unusual sites': 'Необычная нагрузка',
  'Sites whose newest hour has four times the load of their busiest hour around this day last week, quiet sites left out. Needs a week of history.':
    'Сайты, у которых последний час вчетверо нагруженнее самого нагруженного часа около этого дня на прошлой неделе; тихие сайты не учитываются. Нужны данные за неделю.',
  'Grown databases': 'Выросшие базы',
  'Databases that are half as big again as yesterday at this time, small ones left out. Mostly a table of logs, sessions or spam.':
    'Базы, которые стали в полтора раза больше, чем вчера в это время; маленькие не учитываются. Чаще всего это таблица журналов, сессий или спама.',
  'Sites, this week against last': 'Сайты: эта неделя и прошлая',
  'The twenty sites with most load this week: mean load of a day, this week and last, and how many times as much. Then the mean of the last month as the provider gives it, the newest complete hour, and that hour in multiples of the busiest hour around this day last week (marked from four times on).':
    'Двадцать сайтов с наибольшей нагрузкой за неделю: среднее за сутки на этой и на прошлой неделе и во сколько раз изменилось. Затем среднее за месяц от хостера, последний полный час и во сколько раз он больше самого нагруженного часа около этого дня на прошлой неделе (отмечено от четырёх раз).',
  'No load per day is known: no sites, or the collector site_load_detail is off.':
    'Суточная нагрузка неизвестна: нет сайтов, или выключен коллектор site_load_detail.',
  'This week': 'Эта неделя',
  'Last week': 'Прошлая неделя',
  Change: 'Изменение',
  'Mean of the month': 'Среднее за месяц',
  'Hour against last week': 'Час к прошлой неделе',
  'Databases, this week against last': 'Базы данных: эта неделя и прошлая',
  'The twenty databases with most load this week: mean load of a day, this week and last, and how many times as much; then what they take. The load of databases has another unit than that of sites.':
    'Двадцать баз с наибольшей нагрузкой за неделю: среднее за сутки на этой и на прошлой неделе и во сколько раз изменилось; затем сколько они занимают. Единицы нагрузки баз не те, что у сайтов.',
  'No load per day is known: no databases, or the collector database_load_detail is off.':
    'Суточная нагрузка неизвестна: нет баз, или выключен коллектор database_load_detail.',
  User: 'Пользователь',
  'Over time': 'Динамика',
  'Busiest sites': 'Самые нагруженные сайты',
  'Load of each hour of the six sites that were busiest in the shown time.':
    'Нагрузка за каждый час у шести сайтов, самых нагруженных за показанное время.',
  'Busiest databases': 'Самые нагруженные базы',
  'Load of each hour of the six databases that were busiest in the shown time. Not the unit of the sites.':
    'Нагрузка за каждый час у шести баз, самых нагруженных за показанное время. Единицы не те, что у сайтов.',
  'Biggest databases': 'Самые большие базы',
  'Size of the six databases that are biggest now.': 'Размер шести баз, самых больших сейчас.',
  'Databases that grew most in 7 days': 'Сильнее всех выросшие за 7 дней базы',
  'The fifteen databases that took most space within seven days, and what they take now.':
    'Пятнадцать баз, занявших больше всего места за семь дней, и сколько они занимают сейчас.',
  Software: 'Версии и сертификаты',
  'PHP versions': 'Версии PHP',
  'How many domains run which version of PHP.': 'На скольких доменах какая версия PHP.',
  'No version is known.': 'Нет данных о версиях.',
  Version: 'Версия',
  Certificates: 'Сертификаты',
  "How many domains of sites have a certificate in which state, in the provider's words.":
    'У скольких доменов сайтов в каком состоянии сертификат, словами хостера.',
  'No certificate is known.': 'Нет данных о сертификатах.',
  'Domains with PHP before version 8': 'Домены с PHP ниже версии 8',
  'These versions get no security fixes any more.': 'Для этих версий больше не выходят исправления безопасности.',
  'No domain is known to run an old version.': 'Доменов со старой версией не найдено.',

  // Exporter
  'Hosting / Exporter': 'Хостинг / Экспортер',
  'Is what the other dashboards show current, and whose fault is it if not?':
    'Свежее ли то, что показывают другие панели, и если нет, то в чём причина?',
  Exporters: 'Экспортеры',
  'Exporters that answer Prometheus. Critical where one does not and its accounts are watched by nobody; a warning where another exporter watches them and only the spare is lost. With /sd each account is counted, as a target of its own.':
    'Экспортеры, которые отвечают Prometheus. Критично, если какой-то не отвечает и за его аккаунтами никто не следит; внимание, если за ними следит другой экспортер и потерян только запасной. При /sd считается каждый аккаунт: у него своя цель опроса.',
  all: 'все',
  'not all': 'не все',
  'Accounts whose newest poll got no answer, or whose credentials were rejected. One of many: look at the account. Most at once: the provider, or the way to it.':
    'Аккаунты, которые не ответили на последний опрос или чьи учётные данные отклонены. Один из многих — дело в аккаунте. Большинство сразу — дело в хостере или в пути к нему.',
  'Polls that fail': 'Неудачные опросы',
  'Collectors of single accounts whose newest poll did not succeed as a whole. Their last good figures stay for three turns and ten minutes.':
    'Коллекторы отдельных аккаунтов, у которых последний опрос не удался целиком. Их последние показатели хранятся три интервала опроса и ещё десять минут.',
  'Oldest figures': 'Самые старые показатели',
  'The account whose figures are oldest, in turns of their collector: 1 is ordinary, from 3 on the alert warns and soon the figures disappear.':
    'Аккаунт с самыми старыми показателями; возраст — в интервалах опроса коллектора: 1 — обычное дело, от 3 приходит оповещение, и скоро показатели исчезнут.',
  'Failed calls, 1 h': 'Неудачные вызовы, 1 ч',
  'Calls of the API that failed within the last hour, for whatever reason. The table below tells the reasons.':
    'Вызовы API, не удавшиеся за последний час по любой причине. Причины — в таблице ниже.',
  'Calls waiting': 'Вызовы в очереди',
  'Calls that wait for the budget of their account. After each full hour some wait for minutes; a queue that never empties makes polls late.':
    'Вызовы, которые ждут своей очереди в лимите аккаунта. После каждого полного часа некоторые ждут минутами; если очередь никогда не пустеет, опросы запаздывают.',
  Configuration: 'Настройки',
  'Whether the exporter could load its newest configuration, and when it last did. Where it could not, it runs with the old one; its log says why.':
    'Смог ли экспортер загрузить последние настройки и когда это удалось. Если не смог, он работает со старыми; причина — в его журнале.',
  loaded: 'загружены',
  'with an error': 'с ошибкой',
  'The version of the exporter; two while an upgrade is under way.': 'Версия экспортера; во время обновления их две.',
  'Whose fault is it?': 'В чём причина?',
  'Failed calls and who can act': 'Неудачные вызовы и кто может помочь',
  'Why calls failed within the last day and the last hour, by account. The provider is slow or away: wait. Credentials and permissions: only you can mend them.':
    'Почему вызовы не удались за последние сутки и последний час, по аккаунтам. Хостер медлит или недоступен — ждите. Учётные данные и права можете исправить только вы.',
  'No call is known to have failed within a day.': 'Неудачных вызовов за сутки не найдено.',
  Reason: 'Причина',
  'Who can act': 'Кто может помочь',
  'You: correct login or password': 'Вы: исправьте логин или пароль',
  'You: permit the method to the API user': 'Вы: разрешите метод пользователю API',
  'You: another tool uses the same login': 'Вы: тем же логином пользуется что-то ещё',
  'The network, or the provider': 'Сеть или хостер',
  'The provider, or the network': 'Хостер или сеть',
  'The provider': 'Хостер',
  'The provider, or this exporter': 'Хостер или этот экспортер',
  'This exporter: please report it': 'Этот экспортер: сообщите об ошибке',
  '1 h': '1 ч',
  '24 h': '24 ч',
  'Failed calls per hour': 'Неудачные вызовы по часам',
  'Each bar is an hour, parted by reason. Many accounts at once and "network" or "timeout": the provider.':
    'Каждый столбец — час, поделённый по причинам. Много аккаунтов сразу и network или timeout — дело в хостере.',
  timeout: 'timeout',
  network: 'network',
  limit: 'limit',
  http: 'http',
  permission: 'permission',
  auth: 'auth',
  'No call is known to have failed in this time.': 'Неудачных вызовов за это время не найдено.',
  'Is it current?': 'Свежие ли данные?',
  'Polls that fail, are late or drop series': 'Опросы неудачные, запоздавшие или неполные',
  'Every collector of every account whose newest poll failed, whose figures are older than three of its turns, or that left series out because of max_series. Empty is good.':
    'Все коллекторы всех аккаунтов, у которых последний опрос не удался, показатели старше трёх интервалов опроса или часть рядов отброшена из-за max_series. Пусто — значит, всё хорошо.',
  'No poll is known to fail, to be late or to drop series.': 'Неудачных, запоздавших и неполных опросов не найдено.',
  Age: 'Возраст',
  'In turns': 'Интервалов',
  Dropped: 'Отброшено',
  'Age of the newest good poll in turns of its collector, for the six oldest now. Ordinary figures go up and down between 0 and 1; at the dashed line the alert warns.':
    'Сколько интервалов прошло с последнего удачного опроса, шесть самых старых сейчас. Обычно от 0 до 1; от пунктира приходит оповещение.',
  Collectors: 'Коллекторы',
  'All accounts together: how many each collector polls, how many fail, how old the oldest figures are, how long the longest poll took, and how many series it shows.':
    'Все аккаунты вместе: сколько аккаунтов опрашивает каждый коллектор, у скольких опрос не удался, возраст самых старых показателей, сколько длился самый долгий опрос и сколько рядов показано.',
  Failing: 'Неудач',
  Oldest: 'Макс. возраст',
  'Longest poll': 'Самый долгий',
  'Accounts that answer': 'Отвечающие аккаунты',
  'How many accounts answered their newest poll, of all that are configured. A gap between the two is an outage.':
    'Сколько аккаунтов ответило на последний опрос из всех настроенных. Разрыв между линиями — сбой.',
  Configured: 'Настроены',
  Answering: 'Отвечают',
  'Calls of the API': 'Вызовы API',
  'Calls as a share of the budget': 'Вызовы как доля лимита',
  "Calls per minute as a share of what the exporter allows itself for the account (requests_per_minute), for the six accounts with most. The provider's own limit counts all tools that use the login.":
    'Вызовов в минуту как доля того, что экспортер разрешает себе для аккаунта (requests_per_minute), шесть аккаунтов с наибольшей долей. Лимит самого хостера учитывает все программы с этим логином.',
  'No call is known.': 'Нет данных о вызовах.',
  'Calls that wait for the budget, for the six accounts with most of them in the shown time. A queue that never empties makes polls late: raise the budget or poll the details less often.':
    'Вызовы, ожидающие лимита, у шести аккаунтов, где их было больше всего за показанное время. Если очередь не пустеет, опросы запаздывают: поднимите лимит или реже опрашивайте подробности.',
  'No call is known to have waited.': 'Ожидавших вызовов не найдено.',
  'How long calls take': 'Сколько длятся вызовы',
  'Half of the calls, and 95 of 100, are answered within this time. Waiting for the budget is not counted.':
    'За это время приходит ответ на половину вызовов и на 95 из 100. Ожидание лимита не считается.',
  half: 'половина',
  '95 of 100': '95 из 100',
  Methods: 'Методы',
  'What was called within the last day, how often, how much of it failed, and how long it took on average.':
    'Что вызывали за последние сутки, сколько раз, какая доля не удалась и сколько это длилось в среднем.',
  Method: 'Метод',
  'Calls, 24 h': 'Вызовов, 24 ч',
  Failed: 'Не удалось',
  'Mean duration': 'В среднем',
  Process: 'Процесс',
  Memory: 'Память',
  'Memory that the process holds.': 'Память, которую занимает процесс.',
  Processor: 'Процессор',
  'Share of one processor core that the process uses.': 'Доля одного ядра процессора, которую использует процесс.',
  'Delay of the event loop': 'Задержка цикла событий',
  'How long work waits for its turn in the process, at worst one of 100 times. Over a second scrapes get slow.':
    'Сколько задачи ждут своей очереди внутри процесса (99-й перцентиль). Больше секунды — метрики отдаются медленно.',
  'Running exporters': 'Работающие экспортеры',
  'Every exporter with its version, and how long it has been running.':
    'Каждый экспортер, его версия и сколько он работает.',
  Revision: 'Ревизия',
  'Node.js': 'Node.js',
  'Slowest polls': 'Самые долгие опросы',
  'How long a poll took, for the six longest now. Polls with one call per site take as long as the budget makes them.':
    'Сколько длился опрос, шесть самых долгих сейчас. Опросы с вызовом на каждый сайт длятся столько, сколько позволяет лимит.',
};
