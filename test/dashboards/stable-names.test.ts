import { expect, test } from 'vitest';
import { allDashboards, englishDashboards, tilesOf } from './dashboard-reading.ts';

/** Bookmarks, alerts and links use the ids of panels. A new panel gets a new id; the id of a removed panel is never reused. */
test('dashboard uids and panel ids are those of panel-ids.json', async () => {
  const ids = Object.fromEntries(
    englishDashboards().map((dashboard) => [
      dashboard.uid,
      Object.fromEntries(tilesOf(dashboard).map(({ id, title }) => [id, title])),
    ]),
  );

  await expect(`${JSON.stringify(ids, null, 2)}\n`).toMatchFileSnapshot('panel-ids.json');
});

test('panel ids are unique and not 0', () => {
  const idsByDashboard = allDashboards().map((dashboard) => tilesOf(dashboard).map(({ id }) => id));

  for (const ids of idsByDashboard) {
    expect(new Set(ids).size, ids.join()).toBe(ids.length);
    expect(ids, ids.join()).not.toContain(0);
  }
});

test('dashboard titles are unique', () => {
  const titles = allDashboards().map(({ title }) => title);

  expect(new Set(titles).size).toBe(titles.length);
});
