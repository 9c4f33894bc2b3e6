import { renameSync, truncateSync, unlinkSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { WatchedWebConfig } from '../../../src/web/config/watched-web-config.ts';
import { readPem } from '../../fixtures/secured-app.ts';
import { writtenFile } from '../../fixtures/written-file.ts';

const tls = 'tls_server_config: {cert_file: server.crt, key_file: server.key}\n';
const hash = '$2b$10$7FSFa/vT.STeMUvCicrEv.B31mIlC4S6ez9pW27NONGstmInofpkC';
const usersAre = (...names: readonly string[]) =>
  `basic_auth_users: {${names.map((name) => `${name}: ${hash}`).join(', ')}}\n`;

afterEach(() => void vi.useRealTimers());

/** A configuration that follows a file with this text, and what it reported. */
function watched(text: string) {
  const path = writtenFile(text);
  const reports: string[] = [];
  const config = new WatchedWebConfig(path);
  config.onChange = ({ problems }) => reports.push(problems?.replaceAll(path, '') ?? 'reloaded');
  /** Replaces a file next to the configuration. A rename changes its version even within the same millisecond. */
  const replace = (name: string, content: string) => {
    const file = join(dirname(path), name);
    writeFileSync(`${file}.new`, content);
    renameSync(`${file}.new`, file);
  };
  return {
    config,
    replace,
    write: (changed: string) => replace(basename(path), changed),
    removeCertificate: () => unlinkSync(join(dirname(path), 'server.crt')),
    remove: () => unlinkSync(path),
    empty: () => truncateSync(path),
    /** The names of those who have access; undefined while all requests are refused. */
    users: () => config.current.access && [...config.current.access.users.keys()],
    /** The reports since the last call. */
    newReports: () => reports.splice(0),
  };
}

/** Lets so much time pass that the versions of all files are known. */
function passAnHour(): void {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 3_600_000 });
}

