import { expect, test } from 'vitest';
import { allDashboards, englishDashboards, tilesOf } from './dashboard-reading.ts';

/** Bookmarks, alerts and links point at these: a new panel gets a new number, a removed one's number is never given again. */
const promised = {
  'hosting-fleet': {
    1: 'Alerts',
    2: 'Not answering',
    3: 'Disk almost full',
    4: 'Blocked soon',
    5: 'Fullest account',
    6: 'Next full',
    7: 'Next blocked',
    8: 'Oldest data',
    9: 'Accounts',
    10: 'Firing alerts',
    11: 'Domains that end next',
    12: 'Trends',
    13: 'Fullest accounts',
    14: 'Busiest accounts',
    15: 'Grew most in 7 days',
    16: 'Oldest backups',
    17: 'Totals, plans and servers',
    18: 'Sites',
    19: 'Domains',
    20: 'Databases',
    21: 'Disk used',
    22: 'Plans',
    23: 'Servers',
  },
  'hosting-account': {
    1: 'Disk used',
    2: 'Disk free',
    3: 'Full in',
    4: 'Blocked in',
    5: 'Load of the plan',
    6: 'Alerts',
    7: 'Data age',
    8: 'Plan',
    9: 'Disk',
    10: 'Usage and quota',
    11: 'Growth in a day',
    12: 'Databases',
    13: 'Size of databases',
    14: 'Load',
    15: 'Load by site',
    16: 'Load by database',
    17: 'Sites',
    18: 'Load of all sites and limit',
    19: 'Money, domains, backups',
    20: 'Balance',
    21: 'Daily charge',
    22: 'Backups',
    23: 'Domains',
    24: 'Firing alerts',
    25: 'What the account holds',
    26: 'Used of what the plan allows',
    27: 'How many there are',
    28: 'Domains of sites',
    29: 'Mailboxes by domain',
    30: 'Server and polls',
    31: 'Load of the server',
    32: 'Memory of the server',
    33: 'Server running for',
    34: 'Polls',
    35: 'How to read this',
  },
  'hosting-workload': {
    1: 'Busiest site',
    2: 'Busiest database',
    3: 'Unusual sites',
    4: 'Grown databases',
    5: 'Sites, this week against last',
    6: 'Databases, this week against last',
    7: 'Over time',
    8: 'Busiest sites',
    9: 'Busiest databases',
    10: 'Biggest databases',
    11: 'Databases that grew most in 7 days',
    12: 'Software',
    13: 'PHP versions',
    14: 'Certificates',
    15: 'Domains with PHP before version 8',
  },
  'hosting-exporter': {
    1: 'Exporters',
    2: 'Not answering',
    3: 'Polls that fail',
    4: 'Oldest figures',
    5: 'Failed calls, 1 h',
    6: 'Calls waiting',
    7: 'Configuration',
    8: 'Version',
    9: 'Whose fault is it?',
    10: 'Failed calls and who can act',
    11: 'Failed calls per hour',
    12: 'Is it current?',
    13: 'Polls that fail, are late or drop series',
    14: 'Data age in turns',
    15: 'Collectors',
    16: 'Accounts that answer',
    17: 'Calls of the API',
    18: 'Calls as a share of the budget',
    19: 'Calls waiting',
    20: 'How long calls take',
    21: 'Methods',
    22: 'Process',
    23: 'Memory',
    24: 'Processor',
    25: 'Delay of the event loop',
    26: 'Running exporters',
    27: 'Slowest polls',
  },
};

test('names and panel numbers are the promised ones', () => {
  const found = Object.fromEntries(
    englishDashboards().map((dashboard) => [
      dashboard.uid,
      Object.fromEntries(tilesOf(dashboard).map(({ id, title }) => [id, title])),
    ]),
  );

  expect(found).toEqual(promised);
});

test('no number is given twice on a dashboard, and none is 0', () => {
  const numbers = allDashboards().map((dashboard) => tilesOf(dashboard).map(({ id }) => id));

  for (const ids of numbers) {
    expect(new Set(ids).size).toBe(ids.length);
    expect(ids).not.toContain(0);
  }
});

test('no title is used for two dashboards', () => {
  const titles = allDashboards().map(({ title }) => title);

  expect(new Set(titles).size).toBe(titles.length);
});
