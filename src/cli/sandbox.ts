import { type Sandbox, type SandboxOptions, startSandbox } from '../sandbox/server.ts';
import type { SandboxArguments } from './arguments.ts';
import type { ExitCode } from './exit-code.ts';
import { type Host, printWarnings, untilStopped } from './host.ts';
import { ListenError } from './listen-error.ts';
import { prepareOutput } from './output-file.ts';

/** Runs the built-in API server until the process receives a signal to stop. */
export async function sandbox(args: SandboxArguments, host: Host): Promise<ExitCode> {
  printWarnings(host, args.warnings);
  const { dialect, port, speed, tlsCertFile } = args;
  const writeCertificate = tlsCertFile === undefined ? undefined : await prepareOutput(tlsCertFile);
  const running = await startSandboxOn({ dialect, port, speed, tls: tlsCertFile !== undefined });
  await writeCertificate?.(running.certificate ?? '', host.signal);
  host.stdout.write(describe(running, tlsCertFile));
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

function describe({ baseUrl, controlUrl, accounts }: Sandbox, tlsCertFile: string | undefined): string {
  const [first] = accounts;
  const list = accounts.map(
    ({ login, password, mainPassword, token }) =>
      `  ${login}\n    API password  ${password}\n    main password ${mainPassword}\n    token         ${token}\n`,
  );
  const trust = tlsCertFile === undefined ? '' : `--cacert ${tlsCertFile} `;
  return `The sandbox API is at ${baseUrl}
Faults, permissions, calls and accounts: ${controlUrl}
${tlsCertFile === undefined ? '' : `Certificate, for ca_file: ${tlsCertFile}\n`}
Accounts (these credentials are public):
${list.join('')}
Try it:
  curl ${trust}--data-urlencode login=${first?.login ?? ''} --data-urlencode 'passwd=${first?.password ?? ''}' ${baseUrl}/user/getAccountInfo
`;
}
