import type { Problem } from '../values/config-error.ts';
import type { KeyPath } from '../values/key-path.ts';
import { closest } from '../values/suggestion.ts';
import type { ConfigDocument } from './document.ts';
import { isText } from './expansion.ts';
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
  HOSTING_TIME_ZONE:
    'Time zone of dates in API responses, as in `api.time_zone`, such as `Europe/Moscow`. Defaults to UTC.',
} as const;

type Variable = keyof typeof environmentVariables;

const variables = Object.keys(environmentVariables) as readonly Variable[];

function variableOf(key: PropertyKey | undefined): Variable | undefined {
  const name = key === 'name' ? 'HOSTING_ACCOUNT' : `HOSTING_${String(key).toUpperCase()}`;
  return variables.find((variable) => variable === name);
}

const secretVariables = secretKeys.flatMap((key) => variableOf(key) ?? []);

/** Reads the configuration of one account from the environment. An empty variable counts as unset. */
export function readEnvironment(environment: Environment): ConfigDocument {
  const get = (name?: Variable) => (name && environment[name]) || undefined;
  const message = 'is not UTF-8 text; set it to UTF-8 text, or put it into a file';
  const unreadable = variables.filter((name) => !isText(environment[name] ?? ''));
  const encoding = unreadable.map((source) => ({ source, message }));
  const problems = [...missing(environment, get), ...conflicts(get), ...encoding];
  const problemAt = (path: KeyPath, message: string): readonly Problem[] => {
    const source = variableOf(path.at(-1));
    return source === undefined || problems.some((one) => one.source === source) ? [] : [{ source, message }];
  };
  const login = get('HOSTING_LOGIN');
  const secrets = Object.fromEntries(secretKeys.map((key) => [key, get(variableOf(key))]));
  return {
    value: {
      api: { base_url: get('HOSTING_BASE_URL'), time_zone: get('HOSTING_TIME_ZONE') },
      accounts: [{ name: get('HOSTING_ACCOUNT') ?? login ?? 'default', login, ...secrets }],
    },
    problems,
    problemAt,
    writtenAt: () => undefined,
    fileAt: () => undefined,
  };
}

type Get = (name: Variable) => string | undefined;

function missing(environment: Environment, get: Get): readonly Problem[] {
  const names = Object.keys(environment).filter((name) => name.startsWith('HOSTING_'));
  const unknown = names.filter((name) => !Object.hasOwn(environmentVariables, name));
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
