import { describe, expect, it } from 'vitest';
import { defineCollector, itemOf, keyOf } from '../../src/collectors/collector.ts';
import { databases } from '../../src/collectors/databases.ts';
import { siteLoadDetail } from '../../src/collectors/site-load-detail.ts';

const time = { now: 0, settled: 0 };

const list = defineCollector({
  name: 'things',
  help: 'The things.',
  methods: ['mysql/getList', 'site/getList'],
  schedule: '5m',
  fetch: () => Promise.resolve([1, 2]),
  metrics: [
    {
      name: 'hosting_things',
      help: 'Number of things',
      field: 'number of entries',
      requiresCompleteList: true,
      read: (values) => values.length,
    },
    {
      name: 'hosting_thing_size',
      help: 'Size of the thing',
      field: 'size|user_size',
      methods: ['mysql/getList', 'site/getList'],
      dialect: 'provider',
      labels: ['thing', 'color'],
      smallestFirst: true,
      read: (values) => values.map((value) => [{ thing: `no. ${value}`, color: 'red' }, value]),
    },
  ],
});

describe('the description of a metric', () => {
  it('has its labels, methods and dialects, and a HELP text with its source', () => {
    const [things, size] = list.metrics;

    expect(things).toMatchObject({
      name: 'hosting_things',
      help: 'Number of things. From mysql/getList (number of entries), polled every 5m by default.',
      labelNames: ['account'],
      methods: ['mysql/getList'],
      field: 'number of entries',
      dialects: ['specification', 'provider'],
    });
    expect(size).toMatchObject({
      name: 'hosting_thing_size',
      help: 'Size of the thing. From mysql/getList or site/getList (size or user_size), polled every 5m by default.',
      labelNames: ['account', 'thing', 'color'],
      methods: ['mysql/getList', 'site/getList'],
      field: 'size|user_size',
      dialects: ['provider'],
    });
  });

  it('of a fan-out has the labels of the item before those of the metric', () => {
    const { metrics } = fanOut(() => 1);

    expect(metrics.map(({ labelNames }) => labelNames)).toEqual([
      ['account', 'site'],
      ['account', 'site', 'type'],
    ]);
  });
});

describe('the families of a payload', () => {
  it('have a series for each element, and tell which series matter most', () => {
    const labels = { account: 'shop', color: 'red' };

    expect([...list.read([30, 10], 'shop', {}, time, true)]).toEqual([
      { name: 'hosting_things', labelNames: ['account'], samples: [{ labels: { account: 'shop' }, value: 2 }] },
      {
        name: 'hosting_thing_size',
        labelNames: ['account', 'thing', 'color'],
        samples: [
          { labels: { ...labels, thing: 'no. 30' }, value: 30 },
          { labels: { ...labels, thing: 'no. 10' }, value: 10 },
        ],
        smallestFirst: true,
      },
    ]);
  });

  it('omit metrics that require a complete list, if elements were dropped', () => {
    expect([...list.read([30, 10], 'shop', {}, time, false)].map(({ name }) => name)).toEqual(['hosting_thing_size']);
  });

  it('of a fan-out have the labels of the item and of each series', () => {
    const families = [...fanOut(() => 0).read({}, 'shop', { site: 'a' }, time, true)];

    expect(families.map(({ samples }) => samples)).toEqual([
      [{ labels: { account: 'shop', site: 'a' }, value: 0 }],
      [{ labels: { account: 'shop', site: 'a', type: 'MX' }, value: 0 }],
    ]);
  });

  it.each([[null], [undefined]])('have no series for the value %s', (missing) => {
    const families = [...fanOut(() => missing).read({}, 'shop', { site: 'a' }, time, true)];

    expect(families.map(({ samples }) => samples)).toEqual([[], []]);
  });
});

/** A collector with one value as a metric without labels, and as one with them. */
function fanOut(readValue: () => number | null | undefined) {
  return defineCollector({
    name: 'things',
    help: 'The things.',
    methods: ['stat/getSiteLoad'],
    schedule: '1h',
    labels: ['site'],
    items: () => [{ site: 'a' }],
    fetch: () => Promise.resolve({}),
    metrics: [
      { name: 'hosting_thing', help: 'Thing', field: 'thing', read: readValue },
      {
        name: 'hosting_thing_types',
        help: 'Things by type',
        field: 'type',
        labels: ['type'],
        read: () => [[{ type: 'MX' }, readValue()]],
      },
    ],
  });
}

describe('the key of an item', () => {
  it.each([
    ['{"site_id":"1","site":"a"}', { site_id: '1', site: 'a' }],
    ['{"site_id":"1"}', undefined],
    ['{"site_id":"1","site":"a","x":"b"}', undefined],
    ['{"site":"a","site_id":"1"}', { site: 'a', site_id: '1' }],
    ['{"site_id":1}', undefined],
    ['{"account":"shop"}', undefined],
    ['{"site_id": "1"}', undefined],
    ['{"site_id":"1","site":5}', undefined],
    ['["1"]', undefined],
    ['null', undefined],
    ['{', undefined],
    ['', undefined],
  ])('%s is %j', (key, item) => {
    expect(itemOf(siteLoadDetail, key)).toEqual(item);
    if (item !== undefined) expect(keyOf(item)).toBe(key);
  });

  it('is empty for the only item of a list collector', () => {
    expect(keyOf({})).toBe('');
    expect([itemOf(databases, ''), itemOf(databases, '{}')]).toEqual([{}, undefined]);
  });
});
