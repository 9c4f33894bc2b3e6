/** The languages of the texts of alerts, pages and reports. The first one is the default. */
export const languages = ['en', 'ru'] as const;
export type Language = (typeof languages)[number];
