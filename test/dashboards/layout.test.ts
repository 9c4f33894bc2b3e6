import { describe, expect, test } from 'vitest';
import { allDashboards, isRow, tilesOf } from './dashboard-reading.ts';

describe.each(allDashboards().map((dashboard) => [dashboard.uid ?? '', dashboard] as const))('%s', (_, dashboard) => {
  test('panels do not overlap and stay within the grid', () => {
    const cells = new Map<string, string>();
    const collisions: string[] = [];

    const open = (dashboard.panels ?? []).filter((panel) => panel.gridPos !== undefined);
    for (const { title, gridPos } of open) {
      const { x, y, w, h } = gridPos ?? { x: 0, y: 0, w: 0, h: 0 };
      expect(x + w, title).toBeLessThanOrEqual(24);
      for (let row = y; row < y + h; row += 1) {
        for (let column = x; column < x + w; column += 1) {
          const cell = `${column},${row}`;
          const other = cells.get(cell);
          if (other !== undefined) {
            collisions.push(`${title} and ${other}`);
          }
          cells.set(cell, title ?? '');
        }
      }
    }

    expect([...new Set(collisions)]).toEqual([]);
  });

  test('panels fill the whole width', () => {
    const lines = new Map<number, number>();

    for (const tile of tilesOf(dashboard)) {
      const { y, w } = tile.gridPos ?? { y: 0, w: 0 };
      if (!isRow(tile)) {
        lines.set(y, (lines.get(y) ?? 0) + w);
      }
    }

    expect([...lines.values()].filter((width) => width % 24 !== 0)).toEqual([]);
  });

  test('the first line consists of stat panels', () => {
    const first = (dashboard.panels ?? []).slice(0, 4).map(({ type, gridPos }) => [type, gridPos?.y]);

    expect(first).toEqual([
      ['stat', 0],
      ['stat', 0],
      ['stat', 0],
      ['stat', 0],
    ]);
  });
});
