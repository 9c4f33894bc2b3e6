import { type Sandbox, type SandboxOptions, startSandbox } from '../sandbox/server.ts';
import type { SandboxArguments } from './arguments.ts';
import type { ExitCode } from './exit-code.ts';
import { type Host, printWarnings, untilStopped } from './host.ts';
import { ListenError } from './listen-error.ts';

/** Runs the built-in API server until the process receives a signal to stop. */
export async function sandbox(args: SandboxArguments, host: Host): Promise<ExitCode> {
  printWarnings(host, args.warnings);
  const { dialect, port, speed } = args;
  const running = await startSandboxOn({ dialect, port, speed });
  host.stdout.write(describe(running));
  await untilStopped(host);
  await running.close();
  return 0;
}

/** Throws ListenError. */
export async function startSandboxOn(options: SandboxOptions): Promise<Sandbox> {
  try {
    return await startSandbox(options);
  } catch (error) {
    if (!(error instanceof Error && 'syscall' in error)) throw error;
    throw new ListenError(`port ${options.port}`, error, 'choose another port with --port');
  }
}

function describe({ baseUrl, controlUrl, accounts }: Sandbox): string {
  const [first] = accounts;
  const list = accounts.map(
    ({ login, password, token }) => `  ${login}\n    password ${password}\n    token    ${token}\n`,
  );
  return `The sandbox API is at ${baseUrl}
Faults, calls and accounts: ${controlUrl}

Accounts (these credentials are public):
${list.join('')}
Try it:
  curl --data-urlencode login=${first?.login ?? ''} --data-urlencode 'passwd=${first?.password ?? ''}' ${baseUrl}/user/getAccountInfo
`;
}
