import { closest } from './suggestion.ts';

/** What is wrong with the name of a time zone; undefined where nothing is. The name itself is not repeated. */
export function timeZoneComplaint(name: string): string | undefined {
  if (isTimeZone(name)) return undefined;
  const suggestion = closest(name, Intl.supportedValuesOf('timeZone'));
  return suggestion === undefined
    ? 'is not a time zone; write its IANA name, such as UTC or Europe/Moscow'
    : `is not a time zone; did you mean "${suggestion}"?`;
}

/** Offsets such as +03:00, which Intl takes too, are none: they say nothing of daylight saving time. */
function isTimeZone(name: string): boolean {
  if (!/^[A-Za-z]/.test(name)) return false;
  try {
    new Intl.DateTimeFormat('en', { timeZone: name });
    return true;
  } catch {
    return false;
  }
}
