import type { AccountConfig, Config } from '../values/config.ts';
import { formatPlace, formatProblem, type KeyPath } from '../values/config-error.ts';
import type { TextFile } from '../values/text-file.ts';
import { type ConfigDocument, isMapping, type RawMapping } from './document.ts';
import { referencedVariable } from './environment.ts';
import { defaults } from './schema.ts';

/** An account before validation. `path`: the account's place in the document; empty if the document is the file of this account. */
export interface WrittenAccount {
  readonly document: ConfigDocument;
  readonly path: KeyPath;
  readonly value: RawMapping;
}

/** Returns one line for each risky setting of a valid configuration, without secrets. `accounts` have the same order as in `config`. */
export function configWarnings(config: Config, main: ConfigDocument, accounts: readonly WrittenAccount[]) {
  const logins = config.accounts.map(({ api, credentials }) =>
    credentials.kind === 'password' ? JSON.stringify([api.baseUrl, credentials.login]) : undefined,
  );
  const sharedLogins = findRepeated(accounts, (_, index) => logins[index]).flatMap(({ account, first }) => {
    const place = placeOf(first.document, [...first.path, 'login']);
    const message = `is also the login of accounts[${accounts.indexOf(first)}] on the same API, at ${place}; both accounts share the provider's limit of calls and the lower requests_per_minute; remove one of them`;
    return warningAt(account.document, [...account.path, 'login'], message);
  });
  return [
    ...accounts.flatMap((account, index) => accountWarnings(account, main, config.accounts[index])),
    ...sharedLogins,
  ];
}

/** Finds the accounts for which `textOf` returns the same text as for an earlier account. Skips values that are not text. */
export function findRepeated(
  accounts: readonly WrittenAccount[],
  textOf: (account: WrittenAccount, index: number) => unknown,
) {
  const firsts = new Map<unknown, WrittenAccount>();
  return accounts.flatMap((account, index) => {
    const text = textOf(account, index);
    const first = firsts.get(text) ?? account;
    firsts.set(text, first);
    return typeof text === 'string' && first !== account ? [{ account, first }] : [];
  });
}

/** Warns of a world-readable secret file, and of white space around a secret. */
export function secretFileWarnings(document: ConfigDocument, path: KeyPath, file: string, secret: TextFile) {
  return [
    ...(secret.worldReadable ? [`the file ${file} is world-readable; run chmod o-r on it`] : []),
    ...(isPadded(secret.text) ? [`the file ${file} ${padding}`] : []),
  ].flatMap((message) => warningAt(document, path, message));
}

function accountWarnings({ document, path, value }: WrittenAccount, main: ConfigDocument, account?: AccountConfig) {
  const warnings: string[] = [];
  const { password, api: ownApi, collectors: ownCollectors } = value;
  const written = (key: string) => document.writtenAt([...path, key]);
  // A text that only refers to an environment variable is no secret.
  const isSecret = (text: string | undefined) => text !== undefined && referencedVariable(text) === undefined;
  if (document.worldReadable && ['password', 'token'].some((key) => isSecret(written(key)))) {
    const advice = 'run chmod o-r on it, or use password_file';
    warnings.push(`${document.path}: is world-readable and contains a password or token; ${advice}`);
  }
  if (typeof password === 'string' && isPadded(password)) {
    const variable = referencedVariable(written('password') ?? '');
    const origin = variable === undefined ? '' : `the environment variable ${variable} `;
    warnings.push(...warningAt(document, [...path, 'password'], `${origin}${padding}`));
  }
  for (const key of ['password', 'token'].filter((one) => isSecret(written(one)))) {
    const cut = document.cutAt([...path, key]);
    const message = `${cut}, so that this part of the line is not part of the ${key}; put the whole ${key} in single quotes`;
    if (cut !== undefined) warnings.push(...warningAt(document, [...path, key], message));
  }
  if (Object.values(account?.collectors ?? {}).every(({ enabled }) => !enabled)) {
    const common = isMapping(main.value) && isMapping(main.value['collectors']) ? [placeOf(main, ['collectors'])] : [];
    const own = isMapping(ownCollectors) ? [placeOf(document, [...path, 'collectors'])] : [];
    const places = [...common, ...own].join(' and ');
    const message = `is never polled, because all its collectors are disabled at ${places}; enable one, or remove the account`;
    warnings.push(...warningAt(document, path, message));
  }
  if ((account?.api.maxItems ?? 0) > defaults.max_items) {
    const isOwn = isMapping(ownApi) && ownApi['max_items'] !== undefined;
    const place = [...(isOwn ? path : []), 'api', 'max_items'];
    const message = `is above ${defaults.max_items}; reading so long a list delays pages and scrapes, so keep the default unless a list is longer`;
    warnings.push(...warningAt(isOwn ? document : main, place, message));
  }
  return warnings;
}

const padding =
  'starts or ends with white space, which is sent as part of the password; remove it unless it belongs to the password';

function isPadded(secret: string): boolean {
  return secret !== secret.trim();
}

function warningAt(document: ConfigDocument, path: KeyPath, message: string): readonly string[] {
  return document.problemAt(path, message).map(formatProblem);
}

function placeOf(document: ConfigDocument, path: KeyPath): string {
  return document.problemAt(path, '').map(formatPlace).join();
}
