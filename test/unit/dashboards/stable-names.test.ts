import { expect, test } from 'vitest';
import { allDashboards, englishDashboards, tilesOf } from './dashboard-reading.ts';

/** Bookmarks, alerts and links use these ids. A new panel gets a new id; the id of a removed panel is never reused. */
const stable = {
  'hosting-fleet': {
    1: 'Alerts',
    2: 'Accounts without new data',
    3: 'Disk almost full',
    4: 'Suspended soon',
    6: 'Next to fill up',
    7: 'Next suspension',
    8: 'Oldest data',
    9: 'Accounts',
    10: 'Firing alerts',
    11: 'Expiring domains',
    12: 'Trends',
    13: 'Top accounts by disk usage',
    14: 'Top accounts by load',
    15: 'Disk growth in 7 days',
    16: 'Oldest backups',
    17: 'Totals, plans and servers',
    18: 'Sites',
    19: 'Domains',
    20: 'Databases',
    21: 'Disk used',
    22: 'Plans',
    23: 'Servers',
    24: 'Groups',
    25: 'Groups',
    26: 'Balance and monthly cost',
    27: 'Since yesterday',
    28: 'Money',
    29: 'Mailboxes',
  },
  'hosting-account': {
    1: 'Disk used',
    2: 'Disk free',
    3: 'Full in',
    4: 'Suspended in',
    5: 'Plan load',
    6: 'Alerts',
    7: 'Data age',
    8: 'Plan',
    9: 'Disk',
    10: 'Usage and quota',
    11: 'Daily growth',
    12: 'Databases',
    13: 'Database size',
    14: 'Load',
    15: 'Load by site',
    16: 'Load by database',
    17: 'Sites',
    18: 'Total site load and limit',
    19: 'Billing, domains and backups',
    20: 'Balance',
    21: 'Charge',
    22: 'Backups',
    23: 'Domains',
    24: 'Firing alerts',
    25: 'Inventory',
    26: 'Plan limits',
    27: 'Inventory over time',
    28: 'Site domains',
    29: 'Mailboxes by domain',
    30: 'Server and polls',
    31: 'Server load',
    32: 'Server memory',
    33: 'Server uptime',
    34: 'Polls',
    35: 'About this data',
    37: 'Balance lasts',
    38: 'Server software',
    39: 'Restores and downloads',
  },
  'hosting-workload': {
    1: 'Busiest site',
    2: 'Busiest database',
    3: 'Unusual load',
    4: 'Fast-growing databases',
    5: 'Sites, week over week',
    6: 'Databases, week over week',
    7: 'Over time',
    8: 'Top sites by load',
    9: 'Top databases by load',
    10: 'Largest databases',
    11: 'Database growth in 7 days',
    12: 'Software',
    13: 'PHP versions',
    14: 'Certificates',
    15: 'Domains without PHP security fixes',
  },
  'hosting-exporter': {
    1: 'Exporters',
    2: 'Accounts without new data',
    3: 'Failed polls',
    4: 'Oldest data',
    5: 'Failed API calls, 1 h',
    6: 'Queued API calls',
    7: 'Configuration',
    8: 'Version',
    9: 'API failures',
    10: 'API failures and who can fix them',
    11: 'Failed API calls per hour',
    12: 'Data freshness',
    13: 'Problems',
    14: 'Data age in intervals',
    15: 'Collectors',
    16: 'Accounts up',
    17: 'Calls and polls over time',
    18: 'Budget usage',
    19: 'Queued API calls',
    20: 'API call duration',
    21: 'API methods',
    22: 'Process',
    23: 'Memory',
    24: 'CPU',
    25: 'Event loop lag',
    26: 'Exporter instances',
    27: 'Slowest polls',
    28: 'Series',
  },
};

test('dashboard uids and panel ids are stable', () => {
  const found = Object.fromEntries(
    englishDashboards().map((dashboard) => [
      dashboard.uid,
      Object.fromEntries(tilesOf(dashboard).map(({ id, title }) => [id, title])),
    ]),
  );

  expect(found).toEqual(stable);
});

test('panel ids are unique and not 0', () => {
  const idsByDashboard = allDashboards().map((dashboard) => tilesOf(dashboard).map(({ id }) => id));

  for (const ids of idsByDashboard) {
    expect(new Set(ids).size).toBe(ids.length);
    expect(ids).not.toContain(0);
  }
});

test('dashboard titles are unique', () => {
  const titles = allDashboards().map(({ title }) => title);

  expect(new Set(titles).size).toBe(titles.length);
});
