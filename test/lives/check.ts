import { beforeAll, describe, expect, it } from 'vitest';
import { accountName, differences, type Notification, notificationsOf, type World } from './world.ts';

/** Tests of a world: one for each life, and one for alerts that concern several accounts or the exporters. */
export function check(world: World): void {
  describe(world.name, () => {
    let notifications: readonly Notification[] = [];
    const names = world.lives.map((_, index) => accountName(index));
    const end = world.hours;

    beforeAll(async () => {
      notifications = await notificationsOf(world);
    });

    it.each(world.lives.map((life, index) => ({ ...life, index })))('$name', ({ wants, index }) => {
      const own = notifications.filter((one) => one.Labels['account'] === accountName(index));

      expect(differences(wants, own, end)).toEqual([]);
    });

    it('of the exporters and the provider', () => {
      const others = notifications.filter((one) => !names.includes(one.Labels['account'] ?? ''));

      expect(differences(world.wants ?? [], others, end)).toEqual([]);
    });

    if (world.messages !== undefined) {
      it(`sends at most ${world.messages} messages in all`, () => {
        const groups = new Set(notifications.filter((one) => one.Receiver !== 'blackhole').map((one) => one.Group));

        expect(groups.size, [...groups].join('\n')).toBeLessThanOrEqual(world.messages ?? 0);
      });
    }
  });
}
