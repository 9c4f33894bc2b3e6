import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { byPlace, ConfigError, writeError } from '../config/config-error.ts';
import { readDocument } from '../config/document.ts';
import { describeIssue } from '../config/schema-problem.ts';
import { readTextFileSync } from '../config/text-file.ts';
import { generateBundle } from '../rules/bundle.ts';
import { type Settings, settingsSchema } from '../rules/settings.ts';
import { settingsFile } from '../rules/settings-file.ts';
import type { RulesArguments } from './arguments.ts';
import type { ExitCode } from './exit-code.ts';
import { type Host, printWarnings } from './host.ts';

/** Bytes. */
const maxFileSize = 1024 * 1024;

/** Writes the alert rules and their companion files, with the thresholds of a file or the default ones. */
export function rules(args: RulesArguments, host: Host): ExitCode {
  printWarnings(host, args.warnings);
  const settings = readSettings(args.configFile);
  const bundle = generateBundle({ ...settings, language: args.language ?? settings.language });
  // A template for custom thresholds.
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
  const file = readTextFileSync(path, { maxSize: maxFileSize, regularOnly: false });
  if ('failure' in file) throw new ConfigError([{ source: path, message: file.failure }]);
  const document = readDocument({ ...file, path }, file.text, settingsSchema, (text) => ({
    text,
    variables: [],
    problems: [],
  }));
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
    makeFolder(dirname(file));
    writeFileSync(file, text);
  } catch (error) {
    throw writeError(file, error);
  }
}

/** The recursive mkdir of Node.js never returns in a folder where nothing can be created, such as /proc. */
function makeFolder(folder: string): void {
  if (existsSync(folder)) return;
  makeFolder(dirname(folder));
  mkdirSync(folder);
}
