import type { KeyPath, Problem } from '../values/config-error.ts';
import { closest } from '../values/wording.ts';
import type { ConfigDocument } from './document.ts';

/** The keys for the secret of an account. An account has exactly one of these keys. */
export const secretKeys = ['password', 'password_file', 'token', 'token_file'] as const;

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

const variables: readonly string[] = Object.keys(environmentVariables);

function variableOf(key: PropertyKey | undefined): string | undefined {
  const name = key === 'name' ? 'HOSTING_ACCOUNT' : `HOSTING_${String(key).toUpperCase()}`;
  return variables.find((variable) => variable === name);
}

const secretVariables = secretKeys.flatMap((key) => variableOf(key) ?? []);

/** Reads the configuration of one account from the environment. An empty variable counts as unset. */
export function readEnvironment(environment: Environment): ConfigDocument {
  const get = (name?: string) => (name && environment[name]) || undefined;
  const problems: Problem[] = [];
  const problemAt = (path: KeyPath, message: string): readonly Problem[] => {
    const source = variableOf(path.at(-1));
    return source === undefined || problems.some((one) => one.source === source) ? [] : [{ source, message }];
  };
  const unknown = Object.keys(environment).filter((name) => name.startsWith('HOSTING_') && !variables.includes(name));
  const reportUnset = (source: string, advice: string) => {
    const suspect = closest(source, unknown);
    const hint = suspect === undefined ? '' : ` (is ${suspect} misspelled?)`;
    problems.push({ source, message: `is not set; ${advice}, or use --config.file${hint}` });
  };
  const login = get('HOSTING_LOGIN');
  const given = secretVariables.filter((name) => get(name) !== undefined);
  const token = given.find((name) => name.startsWith('HOSTING_TOKEN'));
  if (get('HOSTING_BASE_URL') === undefined) reportUnset('HOSTING_BASE_URL', 'set it to the URL of the API');
  if (token === undefined && login === undefined) reportUnset('HOSTING_LOGIN', 'set it to the login of the account');
  if (given.length === 0)
    reportUnset('HOSTING_PASSWORD', 'set it, or HOSTING_PASSWORD_FILE, HOSTING_TOKEN or HOSTING_TOKEN_FILE');
  if (given.length > 1)
    problems.push({ source: given.join(', '), message: 'are mutually exclusive; keep one of them' });
  else if (token !== undefined && login !== undefined)
    problems.push({ source: 'HOSTING_LOGIN', message: `is not used with ${token}; unset it, or use a password` });
  const secrets = Object.fromEntries(secretKeys.map((key) => [key, get(variableOf(key))]));
  const value = {
    api: { base_url: get('HOSTING_BASE_URL'), time_zone: get('HOSTING_TIME_ZONE') },
    accounts: [{ name: get('HOSTING_ACCOUNT') ?? login ?? 'default', login, ...secrets }],
  };
  const nothing = () => undefined;
  return { path: undefined, worldReadable: false, value, problems, problemAt, writtenAt: nothing, cutAt: nothing };
}

/** Warns of HOSTING_* variables that are ignored because a configuration file is given. Omits variables that the file uses. */
export function ignoredVariables(path: string, environment: Environment, used: ReadonlySet<string>): readonly string[] {
  const ignored = variables.filter((name) => environment[name] && !used.has(name));
  if (ignored.length === 0) return [];
  return [`${ignored.join(', ')}: ignored because of --config.file=${path}; unset them, or use them in the file`];
}

const reference = /\$\$\{|\$\{([^}]*)(\}?)/g;
const variableName = /^[A-Za-z_][A-Za-z0-9_]*$/;

/**
 * Replaces each `${NAME}` by the unchanged value of the environment variable; `$${` stands for `${`. Adds the names to `used`. `problems`:
 * invalid references and unset variables. Their messages contain names of variables, but no other part of `text`.
 */
export function expand(text: string, environment: Environment, used: Set<string>) {
  const problems: string[] = [];
  const expanded = text.replace(reference, (match, name: string | undefined, end: string | undefined) => {
    if (match === '$${') return '${';
    if (end !== '}' || name === undefined || !variableName.test(name)) {
      problems.push(
        `contains \${ without a variable name and a closing }; write \${NAME} for a variable, or $\${ for the characters \${`,
      );
      return '';
    }
    used.add(name);
    const value = environment[name];
    if (value === undefined) problems.push(`uses the environment variable ${name}, which is not set; set it`);
    return value ?? '';
  });
  return { text: expanded, problems };
}

/** Returns the name of the variable if the text is only a reference such as `${NAME}`; otherwise undefined. A reference is no secret. */
export function referencedVariable(text: string): string | undefined {
  const name = text.slice(2, -1);
  return text === `\${${name}}` && variableName.test(name) ? name : undefined;
}
