import { randomUUID } from 'node:crypto';
import { rename, rm, writeFile } from 'node:fs/promises';
import { App } from '../app.ts';
import { writeError } from '../config/config-error.ts';
import { createLog } from '../log.ts';
import type { OnceArguments } from './arguments.ts';
import type { ExitCode } from './exit-code.ts';
import { type Host, untilStopped } from './host.ts';
import { loadSelected, logWarnings } from './selection.ts';

/** Polls everything once, and prints the metrics or writes them to a file. Exit code 1 if a collector fails. */
export async function once(args: OnceArguments, host: Host): Promise<ExitCode> {
  const log = createLog(args.log, host.stderr);
  logWarnings(log, args.warnings);
  const app = new App(loadSelected(args, host, log), host.build, log);
  void untilStopped(host).then(() => app.stop());
  await Promise.all(app.accounts.map((account) => account.pollOnce()));
  const chunks = await app.page.render('text', { process: 'own' });
  const failed = app.accounts.some((account) => account.status().some(({ failure }) => failure !== undefined));
  await app.stop();
  if (host.signal.aborted) return 1;
  const page = Buffer.concat(chunks.map(({ text }) => text)).toString('utf8');
  if (args.output === undefined) host.stdout.write(page);
  else await writeAtomically(args.output, page);
  return failed ? 1 : 0;
}

/** Readers of the file see the previous page or the new one, never a part of one. */
async function writeAtomically(path: string, text: string): Promise<void> {
  const temporary = `${path}.${randomUUID()}.tmp`;
  try {
    await writeFile(temporary, text, { mode: 0o644 });
    await rename(temporary, path);
  } catch (error) {
    await rm(temporary, { force: true });
    throw writeError(path, error);
  }
}
