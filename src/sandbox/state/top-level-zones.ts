import { requireFound } from '../refusal.ts';

/** A top-level domain in which the provider registers domains. Prices are per year. Periods are in years. */
export interface TopLevelZone {
  readonly id: number;
  readonly name: string;
  readonly price: number;
  readonly renewalPrice: number;
  readonly isIdn: boolean;
  readonly isNational: boolean;
  readonly minPeriod: number;
  readonly maxPeriod: number;
}

// The top-level domains of the demo accounts' domains.
export const topLevelZones: readonly TopLevelZone[] = [
  {
    id: 1,
    name: 'example',
    price: 189,
    renewalPrice: 239,
    isIdn: false,
    isNational: false,
    minPeriod: 1,
    maxPeriod: 10,
  },
  {
    id: 2,
    name: 'испытание',
    price: 169,
    renewalPrice: 199,
    isIdn: true,
    isNational: true,
    minPeriod: 1,
    maxPeriod: 1,
  },
];

/** Throws a Refusal if there is no zone with this id. */
export function findTopLevelZone(id: string): TopLevelZone {
  return requireFound(
    topLevelZones.find((zone) => String(zone.id) === id),
    `There is no zone ${id}`,
  );
}
