import type { AccountConfig, Config } from '../values/config.ts';
import { formatPlace, formatProblem } from '../values/config-error.ts';
import type { KeyPath } from '../values/key-path.ts';
import type { ConfigDocument } from './document.ts';
import { type Environment, environmentVariables } from './environment.ts';
import { referencedVariable } from './expansion.ts';
import { accountsOf, isMapping } from './raw-mapping.ts';
import type { ReferencedFile } from './referenced-file.ts';

/** Risky or ignored settings of a valid configuration: one line each, without secrets. */
export function configWarnings(config: Config, document: ConfigDocument, files: readonly ReferencedFile[]) {
  return [
    ...worldReadableFiles(document),
    ...files.flatMap((file) => secretFileWarnings(file, document)),
    ...paddedSecrets(document),
    ...sharedLogins(config.accounts, document),
    ...accountsWithoutCollectors(config.accounts, document),
  ];
}

/** Warns of HOSTING_* variables that are ignored because a configuration file is given. Omits variables that the file uses. */
export function ignoredVariables(path: string, environment: Environment, used: ReadonlySet<string>): readonly string[] {
  const ignored = Object.keys(environmentVariables).filter((name) => environment[name] && !used.has(name));
  if (ignored.length === 0) return [];
  return [`${ignored.join(', ')}: ignored because of --config.file=${path}; unset them, or use them in the file`];
}

function worldReadableFiles(document: ConfigDocument): readonly string[] {
  const paths = accountsOf(document.value).flatMap((_, index) => {
    const file = document.fileAt(['accounts', index]);
    return file?.worldReadable === true && containsSecret(document, index) ? [file.path] : [];
  });
  return [...new Set(paths)].map(
    (path) => `${path}: is world-readable and contains a password or token; run chmod o-r on it, or use password_file`,
  );
}

/** Whether the file itself contains the account's password or token. */
function containsSecret(document: ConfigDocument, index: number): boolean {
  return ['password', 'token'].some((key) => {
    const written = document.writtenAt(['accounts', index, key])?.text;
    return written !== undefined && referencedVariable(written) === undefined;
  });
}

function secretFileWarnings({ path, file, isSecret, content }: ReferencedFile, document: ConfigDocument) {
  if (!isSecret || 'failure' in content) return [];
  return [
    ...(content.worldReadable ? [`the file ${file} is world-readable; run chmod o-r on it`] : []),
    ...(isPadded(content.text) ? [`the file ${file} ${paddingMessage}`] : []),
  ].flatMap((message) => document.problemAt(path, message).map(formatProblem));
}

const paddingMessage =
  'starts or ends with white space, which is sent as part of the password; remove it unless it belongs to the password';

/** Warns of passwords with leading or trailing white space. Tokens with white space are errors. */
function paddedSecrets(document: ConfigDocument): readonly string[] {
  return accountsOf(document.value).flatMap((account, index) => {
    const password = isMapping(account) ? account.password : undefined;
    if (typeof password !== 'string' || !isPadded(password)) return [];
    const path = ['accounts', index, 'password'];
    const variable = referencedVariable(document.writtenAt(path)?.text ?? '');
    const origin = variable === undefined ? '' : `the environment variable ${variable} `;
    return document.problemAt(path, `${origin}${paddingMessage}`).map(formatProblem);
  });
}

function isPadded(secret: string): boolean {
  return secret !== secret.trim();
}

/** Warns of each account with the same API and login as an earlier account. The provider counts the calls of both accounts together. */
function sharedLogins(accounts: readonly AccountConfig[], document: ConfigDocument): readonly string[] {
  const logins = accounts.map(({ credentials, api }) =>
    credentials.kind === 'password' ? JSON.stringify([api.baseUrl, credentials.login]) : undefined,
  );
  return findRepeated(logins).flatMap(({ index, first }) => {
    const message = `is also the login of accounts[${first}] on the same API, at ${placeOf(['accounts', first, 'login'], document)}; both accounts share the provider's limit of calls and the lower requests_per_minute; remove one of them`;
    return document.problemAt(['accounts', index, 'login'], message).map(formatProblem);
  });
}

/** For each text that repeats an earlier one: its index, and the index of the first equal text. Skips values that are not texts. */
export function findRepeated(values: readonly unknown[]) {
  const firsts = new Map<unknown, number>();
  return values.flatMap((value, index) => {
    const first = firsts.get(value) ?? index;
    firsts.set(value, first);
    return typeof value === 'string' && first < index ? [{ index, first }] : [];
  });
}

function accountsWithoutCollectors(accounts: readonly AccountConfig[], document: ConfigDocument): readonly string[] {
  return accounts.flatMap(({ collectors }, index) => {
    if (Object.values(collectors).some(({ enabled }) => enabled)) return [];
    const account = accountsOf(document.value)[index];
    const places = [
      ...(isMapping(document.value) && isMapping(document.value.collectors) ? [['collectors']] : []),
      ...(isMapping(account) && isMapping(account.collectors) ? [['accounts', index, 'collectors']] : []),
    ].map((path) => placeOf(path, document));
    const message = `is never polled, because all its collectors are disabled at ${places.join(' and ')}; enable one, or remove the account`;
    return document.problemAt(['accounts', index], message).map(formatProblem);
  });
}

function placeOf(path: KeyPath, document: ConfigDocument): string {
  return document.problemAt(path, '').map(formatPlace).join();
}
