import type { Problem } from '../values/config-error.ts';
import { formatKeyPath, type KeyPath } from '../values/key-path.ts';
import { closest } from '../values/suggestion.ts';
import type { ConfigDocument } from './document.ts';
import { secretKeys } from './raw-mapping.ts';

export type Environment = Readonly<Record<string, string | undefined>>;

export const environmentVariables = {
  HOSTING_BASE_URL: 'URL of the API, as in `api.base_url`. Required.',
  HOSTING_LOGIN: 'Login of the account. Required with a password.',
  HOSTING_PASSWORD: 'Password for the API.',
  HOSTING_PASSWORD_FILE: 'File that contains only the password. A relative path starts at the working directory.',
  HOSTING_TOKEN: 'Bearer token, as an alternative to login and password.',
  HOSTING_TOKEN_FILE: 'File that contains only the token. A relative path starts at the working directory.',
  HOSTING_ACCOUNT: 'Value of the label `account`. Defaults to the login, or to `default` with a token.',
} as const;

type Variable = keyof typeof environmentVariables;

const accountVariables = {
  name: 'HOSTING_ACCOUNT',
  login: 'HOSTING_LOGIN',
  password: 'HOSTING_PASSWORD',
  password_file: 'HOSTING_PASSWORD_FILE',
  token: 'HOSTING_TOKEN',
  token_file: 'HOSTING_TOKEN_FILE',
} as const;

const secretVariables = secretKeys.map((key) => accountVariables[key]);

const variablesByKey = new Map<string, Variable>([
  ['api.base_url', 'HOSTING_BASE_URL'],
  ...Object.entries(accountVariables).map(([key, variable]) => [`accounts[0].${key}`, variable] as const),
]);

/** Reads the configuration of one account from the environment. An empty variable counts as unset. */
export function readEnvironment(environment: Environment): ConfigDocument {
  const get = (name: Variable) => (environment[name] === '' ? undefined : environment[name]);
  const problems = [...missing(environment, get), ...conflicts(get)];
  const problemAt = (path: KeyPath, message: string): readonly Problem[] => {
    const source = variablesByKey.get(formatKeyPath(path));
    return source === undefined || problems.some((one) => one.source === source) ? [] : [{ source, message }];
  };
  const written = Object.fromEntries(Object.entries(accountVariables).map(([key, variable]) => [key, get(variable)]));
  const name = get('HOSTING_ACCOUNT') ?? get('HOSTING_LOGIN') ?? 'default';
  return {
    value: { api: { base_url: get('HOSTING_BASE_URL') }, accounts: [{ ...written, name }] },
    problems,
    problemAt,
    problemAtKey: problemAt,
    writtenAt: () => undefined,
    fileAt: () => undefined,
  };
}

type Get = (name: Variable) => string | undefined;

function missing(environment: Environment, get: Get): readonly Problem[] {
  const unknown = Object.keys(environment).filter(
    (name) => name.startsWith('HOSTING_') && !Object.hasOwn(environmentVariables, name),
  );
  const problems: Problem[] = [];
  const report = (source: Variable, advice: string) => {
    const suspect = closest(source, unknown);
    const hint = suspect === undefined ? '' : ` (is ${suspect} misspelled?)`;
    problems.push({ source, message: `is not set; ${advice}, or use --config.file${hint}` });
  };
  if (get('HOSTING_BASE_URL') === undefined) report('HOSTING_BASE_URL', 'set it to the URL of the API');
  const usesToken = get('HOSTING_TOKEN') !== undefined || get('HOSTING_TOKEN_FILE') !== undefined;
  if (!usesToken && get('HOSTING_LOGIN') === undefined) report('HOSTING_LOGIN', 'set it to the login of the account');
  if (secretVariables.every((name) => get(name) === undefined))
    report('HOSTING_PASSWORD', 'set it, or HOSTING_PASSWORD_FILE, HOSTING_TOKEN or HOSTING_TOKEN_FILE');
  return problems;
}

function conflicts(get: Get): readonly Problem[] {
  const given = secretVariables.filter((name) => get(name) !== undefined);
  if (given.length > 1) return [{ source: given.join(', '), message: 'are mutually exclusive; keep one of them' }];
  if (given[0]?.startsWith('HOSTING_TOKEN') === true && get('HOSTING_LOGIN') !== undefined) {
    return [{ source: 'HOSTING_LOGIN', message: `is not used with ${given[0]}; unset it, or use a password` }];
  }
  return [];
}
