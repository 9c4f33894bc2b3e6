/**
 * Converts between instants and wall-clock times of a time zone. A wall-clock time is stored in milliseconds as if it were UTC. In this
 * form, every day has 24 hours, and printing a time requires no zone.
 */
export interface Zone {
  toWall(instant: number): number;
  /** For an ambiguous or skipped time, uses the offset after the clock change, as the exporter does. */
  toInstant(wall: number): number;
  /** False for a time that the switch to daylight saving time skips. */
  exists(wall: number): boolean;
}

export const hour = 3_600_000;
export const day = 24 * hour;

/** Throws a RangeError for a name that is not an IANA time zone. */
export function createZone(timeZone: string): Zone {
  const offsetAt = timeZone === 'UTC' ? () => 0 : offsetReader(timeZone);

  function toWall(instant: number): number {
    return instant + offsetAt(instant);
  }

  function toInstant(wall: number): number {
    const later = wall - offsetAt(wall + day);
    const earlier = wall - offsetAt(wall - day);
    return toWall(later) !== wall && toWall(earlier) === wall ? earlier : later;
  }

  return { toWall, toInstant, exists: (wall) => toWall(toInstant(wall)) === wall };
}

function offsetReader(timeZone: string): (instant: number) => number {
  const format = new Intl.DateTimeFormat('en-US', { timeZone, timeZoneName: 'longOffset' });
  return (instant) => {
    const name = format.formatToParts(instant).find((part) => part.type === 'timeZoneName')?.value ?? '';
    const offset = /([+-])(\d+):(\d+)/.exec(name);
    if (offset === null) return 0;
    const minutes = Number(offset[2]) * 60 + Number(offset[3]);
    return (offset[1] === '-' ? -minutes : minutes) * 60_000;
  };
}

/** Prints a wall-clock time as `YYYY-MM-DD HH:MM:SS`. */
export function printDateTime(wall: number): string {
  return new Date(wall).toISOString().slice(0, 19).replace('T', ' ');
}

/** Prints the day of a wall-clock time as `YYYY-MM-DD`. */
export function printDate(wall: number): string {
  return new Date(wall).toISOString().slice(0, 10);
}
