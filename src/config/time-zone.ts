import { closest } from './suggestion.ts';

/** Why a text is not a time zone name; undefined if it is. Does not repeat the text. */
export function validateTimeZone(name: string): string | undefined {
  if (isTimeZone(name)) return undefined;
  const suggestion = closest(name, Intl.supportedValuesOf('timeZone'));
  return suggestion === undefined
    ? 'is not a time zone; write its IANA name, such as UTC or Europe/Moscow'
    : `is not a time zone; did you mean "${suggestion}"?`;
}

/** Refuses offsets such as +03:00, which Intl accepts: they ignore daylight saving time. */
function isTimeZone(name: string): boolean {
  if (!/^[A-Za-z]/.test(name)) return false;
  try {
    new Intl.DateTimeFormat('en', { timeZone: name });
    return true;
  } catch {
    return false;
  }
}
