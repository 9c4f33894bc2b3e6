import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { type Replay, startReplay } from '../../sandbox/src/replay.ts';
import { type Sandbox, startSandbox } from '../../sandbox/src/server.ts';
import { dialects } from '../api/method.ts';
import { configFile } from '../config/file/schema.ts';
import { readOr } from '../config/values/expected-error.ts';
import { countOf } from '../config/values/wording.ts';
import {
  type CommandContext,
  defineCommand,
  type ExitCode,
  ExitError,
  listenError,
  Option,
  untilStopped,
} from './command.ts';
import { nonEmpty, numberFrom, port, sandboxPort } from './flags.ts';
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
      .option('--port <number>', 'port to listen on, on 127.0.0.1; 0 for any free port', port, sandboxPort)
      .option('--speed <factor>', 'speed of the sandbox clock, as a multiple of real time', readSpeed, 1)
      .option(
        '--tls-cert-file <file>',
        'serve HTTPS with a new self-signed certificate, and write the certificate to this file, for ca_file',
        nonEmpty,
      )
      .addOption(
        new Option('--replay <folder>', 'serve a recording of check --record instead of sample accounts')
          .argParser(nonEmpty)
          .conflicts(['dialect', 'speed', 'tlsCertFile']),
      ),
  async ({ dialect, port, speed, tlsCertFile, replay }, context) => {
    if (replay !== undefined) return serveRecording(replay, port, context);
    const writeCertificate = tlsCertFile === undefined ? undefined : await prepareOutput(tlsCertFile);
    const running = await listening(startSandbox({ dialect, port, speed, tls: tlsCertFile !== undefined }), port);
    await writeCertificate?.(running.certificate ?? '');
    context.stdout.write(describe(running, tlsCertFile));
    await untilStopped(context);
    await running.close();
    return 0;
  },
);

const notSpeed = 'It is not a speed; write a number such as 1 or 60.';
const readSpeed = numberFrom(Number.MIN_VALUE, 1e7, /^\d{1,7}(?:\.\d+)?$/, notSpeed);

/** Rejects with ExitError if the folder contains no recording, or if the server cannot listen. */
async function serveRecording(folder: string, port: number, context: CommandContext): Promise<ExitCode> {
  const starting = startReplay({ folder, port }).catch((error: unknown) => {
    if (error instanceof Error && 'port' in error) throw error;
    throw new ExitError(2, `--replay: ${error instanceof Error ? error.message : error}`, error);
  });
  const replay = await listening(starting, port);
  const { baseUrl, shift, close } = replay;
  try {
    const config = await writeReplayConfig(folder, replay);
    context.stdout.write(`The recording is served at ${baseUrl}, with its dates moved by ${countOf(shift, 'day')}.
Configuration for the exporter: ${config}
`);
    await untilStopped(context);
  } finally {
    await close();
  }
  return 0;
}

/**
 * Writes a configuration file for an exporter that polls a replay, and returns its path. A recording may come from a stranger, so the file
 * takes only the necessary settings from it.
 */
async function writeReplayConfig(folder: string, { baseUrl, accounts: names }: Replay): Promise<string> {
  const path = join(folder, 'replay.yml');
  const read = () => configFile.parse(JSON.parse(readFileSync(join(folder, 'config.yml'), 'utf8'))).accounts;
  const recorded = readOr(undefined, read);
  const accounts = names.map((name) => {
    const { api, collectors } = recorded?.find((account) => account.name === name) ?? {};
    const own = { ...api, base_url: undefined, ca_file: undefined };
    return { name, login: name, password: 'any', api: own, collectors };
  });
  const config = { api: { base_url: baseUrl, requests_per_minute: 600 }, accounts };
  // Remove a symlink that the recording may contain, so that the write does not follow the symlink.
  rmSync(path, { force: true });
  const write = await prepareOutput(path, 0o600);
  await write(`${JSON.stringify(config, null, 2).replaceAll('${', '$$${')}\n`);
  return path;
}

export async function listening<Server>(starting: Promise<Server>, port: number, flag = '--port'): Promise<Server> {
  try {
    return await starting;
  } catch (error) {
    if (!(error instanceof Error && 'port' in error)) throw error;
    throw listenError(`port ${port}`, error, `choose another port with ${flag}`);
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
