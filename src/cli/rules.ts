import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { ConfigError, writeError } from '../config/values/config-error.ts';
import { derive, isAlert } from '../rules/derive.ts';
import { severities } from '../rules/thresholds.ts';
import { defineCommand, InvalidArgumentError, Option } from './command.ts';
import { collected, language, nonEmpty, validated } from './flags.ts';

const labelName = /^[a-zA-Z_][a-zA-Z0-9_]*$/;
// Quotes, backslashes and braces have a meaning in Go templates and PromQL strings.
const labelValue = /^[^"\\\n{}]+$/;

export const command = defineCommand(
  'Write the alert rules, the Alertmanager example and the templates of notifications.',
  (command) =>
    command
      .requiredOption('--output <directory>', 'directory to write to', nonEmpty)
      .addOption(language())
      .option('--selector <matchers>', 'labels that select the exporter (default: job="hosting")', selector)
      .option('--label <name=value>', 'label to add to every alert; repeatable', collected(pair(isLabel)))
      .option(
        '--account-label <name>',
        'label to copy from the account to its alerts; repeatable',
        collected(accountLabel),
      )
      .option(
        '--severity <name=value>',
        'other value of a severity, such as critical=page; repeatable',
        collected(pair(isSeverity)),
      )
      .option('--runbooks <url>', 'base URL of the runbooks', nonEmpty)
      .option('--dashboards <url>', 'base URL of Grafana', nonEmpty)
      .option('--pages <url>', 'base URL of the pages of the exporter', nonEmpty)
      .option('--off <alert>', 'alert or Alert:severity to leave out; repeatable', collected(alert))
      .addOption(new Option('--config.file <file>').argParser(nonEmpty).hideHelp()),
  (flags, context) => {
    if (flags['config.file'] !== undefined)
      throw new ConfigError([{ source: flags['config.file'], message: removedFile }]);
    const { output, label = [], severity = [], accountLabel: accountLabels, ...others } = flags;
    const [labels, severities] = [Object.fromEntries(label), Object.fromEntries(severity)];
    const files = derive({ ...others, accountLabels, labels, severities });
    // All users may read the files, because Prometheus runs as another user.
    const umask = process.umask(0o022);
    for (const [name, text] of files) {
      const path = join(output, name);
      try {
        mkdirSync(dirname(path), { recursive: true });
        writeFileSync(path, text);
      } catch (error) {
        throw writeError(path, error);
      }
      context.stdout.write(`${path}\n`);
    }
    process.umask(umask);
    return Promise.resolve(0 as const);
  },
);

const removedFile =
  'this settings file is no longer supported. Thresholds: set alerts in the configuration of the exporter. for, keep_firing_for and parameters: edit hosting.rules.yml. selector, labels, account_labels, severities, runbook_base_url and dashboard_base_url: use the flags --selector, --label, --account-label, --severity, --runbooks and --dashboards';

const selector = validated((written) => {
  if (!/(?:^|,)job=~?"/.test(written)) return 'must contain job, for example job="web-hosting"';
  return undefined;
});

const alert = validated((written) => (isAlert(written) ? undefined : 'is not an alert of these rules'));

const accountLabel = validated((written) =>
  labelName.test(written) ? undefined : 'is not a label name; use letters, digits and _, and do not start with a digit',
);

function pair(problemOf: (name: string, value: string) => string | undefined) {
  return (written: string): readonly [name: string, value: string] => {
    const [, name = '', value = ''] = /^([^=]*)=(.*)$/s.exec(nonEmpty(written)) ?? [];
    const problem = problemOf(name, value);
    if (problem !== undefined) throw new InvalidArgumentError(`It ${problem}.`);
    return [name, value];
  };
}

function isLabel(name: string, value: string): string | undefined {
  if (!labelName.test(name)) return 'is not name=value with a label name';
  return labelValue.test(value) ? undefined : 'has no value, or a value with quotes, backslashes or braces';
}

function isSeverity(name: string, value: string): string | undefined {
  if (!severities.some((severity) => severity === name))
    return `does not begin with one of ${severities.join(', ')} and =`;
  return isLabel(name, value);
}
