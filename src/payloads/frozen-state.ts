import { payloadSchema } from './scalars.ts';

/** The payload of site/isSiteFrozen: a single flag. */
export const frozenState = payloadSchema(({ flag }) => flag.transform((isFrozen) => ({ isFrozen })));
