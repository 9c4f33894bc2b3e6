import { day, hold, missing, repeat, type ScenarioBuilder, sequence, type TestSuite } from './scenario.ts';

const mean = 'hosting_site_load_average';
const hourly = 'hosting_site_load_hourly';
const daily = 'hosting_site_load_daily';
const hourOf = 'hosting_site_load_hourly_timestamp_seconds';

/** Load of an account compared with its plan, and of a site compared with last week. */
export function load(builder: ScenarioBuilder): TestSuite {
  const threshold = builder.threshold('HostingPlanLoadHigh', 'warning', 0.8);
  const wait = builder.forMinutes('HostingPlanLoadHigh', 'warning');
  const shop = (id: string) => ({ account: 'shop', site_id: id, site: `${id}.example` });
  const eightDays = 8 * day;

  return builder.suite('load', [
    {
      name: 'the sites of an account reach the load limit of the plan, reported by an HA pair; databases do not count',
      minutes: wait + 90,
      series: {
        ...builder.up('b'),
        [builder.series(mean, shop('one'))]: sequence(hold(400 * threshold - 100, wait + 30), hold(1, 61)),
        [builder.series(mean, shop('one'), 'b')]: sequence(hold(400 * threshold - 100, wait + 30), hold(1, 61)),
        [builder.series(mean, shop('two'))]: 110,
        [builder.series(mean, shop('two'), 'b')]: 110,
        [builder.series('hosting_account_load_limit', { account: 'shop' })]: 400,
        [builder.series('hosting_account_load_limit', { account: 'shop' }, 'b')]: 400,
        [builder.series('hosting_database_load_average', { account: 'shop', database: 'shop' })]: 2895,
      },
      expected: [
        {
          alert: 'HostingPlanLoadHigh',
          since: 0,
          until: wait + 30,
          labels: { account: 'shop' },
          value: threshold + 10 / 400,
        },
      ],
      mustNotFire: [],
    },
    {
      name: 'below the limit, no limit, a limit of 0, busy databases, a renamed site with two names in an HA pair: no alert',
      minutes: wait + 120,
      series: {
        ...builder.up('b'),
        [builder.series(mean, { account: 'calm', site_id: '1', site: 'old.example' })]: 400 * threshold * 0.6,
        [builder.series(mean, { account: 'calm', site_id: '1', site: 'new.example' }, 'b')]: 400 * threshold * 0.6,
        [builder.series('hosting_account_load_limit', { account: 'calm' })]: 400,
        [builder.series('hosting_database_load_average', { account: 'calm', database: 'big' })]: 9000,
        [builder.series(mean, { account: 'endless', site_id: '2', site: 'endless.example' })]: 9000,
        [builder.series(mean, { account: 'zero', site_id: '3', site: 'zero.example' })]: 9000,
        [builder.series('hosting_account_load_limit', { account: 'zero' })]: 0,
      },
      expected: [],
      mustNotFire: ['HostingPlanLoadHigh'],
    },
    {
      name: 'two sites are attacked for three hours: one alert each, even without hours of last week; other sites have regular peaks, little load, no history, or one busy hour: no alert',
      minutes: eightDays,
      overDays: true,
      series: {
        [builder.series(hourly, shop('attacked'))]: sequence(hold(2, eightDays - 240), hold(12, 180), hold(2, 61)),
        [builder.series(hourly, shop('weekly'))]: sequence(
          hold(1, day - 240),
          hold(12, 180),
          hold(1, 7 * day - 180),
          hold(12, 180),
          hold(1, 61),
        ),
        [builder.series(hourly, shop('busier'))]: sequence(hold(2, eightDays - 240), hold(6, 241)),
        [builder.series(hourly, shop('small'))]: sequence(hold(0.01, eightDays - 240), hold(0.5, 241)),
        [builder.series(hourly, shop('new'))]: sequence(missing(eightDays - 600), hold(2, 400), hold(40, 201)),
        [builder.series(hourly, shop('idle'))]: sequence(hold(2, eightDays - 240), hold(40, 241)),
        [builder.series(hourly, shop('once'))]: sequence(hold(2, eightDays - 240), hold(40, 62), hold(2, 179)),
        // Five hours ago, the exporter started and a history was imported.
        [builder.series(hourly, shop('imported'))]: sequence(
          missing(eightDays - 300),
          hold(2, 60),
          hold(36, 180),
          hold(2, 61),
        ),
        [builder.series(daily, shop('imported'))]: 48,
        // This site was created last week, on the day that the alert uses for comparison. The day is incomplete and does not count.
        [builder.series(hourly, shop('created'))]: sequence(
          missing(eightDays - 300),
          hold(2, 60),
          hold(36, 180),
          hold(2, 61),
        ),
        [builder.series(daily, shop('created'))]: sequence(missing(1.5 * day), hold(10, 6.5 * day + 1)),
        ...Object.fromEntries(
          ['imported', 'created', 'attacked', 'weekly', 'busier', 'small', 'new', 'once', 'steady'].map((id) => [
            builder.series(hourOf, shop(id)),
            repeat(eightDays / 60 + 1, (hour) => hold((hour - 1) * 3600, 60)),
          ]),
        ),
        [builder.series(hourly, shop('steady'))]: sequence(
          repeat(8, () => sequence(hold(1, 600), hold(30, 600), hold(3, 240))),
          hold(1, 1),
        ),
        // The newest hour that the provider lists for this site is from yesterday.
        [builder.series(hourOf, shop('idle'))]: sequence(
          repeat(eightDays / 60 - 24, (hour) => hold((hour - 1) * 3600, 60)),
          hold((eightDays / 60 - 25) * 3600, day + 1),
        ),
      },
      expected: [
        { alert: 'HostingSiteLoadUnusual', since: eightDays - 240, until: eightDays - 60, labels: shop('attacked') },
        { alert: 'HostingSiteLoadUnusual', since: eightDays - 240, until: eightDays - 60, labels: shop('imported') },
      ],
      mustNotFire: ['HostingSiteLoadUnusual'],
      defaultsOnly: ['HostingSiteLoadUnusual'],
    },
  ]);
}
