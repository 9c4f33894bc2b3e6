// The service `messages` of the Compose stack, for messages without Prometheus. Every five minutes, it gives the problems of the accounts
// to Alertmanager, which sends, repeats and ends the messages. If the exporter does not answer, the service reports this as an alert.

interface Problem {
  readonly account: string;
  readonly customer?: string;
  readonly state: string;
  readonly kind: string;
  readonly item?: string;
  readonly causeText?: string;
  readonly period?: string;
  readonly text: string;
  readonly alert?: string;
}

interface Report {
  readonly problems: readonly Problem[];
  readonly accounts: readonly { readonly account: string; readonly state: string }[];
}

const {
  HOSTING_LANGUAGE: language = 'en',
  EXPORTER_URL: pages = '',
  EXPORTER: exporter = 'http://exporter:10380',
  ALERTMANAGER: alertmanager = 'http://alertmanager:9093',
  INTERVAL_SECONDS: seconds = '300',
} = process.env;

const interval = Number(seconds) * 1000;
const runbooks = `https://github.com/hosting-account-exporter/hosting-account-exporter/blob/main/docs/runbooks/${language === 'ru' ? 'ru/' : ''}`;

/** From the most to the least urgent. */
const periods = ['overdue', 'today', 'week', 'later'];

function messageOf(problem: Problem): object[] {
  const { account, customer, state, kind, item, causeText, period = 'later', text, alert } = problem;
  if (alert === undefined) return [];
  const isBlocked = kind === 'suspension' && state === 'critical' && ['overdue', 'today'].includes(period);
  // The message templates contain the first step of each alert, by its name.
  const alertname = isBlocked ? 'HostingAccountBlockedToday' : alert;
  const subject = kind === 'domain' ? { domain: item } : kind.endsWith('backup') ? { kind: item } : {};
  const severity = state === 'critical' ? 'critical' : 'warning';
  const page = pages === '' ? {} : { page_url: `${pages}/accounts/${encodeURIComponent(account)}` };
  return [
    {
      labels: { alertname, severity, job: 'hosting', account, ...(customer && { customer }), ...subject },
      annotations: {
        summary: causeText ?? text,
        description: `${account}: ${text}`,
        // The message templates sort alerts by this annotation.
        order: String(periods.indexOf(period)),
        ...page,
        runbook_url: `${runbooks}${alertname}.md`,
      },
    },
  ];
}

const silence = {
  en: 'The exporter does not answer. Problems of accounts are not noticed.',
  ru: 'Экспортёр не отвечает. Проблемы аккаунтов незаметны.',
}[language === 'ru' ? 'ru' : 'en'];

const down = {
  labels: { alertname: 'HostingExporterDown', severity: 'critical', job: 'hosting' },
  annotations: { summary: silence, description: silence, runbook_url: `${runbooks}HostingExporterDown.md` },
};

let known: readonly Problem[] = [];
let failures = 0;

/** The problems of all accounts. While an account has no new data, this includes its previous problems. */
async function readProblems(): Promise<readonly Problem[]> {
  const signal = AbortSignal.timeout(60_000);
  const answer = await fetch(`${exporter}/accounts.json?lang=${language}`, { signal });
  if (!answer.ok) throw new Error(`status ${answer.status}`);
  const { problems, accounts } = (await answer.json()) as Report;
  const without = new Set(accounts.flatMap(({ account, state }) => (state === 'failing' ? [account] : [])));
  const keyOf = ({ account, kind, item }: Problem) => JSON.stringify([account, kind, item]);
  const kept = known.filter(({ account }) => without.has(account));
  return [...new Map([...kept, ...problems].map((problem) => [keyOf(problem), problem])).values()];
}

async function run(): Promise<void> {
  try {
    known = await readProblems();
    failures = 0;
  } catch (error) {
    failures += 1;
    process.stderr.write(`${exporter}: ${error instanceof Error ? error.message : error}\n`);
  }
  // An alert ends if it is not repeated for three intervals.
  const endsAt = new Date(Date.now() + 3 * interval).toISOString();
  const messages = [...known.flatMap(messageOf), ...(failures > 2 ? [down] : [])];
  const body = JSON.stringify(messages.map((message) => ({ ...message, endsAt })));
  try {
    const headers = { 'content-type': 'application/json' };
    const signal = AbortSignal.timeout(60_000);
    const answer = await fetch(`${alertmanager}/api/v2/alerts`, { method: 'POST', headers, body, signal });
    if (!answer.ok) throw new Error(`status ${answer.status}: ${await answer.text()}`);
  } catch (error) {
    process.stderr.write(`${alertmanager}: ${error instanceof Error ? error.message : error}\n`);
  }
}

process.once('SIGTERM', () => process.exit());
await run();
setInterval(() => void run(), interval);
