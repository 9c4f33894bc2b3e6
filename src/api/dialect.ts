/** The dialects in which servers of this API answer: as its specification says, or as the live provider does. */
export const dialects = ['specification', 'provider'] as const;

export type Dialect = (typeof dialects)[number];
