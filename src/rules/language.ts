/** The languages of alert texts. */
export const languages = ['en', 'ru'] as const;

export type Language = (typeof languages)[number];
