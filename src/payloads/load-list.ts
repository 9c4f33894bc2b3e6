import * as z from 'zod';
import { payloadSchema } from './scalars.ts';

/** The answer of stat/getSitesListLoad: each site's mean load of the last month. */
export const siteLoadList = payloadSchema(({ list, name, id, count }) =>
  list(
    z
      .object({ id, name, cp: count.nullish(), load: count.nullish() })
      .transform(({ id, name, cp, load }) => ({ id, name, load: cp ?? load })),
  ),
);

/** The answer of stat/getDbListLoad: each database's mean load of the last month. */
export const databaseLoadList = payloadSchema(({ list, name, count }) =>
  list(
    z
      .object({ name, cp: count.nullish(), load: count.nullish() })
      .transform(({ name, cp, load }) => ({ name, load: cp ?? load })),
  ),
);

/** The same sites or databases, those with the highest load first. */
export function biggestFirst<T extends { readonly load?: number | null | undefined }>(
  list: readonly T[],
): readonly T[] {
  return [...list].sort((a, b) => (b.load ?? 0) - (a.load ?? 0));
}
