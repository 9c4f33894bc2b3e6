import { records } from './records.ts';
import type { RecordingRule, RuleBuilder, RuleGroup } from './rule.ts';
import { decimal } from './rule-settings.ts';

/**
 * Groups that record the thresholds of every account, with defaults filled in: the value at which an alert fires, the value beyond which a
 * firing alert ends, and which of these two values applies now.
 */
export function thresholdRules(builder: RuleBuilder): readonly RuleGroup[] {
  const overridable = builder.overridable();
  const fire = overridable.map(({ alert, severity }): RecordingRule => {
    const usual = `${decimal(builder.setting(alert, severity))} * group without () (${records.seen})`;
    return {
      record: records.fire,
      expr: `${builder.override(alert, severity)}\nor\n${usual}`,
      labels: { alert, severity },
    };
  });
  const end = overridable
    .filter(({ alert, severity }) => builder.margin(alert, severity) > 0)
    .map(({ alert, severity }): RecordingRule => {
      const shift = `${builder.isBelow(alert) ? '+' : '-'} ${decimal(builder.margin(alert, severity))}`;
      const expr = `${records.fire}{alert="${alert}",severity="${severity}"} ${shift}`;
      return { record: records.end, expr, labels: { alert, severity } };
    });
  const ofAccounts = overridable.filter(
    ({ alert, severity }) => builder.thresholdDetail(alert, severity) === undefined,
  );
  const matcher = `{alert=~"${[...new Set(ofAccounts.map(({ alert }) => alert))].join('|')}"}`;

  return [
    builder.detailGroup('hosting-thresholds', fire),
    ...(builder.stateless
      ? []
      : [
          builder.slowGroup('hosting-thresholds-end', end),
          builder.detailGroup('hosting-thresholds-current', [
            {
              record: records.firing,
              expr: builder.firingAlerts(),
              comment: 'The alerts that fire, with the labels of the series that they are about.',
            },
            {
              record: records.currentThreshold,
              expr: [
                `${builder.recent(`${records.end}${matcher}`)} and ${records.firing}`,
                'or',
                builder.recent(`${records.fire}${matcher}`),
              ].join('\n'),
              comment:
                'The threshold that applies now: `end` while the alert fires, otherwise `fire`. Alerts about details of an account, such as\nits domains, have one record for each kind of detail.',
            },
          ]),
        ]),
  ];
}
