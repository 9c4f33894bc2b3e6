import { App } from '../app.ts';
import { createLog, type Log } from '../log.ts';
import type { OnceArguments } from './arguments.ts';
import type { ExitCode } from './exit-code.ts';
import { type Host, untilStopped } from './host.ts';
import { prepareOutput } from './output-file.ts';
import { loadSelected, logWarnings } from './selection.ts';

/** Polls everything once, and prints the metrics or writes them to a file. Exit code 1 if a collector fails. */
export async function once(args: OnceArguments, host: Host): Promise<ExitCode> {
  const log = createLog(args.log, host.stderr);
  logWarnings(log, args.warnings);
  const config = await loadSelected(args, host, log);
  const write = args.output === undefined ? undefined : await prepareOutput(args.output);
  const app = new App(config, host.build, log);
  announceTime(app, log);
  void untilStopped(host).then(() => app.stop());
  const stopReporting = reportPauses(app, log);
  await Promise.all(app.accounts.map((account) => account.pollOnce()));
  stopReporting();
  const chunks = await app.page.render('text', { process: 'own' });
  const failed = app.accounts.some((account) => account.status().some(({ failure }) => failure !== undefined));
  await app.stop();
  if (host.signal.aborted) return 1;
  const page = Buffer.concat(chunks.map(({ text }) => text)).toString('utf8');
  try {
    if (write === undefined) host.stdout.write(page);
    else await write(page, host.signal);
  } catch (error) {
    if (!host.signal.aborted) throw error;
    return 1;
  }
  return failed ? 1 : 0;
}

/** Seconds below which a wait is not announced. */
const minAnnounced = 5;

/** Logs how long the lists take, because the budget spaces the calls of an account, unless that is short. */
function announceTime({ accounts }: App, log: Log): void {
  const seconds = accounts.map(({ pollers, load }) => (pollers.length * 60) / load.budget);
  const longest = Math.round(Math.max(0, ...seconds));
  if (longest >= minAnnounced)
    log.info({ accounts: accounts.length, seconds_at_least: longest }, 'polling once, within the call budget');
}

/** Logs each pause that the API asks for. Returns a function that ends this. */
function reportPauses({ accounts }: App, log: Log): () => void {
  const paused = new Set<string>();
  const timer = setInterval(() => {
    for (const { name, pauseRemaining } of accounts) {
      if (pauseRemaining > 0 && !paused.has(name)) {
        const fields = { account: name, seconds: Math.ceil(pauseRemaining / 1000) };
        log.info(fields, 'waiting, because the API reports too many calls');
        paused.add(name);
      } else if (pauseRemaining === 0) {
        paused.delete(name);
      }
    }
  }, 500);
  return () => clearInterval(timer);
}
