import { App } from '../app.ts';
import type { Log } from '../log.ts';
import { defineCommand } from './command.ts';
import { loadWithFlags, logFormat, logLevel, logWarning, openLog } from './config-flags.ts';
import { accountNames, configFile, nonEmpty } from './flags.ts';
import { prepareOutput } from './output-file.ts';
import { pollOnce } from './poll-once.ts';

export const command = defineCommand(
  "Poll every account once, print the metrics and exit, for example for node_exporter's textfile collector. Exits with 1 if a collector fails.",
  (command) =>
    command
      .addOption(configFile())
      .addOption(accountNames())
      .option('--output <file>', 'write the metrics to this file, device or FIFO instead of stdout', nonEmpty)
      .addOption(logLevel())
      .addOption(logFormat()),
  async (flags, context) => {
    const log = openLog(flags, context);
    const config = await loadWithFlags(flags, context, logWarning(log));
    const write = flags.output === undefined ? undefined : await prepareOutput(flags.output);
    const app = new App(config, context.build, log, { disableExporterMetrics: true });
    await pollOnce(app, context, logPause(log));
    const page = `${await app.page.render({ format: 'text', encoding: 'identity' }, {})}`;
    const failed = app.accounts.some((account) => account.pollers.some(({ newest }) => (newest?.failedPolls ?? 0) > 0));
    await app.stop();
    if (context.signal.aborted) return 1;
    await (write === undefined ? context.stdout.write(page) : write(page));
    return failed ? 1 : 0;
  },
);

export function logPause(log: Log) {
  return (account: string, milliseconds: number) =>
    log.info({ account, seconds: Math.ceil(milliseconds / 1000) }, 'waiting, because the API reports too many calls');
}
