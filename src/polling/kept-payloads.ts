import type { FanOutCollector, Item, ListCollector } from '../collectors/collector.ts';
import type { AccountStore } from '../exposition/account-store.ts';
import type { KeptPayload } from '../exposition/kept-payload.ts';

/** A payload whose figures are on the page, with its time in Unix milliseconds. */
export interface ReceivedPayload<Payload> {
  readonly payload: Payload;
  readonly answered: number;
  /** Whether no element of its lists was dropped. */
  readonly complete: boolean;
}

export interface ReceivedItem<Payload> extends ReceivedPayload<Payload> {
  readonly item: Item;
}

/** The newest payload of a list collector; undefined before the first and after it has expired. */
export function newestPayload<Payload>(
  store: AccountStore,
  { name }: ListCollector<Payload>,
): ReceivedPayload<Payload> | undefined {
  const kept = store.payloads(name).get('');
  return kept === undefined ? undefined : receivedOf(kept);
}

/** The newest payload of each item of a fan-out collector, except expired ones. */
export function itemPayloads<List, Payload>(
  store: AccountStore,
  { name }: FanOutCollector<List, Payload>,
): readonly ReceivedItem<Payload>[] {
  return [...store.payloads(name)].map(([key, kept]) => ({ item: JSON.parse(key), ...receivedOf<Payload>(kept) }));
}

function receivedOf<Payload>(kept: KeptPayload): ReceivedPayload<Payload> {
  const { answered, complete } = kept;
  // The collector that the caller names has written it.
  return { payload: kept.decode() as Payload, answered, complete };
}
