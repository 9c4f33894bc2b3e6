import { App } from '../app.ts';
import type { Log } from '../log.ts';
import { type CommandContext, defineCommand, untilStopped } from './command.ts';
import { loadWithFlags, logFormat, logLevel, openLog } from './config-flags.ts';
import { accountNames, configFile, nonEmpty } from './flags.ts';
import { prepareOutput } from './output-file.ts';
import { meanwhile, minAnnounced, watchPauses } from './progress.ts';

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
    const config = await loadWithFlags(flags, context, log);
    const write = flags.output === undefined ? undefined : await prepareOutput(flags.output);
    const app = new App(config, context.build, log, { disableExporterMetrics: true });
    await pollOnce(app, context, log);
    const page = `${await app.page.render({ format: 'text', encoding: 'identity' }, {})}`;
    const failed = app.accounts.some((account) => account.pollers.some(({ newest }) => (newest?.failedPolls ?? 0) > 0));
    await app.stop();
    if (context.signal.aborted) return 1;
    if (write === undefined) context.stdout.write(page);
    else if (!(await write(page, context.signal))) return 1;
    return failed ? 1 : 0;
  },
);

/** Polls every account once. A signal stops the polls. Logs the minimum duration of the polls, and each pause that the API requests. */
export async function pollOnce(app: App, context: CommandContext, log: Log): Promise<void> {
  const { accounts } = app;
  const seconds = Math.round(Math.max(0, ...accounts.map(({ pollers, load }) => (pollers.length * 60) / load.budget)));
  if (seconds >= minAnnounced)
    log.info({ accounts: accounts.length, seconds_at_least: seconds }, 'polling once, within the call budget');
  void untilStopped(context).then(() => app.stop());
  const newPauses = watchPauses(accounts);
  const logPauses = () => {
    for (const { name, budget } of newPauses()) {
      const fields = { account: name, seconds: Math.ceil(budget.pauseRemaining / 1000) };
      log.info(fields, 'waiting, because the API reports too many calls');
    }
  };
  const polling = Promise.all(
    accounts.map(async (account) => {
      await account.pollOnce();
      // Retry failed polls now, because this process makes no later poll. An item that is refused twice is left out.
      const failed = account.pollers.filter(({ newest }) => newest?.succeeded === false);
      await Promise.all(failed.map((poller) => poller.poll({ retryOnly: true })));
    }),
  );
  await meanwhile(polling, logPauses);
}
