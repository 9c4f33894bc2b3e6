import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import fastify, { type FastifyReply, type FastifyRequest } from 'fastify';
import * as z from 'zod';
import { day, type RecordedCall, recordedCall, shiftDate, shiftHttpDate } from './recording.ts';
import { readArguments, readRequest } from './request.ts';
import { maxBody } from './unreadable-requests.ts';

/** A server that gives the answers of a recording. */
export interface Replay {
  /** Base URL of the API: `http://127.0.0.1:PORT/api`. */
  readonly baseUrl: string;
  /** Number of days by which all dates are moved. This shift moves the newest answer to today. */
  readonly shift: number;
  /** The names of the accounts. */
  readonly accounts: readonly string[];
  close(): Promise<void>;
}

/**
 * Serves a recording of `check --record`. The name of an account's folder is its login and its token. Any password is accepted. Equal calls
 * get the recorded answers one after the other, then always the last answer. Rejects if the folder has no recording or the port is in use.
 */
export async function startReplay({ folder, port }: { folder: string; port: number }): Promise<Replay> {
  const accounts = new Map(
    readdirSync(folder, { withFileTypes: true })
      .filter((entry) => entry.isDirectory())
      .map(({ name }) => [name, callsIn(join(folder, name))]),
  );
  const dates = [...accounts.values()].flat().flatMap(({ headers }) => headers?.date ?? []);
  if (accounts.size === 0)
    throw new Error(`${folder}: is not a recording, because it contains no folder of an account`);
  const newest = dates.length === 0 ? Date.now() : Math.max(...dates.map((date) => Date.parse(date)));
  const shift = Math.round((Date.now() - newest) / day);
  const server = fastify({ forceCloseConnections: true, exposeHeadRoutes: false, bodyLimit: maxBody });
  server.removeAllContentTypeParsers();
  server.addContentTypeParser('*', { parseAs: 'string' }, (_request, body, done) => done(null, body));
  server.all('/api/*', async (request: FastifyRequest<{ Params: { '*': string } }>, reply) => {
    const call = await readRequest('specification', request);
    const ofAccount = accounts.get(call.token ?? call.login ?? '');
    if (ofAccount === undefined)
      return refuse(reply, `log in as ${[...accounts.keys()].join(' or ')}, with any password`);
    const given = readArguments('specification', call);
    const [answer, ...later] = ofAccount.filter(
      ({ method, parameters }) =>
        method === call.method && Object.entries(parameters).every(([name, value]) => given[name] === value),
    );
    if (answer === undefined) return refuse(reply, `the recording has no answer to this call of ${call.method}`);
    if (later.length > 0) ofAccount.splice(ofAccount.indexOf(answer), 1);
    return send(reply, answer, shift);
  });
  const baseUrl = `${await server.listen({ host: '127.0.0.1', port })}/api`;
  return { baseUrl, shift, accounts: [...accounts.keys()], close: () => server.close() };
}

/** Answers with HTTP 404 and plain text, because the recording does not contain the API's answer to this call. */
function refuse(reply: FastifyReply, problem: string): FastifyReply {
  return reply.code(404).type('text/plain').send(`${problem}\n`);
}

function send(reply: FastifyReply, call: RecordedCall, shift: number): FastifyReply {
  const { status = 200, headers: { date, ...headers } = {}, body, omitted, failure } = call;
  if (failure !== undefined) {
    // The recorded body was too large or could not be decompressed. For an empty body, the exporter reports the same reason.
    if (failure.reason === 'payload') return reply.send('');
    reply.hijack();
    // Leave a call without an answer if the recorded call timed out.
    if (failure.reason !== 'timeout') reply.raw.destroy();
    return reply;
  }
  reply.code(status).headers({ 'content-type': 'text/plain', ...headers });
  if (date !== undefined) reply.header('date', shiftHttpDate(date, shift));
  if (omitted !== undefined) return reply.send(paddingFor(omitted));
  return reply.send(
    JSON.stringify(body, (_key, value) => (typeof value === 'string' ? shiftDate(value, shift) : value)),
  );
}

/** A body of the same kind and length as the omitted body. */
function paddingFor({ kind, bytes }: NonNullable<RecordedCall['omitted']>): Buffer {
  const start = { html: '<html>', json: '{', text: 'x', binary: '\xff', secret: 'x' }[kind];
  return Buffer.from(start.padEnd(bytes).slice(0, bytes), 'latin1');
}

function callsIn(folder: string): RecordedCall[] {
  return readdirSync(folder)
    .sort()
    .map((name) => {
      const path = join(folder, name);
      try {
        return recordedCall.parse(JSON.parse(readFileSync(path, 'utf8')));
      } catch (error) {
        const problem = error instanceof z.ZodError ? z.prettifyError(error) : String(error);
        throw new Error(`${path}: is not a recorded call: ${problem}`, { cause: error });
      }
    });
}
