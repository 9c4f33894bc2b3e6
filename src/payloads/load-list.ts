import * as z from 'zod';
import { payloadSchema } from './scalars.ts';

/** The payload of stat/getSitesListLoad: the mean load of each site over the last month. */
export const siteLoadList = payloadSchema(({ list, name, id, count }) =>
  list(
    z
      .object({ id, name, cp: count.nullish(), load: count.nullish() })
      .transform(({ id, name, cp, load }) => ({ id, name, load: cp ?? load })),
    (site) => site.id,
  ),
);

/** The payload of stat/getDbListLoad: the mean load of each database over the last month. */
export const databaseLoadList = payloadSchema(({ list, name, count }) =>
  list(
    z
      .object({ name, cp: count.nullish(), load: count.nullish() })
      .transform(({ name, cp, load }) => ({ name, load: cp ?? load })),
    (database) => database.name,
  ),
);

/** Sorts sites or databases by load, highest first, so that a series limit drops the sites or databases with the lowest load. */
export function sortByLoad<T extends { readonly load?: number | null | undefined }>(list: readonly T[]): readonly T[] {
  return [...list].sort((a, b) => (b.load ?? 0) - (a.load ?? 0));
}
