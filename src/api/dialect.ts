/** How an API server answers: as the specification describes, or as the live provider does. */
export const dialects = ['specification', 'provider'] as const;

export type Dialect = (typeof dialects)[number];
