import type { Problem } from './config-error.ts';
import type { ConfigDocument } from './document.ts';
import { formatKeyPath, type KeyPath } from './key-path.ts';
import { closest } from './suggestion.ts';

export type Environment = Readonly<Record<string, string | undefined>>;

/** The variables that describe one account if there is no configuration file, and their descriptions. */
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

const secretVariables = ['HOSTING_PASSWORD', 'HOSTING_PASSWORD_FILE', 'HOSTING_TOKEN', 'HOSTING_TOKEN_FILE'] as const;

const variableOfKey: Readonly<Record<string, Variable>> = {
  'api.base_url': 'HOSTING_BASE_URL',
  'accounts[0].name': 'HOSTING_ACCOUNT',
  'accounts[0].login': 'HOSTING_LOGIN',
  'accounts[0].password': 'HOSTING_PASSWORD',
  'accounts[0].password_file': 'HOSTING_PASSWORD_FILE',
  'accounts[0].token': 'HOSTING_TOKEN',
  'accounts[0].token_file': 'HOSTING_TOKEN_FILE',
};

/** Reads the configuration of one account from the environment. An empty variable counts as unset. */
export function readEnvironment(environment: Environment): ConfigDocument {
  const get = (name: Variable) => (environment[name] === '' ? undefined : environment[name]);
  const login = get('HOSTING_LOGIN');
  const problems = [...missing(environment, get), ...conflicts(get)];
  const problemAt = (path: KeyPath, message: string): readonly Problem[] => {
    const source = variableOfKey[formatKeyPath(path)];
    return source === undefined || problems.some((one) => one.source === source) ? [] : [{ source, message }];
  };
  return {
    value: {
      api: { base_url: get('HOSTING_BASE_URL') },
      accounts: [
        {
          name: get('HOSTING_ACCOUNT') ?? login ?? 'default',
          login,
          password: get('HOSTING_PASSWORD'),
          password_file: get('HOSTING_PASSWORD_FILE'),
          token: get('HOSTING_TOKEN'),
          token_file: get('HOSTING_TOKEN_FILE'),
        },
      ],
    },
    problems,
    problemAt,
    problemAtKey: problemAt,
    writtenAt: () => undefined,
    writtenOnOneLineAt: () => undefined,
    fileAt: () => undefined,
  };
}

type Get = (name: Variable) => string | undefined;

function missing(environment: Environment, get: Get): readonly Problem[] {
  const unset = (source: Variable, advice: string) => ({ source, message: `is not set; ${advice}` });
  const alternative = 'or use --config.file';
  const problems: Problem[] = [];
  if (get('HOSTING_BASE_URL') === undefined) {
    problems.push(unset('HOSTING_BASE_URL', `set it to the URL of the API, ${alternative}`));
  }
  const usesToken = get('HOSTING_TOKEN') !== undefined || get('HOSTING_TOKEN_FILE') !== undefined;
  if (!usesToken && get('HOSTING_LOGIN') === undefined) {
    problems.push(unset('HOSTING_LOGIN', `set it to the login of the account, ${alternative}`));
  }
  if (secretVariables.every((name) => get(name) === undefined)) {
    const others = 'HOSTING_PASSWORD_FILE, HOSTING_TOKEN or HOSTING_TOKEN_FILE';
    problems.push(unset('HOSTING_PASSWORD', `set it, or ${others}, ${alternative}`));
  }
  const misspelled = Object.keys(environment).filter((name) => /^HOSTING_/.test(name) && !isVariable(name));
  return problems.map((problem) => {
    const suspect = closest(problem.source, misspelled);
    return suspect === undefined ? problem : { ...problem, message: `${problem.message} (is ${suspect} misspelled?)` };
  });
}

function conflicts(get: Get): readonly Problem[] {
  const given = secretVariables.filter((name) => get(name) !== undefined);
  if (given.length > 1) return [{ source: given.join(', '), message: 'are mutually exclusive; keep one of them' }];
  if (given[0]?.startsWith('HOSTING_TOKEN') === true && get('HOSTING_LOGIN') !== undefined) {
    return [{ source: 'HOSTING_LOGIN', message: `is not used with ${given[0]}; unset it, or use a password` }];
  }
  return [];
}

function isVariable(name: string): name is Variable {
  return Object.hasOwn(environmentVariables, name);
}
