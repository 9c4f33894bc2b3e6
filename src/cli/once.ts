import { App } from '../app.ts';
import { createLog } from '../log.ts';
import type { OnceArguments } from './arguments.ts';
import type { ExitCode } from './exit-code.ts';
import { type Host, untilStopped } from './host.ts';
import { prepareOutput } from './output-file.ts';
import { loadSelected, logWarnings } from './selection.ts';

/** Polls everything once, and prints the metrics or writes them to a file. Exit code 1 if a collector fails. */
export async function once(args: OnceArguments, host: Host): Promise<ExitCode> {
  const log = createLog(args.log, host.stderr);
  logWarnings(log, args.warnings);
  const config = loadSelected(args, host, log);
  const write = args.output === undefined ? undefined : await prepareOutput(args.output);
  const app = new App(config, host.build, log);
  void untilStopped(host).then(() => app.stop());
  await Promise.all(app.accounts.map((account) => account.pollOnce()));
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
