import { type Failure, reasons } from '../api/error.ts';
import type { App } from '../app.ts';
import { type CommandContext, untilStopped } from './command.ts';

/**
 * Polls every account once, and repeats failed polls once, because this process makes no later poll. A signal stops the polls. `onPause`
 * gets each pause that the API requests, in milliseconds. `repeated`: the reasons of failure for which a poll is repeated.
 */
export async function pollOnce(
  app: App,
  context: CommandContext,
  onPause: (account: string, milliseconds: number) => void,
  repeated: readonly Failure['reason'][] = [...reasons, 'bug'],
): Promise<void> {
  void untilStopped(context).then(() => app.stop());
  for (const { name, session } of app.accounts) session.budget.onPause = (milliseconds) => onPause(name, milliseconds);
  const isRepeated = ({ reason }: Failure) => repeated.includes(reason);
  const polls = app.accounts.map(async (account) => {
    await account.pollOnce();
    const failed = account.pollers.filter(({ newest }) => newest?.failures.some(isRepeated));
    await Promise.all(failed.map((poller) => poller.poll({ retryOnly: true })));
  });
  await Promise.all(polls);
}

/** Describes a pause in one line, for commands that print messages instead of logging them. */
export function describePause(account: string, milliseconds: number): string {
  const end = new Date(Date.now() + milliseconds).toISOString().slice(11, 19);
  return `${account}: waiting ${Math.ceil(milliseconds / 1000)} s, until ${end} UTC, because the API reports too many calls\n`;
}
