import { hold, inTurn, missing, type Stage, type Theme } from './scenario.ts';

const mean = 'hosting_site_load_average';
const hourly = 'hosting_site_load_hourly';
const hourOf = 'hosting_site_load_hourly_timestamp_seconds';
const day = 1440;

/** Load of the plan and of a site. */
export function load(stage: Stage): Theme {
  const high = stage.threshold('HostingPlanLoadHigh', 'warning', 0.8);
  const wait = stage.wait('HostingPlanLoadHigh', 'warning');
  const shop = (id: string) => ({ account: 'shop', site_id: id, site: `${id}.example` });
  const eight = 8 * day;

  return {
    name: 'load',
    scenarios: [
      {
        name: 'the sites of an account use up its plan, as two exporters see it; databases do not count',
        minutes: wait + 90,
        series: {
          ...stage.up(wait + 90),
          ...stage.up(wait + 90, 'b'),
          [stage.series(mean, shop('one'))]: inTurn(hold(400 * high - 100, wait + 30), hold(1, 61)),
          [stage.series(mean, shop('one'), 'b')]: inTurn(hold(400 * high - 100, wait + 30), hold(1, 61)),
          [stage.series(mean, shop('two'))]: hold(110, wait + 91),
          [stage.series(mean, shop('two'), 'b')]: hold(110, wait + 91),
          [stage.series('hosting_account_load_limit', { account: 'shop' })]: hold(400, wait + 91),
          [stage.series('hosting_account_load_limit', { account: 'shop' }, 'b')]: hold(400, wait + 91),
          [stage.series('hosting_database_load_average', { account: 'shop', database: 'shop' })]: hold(2895, wait + 91),
        },
        truths: [
          {
            alert: 'HostingPlanLoadHigh',
            since: 0,
            until: wait + 30,
            labels: { account: 'shop' },
            value: high + 10 / 400,
            answers: () => [400 * high + 10, 400],
          },
        ],
        tempted: [],
      },
      {
        name: 'below the plan; no limit; a limit of 0; busy databases; a renamed site that the pair shows under both names',
        minutes: wait + 120,
        series: {
          ...stage.up(wait + 120),
          ...stage.up(wait + 120, 'b'),
          [stage.series(mean, { account: 'calm', site_id: '1', site: 'old.example' })]: hold(
            400 * high * 0.6,
            wait + 121,
          ),
          [stage.series(mean, { account: 'calm', site_id: '1', site: 'new.example' }, 'b')]: hold(
            400 * high * 0.6,
            wait + 121,
          ),
          [stage.series('hosting_account_load_limit', { account: 'calm' })]: hold(400, wait + 121),
          [stage.series('hosting_database_load_average', { account: 'calm', database: 'big' })]: hold(9000, wait + 121),
          [stage.series(mean, { account: 'endless', site_id: '2', site: 'endless.example' })]: hold(9000, wait + 121),
          [stage.series(mean, { account: 'zero', site_id: '3', site: 'zero.example' })]: hold(9000, wait + 121),
          [stage.series('hosting_account_load_limit', { account: 'zero' })]: hold(0, wait + 121),
        },
        truths: [],
        tempted: ['HostingPlanLoadHigh'],
      },
      {
        name: 'a site is attacked for three hours; others are busy as every day or week, quiet, new, idle or busy for one hour',
        minutes: eight,
        every: 5,
        series: {
          ...stage.up(eight),
          [stage.series(hourly, shop('attacked'))]: inTurn(hold(2, eight - 240), hold(12, 180), hold(2, 61)),
          [stage.series(hourly, shop('weekly'))]: inTurn(
            hold(1, day - 240),
            hold(12, 180),
            hold(1, 7 * day - 180),
            hold(12, 180),
            hold(1, 61),
          ),
          [stage.series(hourly, shop('busier'))]: inTurn(hold(2, eight - 240), hold(6, 241)),
          [stage.series(hourly, shop('small'))]: inTurn(hold(0.01, eight - 240), hold(0.5, 241)),
          [stage.series(hourly, shop('new'))]: inTurn(missing(eight - 600), hold(2, 400), hold(40, 201)),
          [stage.series(hourly, shop('idle'))]: inTurn(hold(2, eight - 240), hold(40, 241)),
          [stage.series(hourly, shop('once'))]: inTurn(hold(2, eight - 240), hold(40, 62), hold(2, 179)),
          ...Object.fromEntries(
            ['attacked', 'weekly', 'busier', 'small', 'new', 'once', 'steady'].map((id) => [
              stage.series(hourOf, shop(id)),
              inTurn(...Array.from({ length: eight / 60 + 1 }, (_, hour) => hold((hour - 1) * 3600, 60))),
            ]),
          ),
          [stage.series(hourly, shop('steady'))]: inTurn(
            ...Array.from({ length: 8 }, () => inTurn(hold(1, 600), hold(30, 600), hold(3, 240))),
            hold(1, 1),
          ),
          // The newest hour that the provider lists of this site is from yesterday.
          [stage.series(hourOf, shop('idle'))]: inTurn(
            ...Array.from({ length: eight / 60 - 24 }, (_, hour) => hold((hour - 1) * 3600, 60)),
            hold((eight / 60 - 25) * 3600, day + 1),
          ),
        },
        truths: [
          {
            alert: 'HostingSiteLoadUnusual',
            since: eight - 240,
            until: eight - 60,
            labels: shop('attacked'),
            value: 6,
          },
        ],
        tempted: ['HostingSiteLoadUnusual'],
        defaultsOnly: ['HostingSiteLoadUnusual'],
      },
    ],
  };
}
