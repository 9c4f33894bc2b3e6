import { once } from 'node:events';
import { statSync } from 'node:fs';
import { createServer, request, type Server } from 'node:http';
import { defineCommand } from './command.ts';

export const command = defineCommand(
  'Check whether the exporter on this machine, or in this container, is healthy. Exits with 1 if no exporter listens, or if an exporter is not healthy. Prints the answer of each unhealthy exporter.',
  (command) => command,
  async (_flags, { stdout }) => {
    const answers = await askExporters();
    const problems = answers.filter((answer) => answer !== 'status 200');
    if (answers.length === 0) stdout.write('no exporter is listening\n');
    else if (problems.length === 0) stdout.write('healthy\n');
    for (const problem of problems) stdout.write(`not healthy: ${problem}\n`);
    return answers.length > 0 && problems.length === 0 ? 0 : 1;
  },
);

/** Milliseconds within which an exporter must answer. */
const timeout = 4000;

/** Maximum number of exporters that run from one folder. */
const maxExporters = 16;

/** Maximum number of connections, because every process of the machine can connect. */
const maxConnections = 50;

/** Names of abstract sockets, which need no file, no port and no TLS. The folder of the program differs between containers. */
function socketsOf(folder: string): readonly string[] {
  const { dev, ino } = statSync(folder);
  return Array.from({ length: maxExporters }, (_, number) => `\0hosting-account-exporter-${dev}-${ino}-${number}`);
}

/** Answers the command `healthy`. Resolves with undefined where abstract sockets do not exist, or if all names are used. */
export async function openHealthSocket(
  isHealthy: () => boolean,
  folder = import.meta.dirname,
): Promise<Server | undefined> {
  for (const path of socketsOf(folder)) {
    const server = createServer((_, response) => response.writeHead(isHealthy() ? 200 : 503).end());
    server.maxConnections = maxConnections;
    const isOpen = await once(server.listen({ path }), 'listening').catch(() => undefined);
    if (isOpen !== undefined) return server;
  }
  return undefined;
}

/** Returns the answer of each running exporter: `status 200`, another status, or the reason why there is no answer. */
export async function askExporters(folder = import.meta.dirname): Promise<readonly string[]> {
  const answers = await Promise.all(socketsOf(folder).map(ask));
  return answers.filter((answer) => answer !== undefined);
}

function ask(socketPath: string): Promise<string | undefined> {
  return new Promise((resolve) => {
    const call = request({ socketPath, path: '/-/healthy', agent: false, timeout }, (response) => {
      response.resume();
      resolve(`status ${response.statusCode}`);
    });
    call.on('timeout', () => call.destroy(new Error(`no answer within ${timeout / 1000} s`)));
    call.on('error', ({ code, message }: NodeJS.ErrnoException) => {
      resolve(code === 'ECONNREFUSED' ? undefined : message);
    });
    call.end();
  });
}
