import { once } from 'node:events';
import { statSync } from 'node:fs';
import { createServer, request, type Server } from 'node:http';
import { defineCommand } from './command.ts';

export const command = defineCommand(
  'Check whether the exporter on this machine, or in this container, is healthy. Exits with 1 if no exporter listens, or if the exporter is not healthy, and prints the reason.',
  (command) => command,
  async (_flags, { stdout }) => {
    const problem = await askExporter();
    stdout.write(`${problem ?? 'healthy'}\n`);
    return problem === undefined ? 0 : 1;
  },
);

/** The exporter must answer within this number of milliseconds. */
const timeout = 4000;

/** The name of an abstract socket, which needs no file, port or TLS. It identifies the program folder, which differs between containers. */
function socketOf(folder: string): string {
  const { dev, ino } = statSync(folder);
  return `\0hosting-account-exporter-${dev}-${ino}`;
}

/** Answers the command `healthy`. Resolves with undefined if another exporter uses the socket, or if the system has no abstract sockets. */
export async function openHealthSocket(
  isHealthy: () => boolean,
  folder = import.meta.dirname,
): Promise<Server | undefined> {
  const server = createServer((_, response) => response.writeHead(isHealthy() ? 200 : 503).end());
  const isOpen = await once(server.listen({ path: socketOf(folder) }), 'listening').catch(() => undefined);
  return isOpen && server;
}

/** Resolves with the reason why the exporter that runs from `folder` is not healthy; undefined if it is healthy. */
export function askExporter(folder = import.meta.dirname): Promise<string | undefined> {
  return new Promise((resolve) => {
    const options = { socketPath: socketOf(folder), path: '/-/healthy', agent: false, timeout };
    const call = request(options, (response) => {
      response.resume();
      resolve(response.statusCode === 200 ? undefined : `not healthy: status ${response.statusCode}`);
    });
    call.on('timeout', () => call.destroy(new Error(`no answer within ${timeout / 1000} s`)));
    call.on('error', ({ code, message }: NodeJS.ErrnoException) =>
      resolve(code === 'ECONNREFUSED' ? 'no exporter is listening' : `not healthy: ${message}`),
    );
    call.end();
  });
}
