import type { KeptItem } from '../../../src/cli/history.ts';
import { siteLoadDetail } from '../../../src/collectors/site-load-detail.ts';
import { accountConfig } from '../../fixtures/config.ts';

export const minute = 60_000;
export const hour = 60 * minute;
export const day = 24 * hour;
export const settlingTime = 10 * minute;

/** Unix milliseconds of a date, or of a time with its zone. */
export function time(text: string): number {
  return Date.parse(text);
}

interface KeptSettings {
  /** When the API answered, in Unix milliseconds. */
  readonly answered: number;
  readonly timeZone?: string;
}

/** The site `shop.example` of the account `shop`, with this payload. */
export function keptSite(payload: unknown, { answered, timeZone = 'UTC' }: KeptSettings): KeptItem {
  return {
    account: 'shop',
    collector: siteLoadDetail,
    item: { site_id: '7', site: 'shop.example' },
    answer: { payload, answered, providerTime: answered, complete: true },
    settings: accountConfig({ api: { settlingTime, timeZone } }).api,
  };
}
