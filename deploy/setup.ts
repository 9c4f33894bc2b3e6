// The service `setup` of the Compose stack. Creates the folders and secrets that deploy/.env requires, and makes each readable only for the
// program that needs it. Existing secrets stay. Asks for secrets on the terminal, or reads them from stdin, one per line.

import { randomBytes } from 'node:crypto';
import { chmodSync, chownSync, existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { Writable } from 'node:stream';

/** User IDs of the programs in their images. */
const users = { exporter: 65_532, alertmanager: 65_534, grafana: 472 };

const { DEPLOY: folder = '/deploy', TELEGRAM_CHAT_ID: chat = '', SMTP_LOGIN: login = '' } = process.env;

// This output discards everything, so that the terminal does not show what the user types.
const output = new Writable({ write: (_chunk, _encoding, done) => done() });
const input = createInterface({ input: process.stdin, output, terminal: process.stdin.isTTY === true });
const lines = input[Symbol.asyncIterator]();

async function ask(question: string): Promise<string> {
  process.stdout.write(`${question} (not shown): `);
  const { value = '' } = await lines.next();
  process.stdout.write('\n');
  return String(value).trim();
}

async function create(name: string, user: number, read: () => Promise<string> | string): Promise<void> {
  const file = join(folder, 'secrets', name);
  if (!existsSync(file)) {
    const secret = await read();
    if (secret === '') {
      process.stderr.write(`error: no answer, so deploy/secrets/${name} is missing; run setup again\n`);
      process.exit(2);
    }
    writeFileSync(file, secret, { mode: 0o400 });
  }
  chmodSync(file, 0o400);
  chownSync(file, user, user);
  process.stdout.write(`deploy/secrets/${name}: readable for user ${user}\n`);
}

for (const [name, user, mode] of [
  ['secrets', undefined, 0o711],
  ['accounts', users.exporter, 0o700],
] as const) {
  mkdirSync(join(folder, name), { recursive: true });
  chmodSync(join(folder, name), mode);
  if (user !== undefined) chownSync(join(folder, name), user, user);
}
await create('grafana.password', users.grafana, () => randomBytes(16).toString('hex'));
if (chat !== '') await create('telegram.token', users.alertmanager, () => ask('Token of the Telegram bot'));
if (login !== '') await create('smtp.password', users.alertmanager, () => ask(`Password of ${login}`));
input.close();
