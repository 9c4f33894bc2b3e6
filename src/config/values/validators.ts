import { Cron, CronPattern } from 'croner';
import { Temporal } from 'temporal-polyfill';
import { readOr } from './expected-error.ts';
import { closest } from './wording.ts';

// Each `validate` function returns undefined or the reason why a text is invalid. Messages show the reason after the text.
// A reason never repeats the text, because the text may contain values of environment variables.

/** An account name is used as a label value and in URLs. */
export function validateAccountName(name: string): string | undefined {
  if (name === '') return 'is empty; write a name, such as shop';
  if (name.length > 100) return 'is longer than 100 characters; shorten it';
  // Queries of the dashboards enclose the name in backticks.
  if (name.includes('`')) return 'contains a backtick; remove it';
  if (name !== name.trim()) return 'starts or ends with a space; remove it';
  return validateVisible(name);
}

export function validateLogin(login: string): string | undefined {
  return login === login.trim() ? validateVisible(login) : 'starts or ends with white space; remove it';
}

/** Validates the name of a label that the configuration adds to an account. In the metrics, the name has the prefix `label_`. */
export function validateLabelName(name: string): string | undefined {
  return /^[a-z][a-z0-9_]{0,49}$/i.test(name)
    ? undefined
    : 'is not a label name; write up to 50 letters, digits and underscores, starting with a letter';
}

export function validateLabelValue(value: string): string | undefined {
  if (value.trim() === '') return 'is empty; write a value, or remove the label';
  return value.length > 100 ? 'is longer than 100 characters; shorten it' : validateVisible(value);
}

/** Validates one entry of `exclude`: a name or a pattern. */
export function validateExclusion(text: string): string | undefined {
  if (text.trim() === '') return 'is empty; write a name, or remove the key';
  if (text !== text.trim()) return 'starts or ends with a space; remove it';
  if (/^[*.]+$/.test(text)) return 'leaves out everything; disable the collectors instead';
  return text.length > 300 ? 'is longer than 300 characters; shorten it' : validateVisible(text);
}

function validateVisible(text: string): string | undefined {
  return /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/u.test(text) ? 'contains an invisible character; remove it' : undefined;
}

export function validateBaseUrl(text: string): string | undefined {
  // Check the text, because the class URL removes white space.
  if (/\s/.test(text)) return 'contains white space; remove it';
  const url = URL.parse(text);
  if (url === null || !/^https?:$/.test(url.protocol)) {
    return 'is not a URL; write it in full, such as https://api.example.com/api';
  }
  if (url.username !== '' || url.password !== '') {
    return 'contains a login or password; use the keys login and password of the account';
  }
  if (/[?#]/.test(text)) return 'contains a query or fragment; remove everything from ? or # on';
  if (url.protocol === 'http:' && !loopback.test(url.hostname)) {
    return 'sends the password unencrypted; use https:// (http:// is allowed for localhost only)';
  }
  return method.test(url.pathname)
    ? 'ends in a method; remove its section and name, such as /user/getAccountInfo'
    : undefined;
}

/** The path of a method, such as `/user/getAccountInfo`. */
const method = /\/[a-z]+\/(?:get|is)[A-Z]\w*\/*$/;

/** Removes slashes at the end, so that methods can be appended. */
export function normalizeBaseUrl(text: string): string {
  const { origin, pathname } = new URL(text);
  return origin + pathname.replace(/\/+$/, '');
}

/** Matches loopback hosts in the spelling of the class URL, which changes `127.1` to `127.0.0.1`, and shortens IPv6 addresses. */
const loopback = /^(?:localhost|\[::1\]|127\.\d+\.\d+\.\d+)$/;

export function validateTimeZone(name: string): string | undefined {
  if (isTimeZone(name)) return undefined;
  const suggestion = closest(name, Intl.supportedValuesOf('timeZone'));
  return suggestion === undefined
    ? 'is not a time zone; write its IANA name, such as UTC or Europe/Moscow'
    : `is not a time zone; did you mean "${suggestion}"?`;
}

/** Refuses offsets such as +03:00, which ignore daylight saving time, and abbreviations such as IST, which only Intl accepts. */
function isTimeZone(name: string): boolean {
  const read = () => new Intl.DateTimeFormat('en', { timeZone: name }) && Temporal.Now.zonedDateTimeISO(name);
  return /^[A-Za-z]/.test(name) && readOr(undefined, read) !== undefined;
}

export function validateCronPattern(pattern: string): string | undefined {
  try {
    // Check the pattern first, because Cron accepts any text with a colon as a date.
    new CronPattern(pattern, 'UTC', { mode: '5-or-6-parts' });
    const next = new Cron(pattern, { mode: '5-or-6-parts', timezone: 'UTC', paused: true }).nextRun();
    return next === null ? 'is a cron pattern that never matches; correct its day or month' : undefined;
  } catch (error) {
    // Only the field's name is safe to print: the rest of croner's message repeats values of environment variables.
    const field = error instanceof Error ? /Invalid value for (\w+):/.exec(error.message)?.[1] : undefined;
    const what = field === undefined ? 'is not a cron pattern' : `is not a cron pattern: its ${field} is out of range`;
    return `${what}; write five fields (minute, hour, day, month, day of week), such as "7 * * * *"`;
  }
}

export function validateTelemetryPath(text: string): string | undefined {
  if (!/^(?:\/(?!\.\.?(?:\/|$))[\w.~-]+)+$/.test(text)) {
    return 'is not a path; start it with / and use only letters, digits, . _ ~ and -, such as /metrics';
  }
  return /^\/(?:-\/|-$|sd$|stat(?:us|e)$|accounts(?:\/|\.json$|$)|calendar\.ics$|money$|style(?:\/|$))/.test(text)
    ? 'is reserved by the exporter; choose another path, such as /metrics'
    : undefined;
}

export function validateExternalUrl(text: string): string | undefined {
  return /^(?:https?:\/\/[^/?#@\s]+)?(?:\/[\w.~-]+)*\/?$/.test(text) && URL.canParse(text, 'http://localhost')
    ? undefined
    : 'is not a URL; write it without login, query and fragment, such as https://example.com/hosting';
}

export function validateRoutePrefix(text: string): string | undefined {
  return /^(?:\/(?!\.\.?(?:\/|$))[\w.~-]+)*\/?$/.test(text)
    ? undefined
    : 'is not a path; start it with / and use only letters, digits, . _ ~ and -, such as /hosting';
}

/** Parses `:10380`, `127.0.0.1:10380` or `[::1]:10380`; undefined for any other text. An address without a host means all interfaces. */
export function parseListenAddress(text: string) {
  const [, ipv6, name, digits] = /^(?:\[([0-9A-Fa-f:.]+)\]|([A-Za-z0-9._-]*)):(\d{1,5})$/.exec(text) ?? [];
  const port = Number(digits);
  if (digits === undefined || port > 65_535) return undefined;
  return { host: ipv6 ?? (name === '' ? undefined : name), port };
}

export function validateListenAddress(text: string): string | undefined {
  return parseListenAddress(text) === undefined
    ? 'is not a listen address; write [host]:port, such as :10380 or 127.0.0.1:10380'
    : undefined;
}

export function validateHostName(text: string): string | undefined {
  return /^[\p{L}\p{N}._-]+$/u.test(text) && URL.canParse(`http://${text}`)
    ? undefined
    : 'is not a host name; write it without scheme and port, such as exporter.example.com';
}
