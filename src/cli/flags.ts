import type { LogDestination } from '../log.ts';
import { inRussian } from '../pages/translate.ts';
import { type Language, languages } from '../rules/languages.ts';
import { type CommandContext, InvalidArgumentError, Option } from './command.ts';

// Flags that several commands have, and functions that read the values of flags. The functions throw InvalidArgumentError.

export function nonEmpty(written: string): string {
  if (written === '') throw new InvalidArgumentError('It is empty.');
  // If the value is missing, commander uses the next flag as the value.
  if (written.startsWith('--')) throw new InvalidArgumentError('It is a flag, so the value is missing.');
  return written;
}

export function validated(validate: (text: string) => string | undefined): (written: string) => string {
  return (written) => {
    const problem = validate(nonEmpty(written));
    if (problem !== undefined) throw new InvalidArgumentError(`It ${problem}${problem.endsWith('?') ? '' : '.'}`);
    return written;
  };
}

export function collected<Value>(read: (written: string) => Value) {
  return (written: string, previous: readonly Value[] = []): readonly Value[] => [...previous, read(written)];
}

export function numberFrom(min: number, max: number, pattern: RegExp, problem: string): (written: string) => number {
  return (written) => {
    const number = Number(written);
    if (!pattern.test(written) || number < min || number > max) throw new InvalidArgumentError(problem);
    return number;
  };
}

export const port = numberFrom(0, 65_535, /^\d{1,5}$/, 'It is not a port; write a number from 0 to 65535.');

export const sandboxPort = 10_381;

export function configFile() {
  const description = 'YAML configuration file; without it, the environment describes one account';
  return new Option('--config.file <file>', description).argParser(nonEmpty);
}

export function accountNames() {
  const description = 'only this account; repeat the flag for more accounts';
  return new Option('--account <name>', description).argParser(collected(nonEmpty));
}

export function language() {
  return new Option('--language <language>', 'language of the texts').choices(languages).env('HOSTING_LANGUAGE');
}

/** Returns a context whose outputs translate texts into the language. */
export function inLanguage(context: CommandContext, language: Language): CommandContext {
  if (language === 'en') return context;
  const translated = (output: LogDestination): LogDestination => ({
    write: (text, done) => output.write(inRussian(text), done),
  });
  return { ...context, stdout: translated(context.stdout), stderr: translated(context.stderr) };
}

export const instanceDescription =
  'label instance of all series: the address of the exporter, as Prometheus scrapes it';
export const defaultInstance = 'localhost:10380';
