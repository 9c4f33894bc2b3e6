import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { readDocument } from '../config/file/document.ts';
import { describeIssues } from '../config/file/schema-problem.ts';
import { byPlace, ConfigError, writeError } from '../config/values/config-error.ts';
import { readTextFileSync } from '../config/values/text-file.ts';
import { generateBundle } from '../rules/bundle.ts';
import { languages } from '../rules/language.ts';
import { type Settings, settingsSchema } from '../rules/settings.ts';
import { settingsFile } from '../rules/settings-file.ts';
import { defineCommand, Option } from './command.ts';
import { nonEmpty } from './flags.ts';

export const command = defineCommand(
  'Write the alert rules. Without --config.file, also write the default thresholds to thresholds.yml, as a template.',
  (command) =>
    command
      .option('--config.file <file>', 'YAML file of custom thresholds', nonEmpty)
      .addOption(new Option('--language <language>', 'language of the alert texts').choices(languages))
      .requiredOption('--output <directory>', 'directory to write to', nonEmpty),
  async (flags, context) => {
    const file = flags['config.file'];
    const settings = await readSettings(file);
    const bundle = generateBundle({ ...settings, language: flags.language ?? settings.language });
    const files = file === undefined ? [...bundle, ['thresholds.yml', settingsFile()] as const] : bundle;
    for (const [name, text] of files) {
      const path = join(flags.output, name);
      try {
        mkdirSync(dirname(path), { recursive: true });
        writeFileSync(path, text);
      } catch (error) {
        throw writeError(path, error);
      }
      context.stdout.write(`${path}\n`);
    }
    return 0;
  },
);

async function readSettings(path: string | undefined): Promise<Settings> {
  if (path === undefined) return settingsSchema.parse({});
  const file = readTextFileSync(path, 1024 * 1024, { regularOnly: false });
  const document = readDocument(path, file, settingsSchema);
  const parsed = settingsSchema.safeParse(document.value ?? {});
  const problems = [...document.problems, ...describeIssues(parsed.error?.issues, document, settingsSchema)];
  if (!parsed.success || problems.length > 0) throw new ConfigError(problems.toSorted(byPlace));
  return parsed.data;
}
