import { dialects } from '../api/dialect.ts';
import { type Sandbox, type SandboxOptions, startSandbox } from '../sandbox/server.ts';
import { defineCommand, InvalidArgumentError, Option } from './command.ts';
import { printWarnings, untilStopped } from './command-context.ts';
import { listenError } from './exit-code.ts';
import { nonEmpty, port } from './flags.ts';
import { prepareOutput } from './output-file.ts';

export const command = defineCommand(
  'Run the built-in API server for trials and tests, with sample accounts and faults on request.',
  (command) =>
    command
      .addOption(
        new Option('--dialect <dialect>', 'respond as the API specification says, or as the live provider does')
          .choices(dialects)
          .default('specification'),
      )
      .option('--port <number>', 'port to listen on, on 127.0.0.1; 0 for any free port', port, 10_381)
      .option('--speed <factor>', 'speed of the sandbox clock, as a multiple of real time', readSpeed, 1)
      .option(
        '--tls-cert-file <file>',
        'serve HTTPS with a new self-signed certificate, and write the certificate to this file, for ca_file',
        nonEmpty,
      ),
  async ({ dialect, port, speed, tlsCertFile, warnings }, context) => {
    printWarnings(context, warnings);
    const writeCertificate = tlsCertFile === undefined ? undefined : await prepareOutput(tlsCertFile);
    const running = await startSandboxOn({ dialect, port, speed, tls: tlsCertFile !== undefined });
    await writeCertificate?.(running.certificate ?? '', context.signal);
    context.stdout.write(describe(running, tlsCertFile));
    await untilStopped(context);
    await running.close();
    return 0;
  },
);

function readSpeed(written: string): number {
  const number = /^\d{1,7}(?:\.\d+)?$/.test(written) ? Number(written) : 0;
  if (!(number > 0)) throw new InvalidArgumentError('It is not a speed; write a number such as 1 or 60.');
  return number;
}

/** Rejects with ExitError if it cannot listen. */
export async function startSandboxOn(options: SandboxOptions): Promise<Sandbox> {
  try {
    return await startSandbox(options);
  } catch (error) {
    if (!(error instanceof Error && 'syscall' in error)) throw error;
    throw listenError(`port ${options.port}`, error, 'choose another port with --port');
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