describe.each([
  ['a moment ago', () => {}],
  ['an hour ago', passAnHour],
])('a web configuration whose files changed %s', (_, wait) => {
  it('reports nothing as long as nothing changes', () => {
    const { config, users, newReports } = watched(tls + usersAre('dave'));
    wait();

    const first = config.current.tls;

    expect([users(), users()]).toEqual([['dave'], ['dave']]);
    expect(config.current.tls).toBe(first);
    expect(newReports()).toEqual([]);
  });

  it('applies each change once, and leaves TLS alone if only users change', () => {
    const { config, write, users, newReports } = watched(tls + usersAre('dave'));
    const before = config.current.tls;
    wait();
    users();

    write(tls + usersAre('dave', 'erin'));

    expect([users(), users()]).toEqual([
      ['dave', 'erin'],
      ['dave', 'erin'],
    ]);
    expect(config.current.tls).toBe(before);
    expect(newReports()).toEqual(['reloaded']);
  });

  it('applies changed headers and a changed rate limit', () => {
    const { config, write, newReports } = watched(usersAre('dave'));
    wait();
    const before = config.current.access?.rateLimit;

    write(`${usersAre('dave')}http_server_config: {headers: {X-Frame-Options: deny}}\n`);
    const headers = config.current.access?.headers;
    write(`${usersAre('dave')}rate_limit: {interval: 1s, burst: 5}\n`);

    expect([before, headers]).toEqual([undefined, { 'X-Frame-Options': 'deny' }]);
    expect(config.current.access).toMatchObject({ headers: {}, rateLimit: { interval: 1000, burst: 5 } });
    expect(newReports()).toEqual(['reloaded', 'reloaded']);
  });

  it('applies a renewed certificate, also if it is asked for TLS only', () => {
    const { config, replace, users, newReports } = watched(tls);
    wait();
    users();

    replace('server.crt', readPem('renewed.crt'));
    const between = config.current.tls;
    const reportsBetween = newReports();
    replace('server.key', readPem('renewed.key'));

    expect(between?.options.cert).toBe(readPem('server.crt'));
    expect(reportsBetween).toEqual([
      ':1:54: tls_server_config.key_file: does not belong to the certificate; ' +
        'name the key with which the certificate was requested',
    ]);
    expect(config.current.tls).toMatchObject({
      options: { cert: readPem('renewed.crt'), key: readPem('renewed.key') },
    });
    expect(newReports()).toEqual(['reloaded']);
  });

  it('follows the files that a changed configuration names', () => {
    const { config, replace, write, newReports } = watched(tls);
    wait();
    write(tls.replaceAll('server.', 'other.'));
    config.current.tls;
    replace('other.crt', readPem('renewed.crt'));
    replace('other.key', readPem('renewed.key'));

    expect(config.current.tls?.options.cert).toBe(readPem('renewed.crt'));
    expect(newReports()).toEqual([expect.stringContaining('does not exist'), 'reloaded']);
  });

  it('refuses everyone while the file is invalid, reports each problem once, and recovers', () => {
    const { config, write, remove, users, newReports } = watched(tls + usersAre('dave'));
    const before = config.current.tls;
    wait();

    write('basic_auth_users: {dave: }');
    expect([users(), users()]).toEqual([undefined, undefined]);
    expect(newReports()).toEqual([expect.stringContaining('is not a bcrypt hash')]);

    remove();
    expect([users(), users()]).toEqual([undefined, undefined]);
    expect(config.current.tls).toBe(before);
    expect(newReports()).toEqual([': does not exist; create it, or correct the path']);

    write(tls + usersAre('dave'));
    expect([users(), users()]).toEqual([['dave'], ['dave']]);
    expect(config.current.tls).toBe(before);
    expect(newReports()).toEqual(['reloaded']);
  });

  it('applies changed users although a certificate is missing', () => {
    const { config, removeCertificate, write, users, newReports } = watched(tls + usersAre('dave'));
    wait();

    removeCertificate();
    write(tls + usersAre('erin'));

    expect(users()).toEqual(['erin']);
    expect(config.current.tls?.options.cert).toBe(readPem('server.crt'));
    expect(newReports()).toEqual([
      ":1:32: tls_server_config.cert_file: the file does not exist; create it, or correct the path, which is relative to this file's directory",
    ]);
  });

  it('keeps the certificate of before while the rest of the file is invalid', () => {
    const { config, write, newReports } = watched(tls);
    wait();

    write('tls_server_config: {cert_file: renewed.crt, key_file: renewed.key}\nunknown: 1\n');

    expect(config.current.tls?.options.cert).toBe(readPem('server.crt'));
    expect(newReports()).toEqual([expect.stringMatching(/^:2:1: has an unknown key; known keys: /)]);
  });

  it('takes an empty file for one that is being rewritten', () => {
    const { users, empty, write, newReports } = watched(usersAre('dave'));
    wait();

    empty();
    expect(users()).toBeUndefined();
    expect(newReports()).toEqual([':1:1: is empty; write the settings again, or restart the exporter without them']);
    write('# nothing\n');
    expect(users()).toBeUndefined();
  });

  it('keeps the newest valid users if the file becomes invalid and then has no users', () => {
    const { users, write, newReports } = watched(usersAre('dave'));
    wait();

    write('basic_auth_users: {erin: }');
    const whileInvalid = users();
    write('rate_limit: {}\n');

    expect([whileInvalid, users()]).toEqual([undefined, ['dave']]);
    expect(newReports()).toEqual([
      expect.stringContaining('is not a bcrypt hash'),
      ': basic_auth_users: is missing, although this setting limited access; write it again, or write "basic_auth_users: {}" if no login is needed',
    ]);
  });

  it('may stay empty, and may receive its first users', () => {
    const { users, write, newReports } = watched('');
    wait();

    write('# nothing yet\n');
    expect(users()).toEqual([]);
    expect(newReports()).toEqual([]);

    write(usersAre('dave'));
    expect(users()).toEqual(['dave']);
    expect(newReports()).toEqual(['reloaded']);
  });

  it('cannot switch TLS off, but changes users', () => {
    const { config, write, users, newReports } = watched(tls);
    wait();

    write(usersAre('dave'));

    expect(users()).toEqual(['dave']);
    expect(config.current.tls?.options.cert).toBe(readPem('server.crt'));
    expect(newReports()).toEqual([': tls_server_config: switches TLS off, which needs a restart']);
  });

  it('cannot switch TLS on', () => {
    const { config, write, users, newReports } = watched(usersAre('dave'));
    wait();

    write(tls + usersAre('erin'));

    expect(users()).toEqual(['erin']);
    expect(config.current.tls).toBeUndefined();
    expect(newReports()).toEqual([': tls_server_config: switches TLS on, which needs a restart']);
  });
});

const clientCertificates =
  '  client_auth_type: RequireAndVerifyClientCert\n  client_ca_file: authority.crt\n  client_allowed_sans: [a.example, b.example]\n';
const section = `tls_server_config:\n  cert_file: server.crt\n  key_file: server.key\n${clientCertificates}`;
const rest = 'http_server_config: {http2: false}\nrate_limit: {interval: 1s, burst: 9}\n';
const byUser = `basic_auth_users:\n  dave: ${hash}\n  erin: ${hash}\n`;

it.each([
  ['users last', `${section}${rest}${byUser}`],
  ['users first', `${byUser}${section}${rest}`],
  [
    'certificates last',
    `${byUser}${rest}tls_server_config:\n${clientCertificates}  cert_file: server.crt\n  key_file: server.key\n`,
  ],
])('a configuration that is cut off at any word gives access to no more clients, with %s', (_, text) => {
  const { config, write, users } = watched(text);
  const complete = config.current.tls;
  const opened: string[] = [];

  for (const { index } of text.matchAll(/\b(?![./$])/g)) {
    write(text.slice(0, index));
    const tls = config.current.tls;
    const isOpen = [
      users()?.length === 0,
      tls?.clientAuth !== 'RequireAndVerifyClientCert',
      tls?.options.ca !== complete?.options.ca,
      tls?.clientAllowedSans === undefined,
    ].includes(true);
    if (isOpen) opened.push(text.slice(0, index));
    write(text);
    users();
  }

  expect(opened).toEqual([]);
  expect(users()).toEqual(['dave', 'erin']);
});
