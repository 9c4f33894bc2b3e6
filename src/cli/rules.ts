import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { byPlace, ConfigError, unwritable } from '../config/config-error.ts';
import { readDocument } from '../config/document.ts';
import { describeIssue } from '../config/schema-problem.ts';
import { readTextFile } from '../config/text-file.ts';
import { generateBundle } from '../rules/bundle.ts';
import { type Settings, settingsSchema } from '../rules/settings.ts';
import { settingsFile } from '../rules/settings-file.ts';
import type { RulesArguments } from './arguments.ts';
import type { Host } from './host.ts';

const largestFile = 1024 * 1024;

/** Writes the alert rules and all that goes with them, with the thresholds of a file or as they come. */
export function rules(args: RulesArguments, host: Host): number {
  const bundle = generateBundle(readSettings(args.configFile));
  // To begin with: the file in which thresholds are changed.
  const files = args.configFile === undefined ? [...bundle, ['thresholds.yml', settingsFile()] as const] : [...bundle];
  for (const [path, text] of files) {
    const file = join(args.output, path);
    write(file, text);
    host.stdout.write(`${file}\n`);
  }
  return 0;
}

function readSettings(path: string | undefined): Settings {
  if (path === undefined) return settingsSchema.parse({});
  const file = readTextFile(path, { largest: largestFile, regularOnly: false });
  if ('complaint' in file) throw new ConfigError([{ source: path, message: file.complaint }]);
  const document = readDocument({ ...file, path }, file.text, (text) => ({ text, problems: [] }));
  const parsed = settingsSchema.safeParse(document.value ?? {});
  const problems = [
    ...document.problems,
    ...(parsed.error?.issues ?? []).flatMap((issue) => describeIssue(issue, document, settingsSchema)),
  ];
  if (!parsed.success || problems.length > 0) throw new ConfigError(problems.toSorted(byPlace));
  return parsed.data;
}

function write(file: string, text: string): void {
  try {
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
  } catch (error) {
    throw unwritable(file, error);
  }
}
