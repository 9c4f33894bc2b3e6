import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { fileNameOf } from '../../src/state/state-file.ts';
import { config, sandboxAccountConfig } from '../fixtures/config.ts';
import { propertyRuns } from '../fixtures/properties.ts';
import { incarnate } from '../fixtures/restart.ts';
import { openSandbox } from '../fixtures/sandbox.ts';
import { temporaryFolder } from '../fixtures/temporary-folder.ts';

type Json = null | boolean | number | string | Json[] | { [key: string]: Json };

/** Places in a value at which another value can stand. */
function placesIn(value: Json): readonly (readonly string[])[] {
  if (typeof value !== 'object' || value === null) return [[]];
  return [[], ...Object.entries(value).flatMap(([key, part]) => placesIn(part).map((place) => [key, ...place]))];
}

function replaced(value: Json, [key, ...rest]: readonly string[], other: Json): Json {
  if (key === undefined) return other;
  if (Array.isArray(value))
    return value.map((part, index) => (`${index}` === key ? replaced(part, rest, other) : part));
  if (typeof value !== 'object' || value === null) return other;
  return { ...value, [key]: replaced(value[key] ?? null, rest, other) };
}

/** The value with this time in place of each period and date of renewal. */
function withTimes(value: Json, time: number): Json {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map((part) => withTimes(part, time));
  const entries = Object.entries(value).map(([key, part]) => {
    if (key === 'expires' && typeof part === 'object' && part !== null) {
      return [key, Object.fromEntries(Object.keys(part).map((name) => [name, Math.abs(time)]))] as const;
    }
    return [key, ['start', 'end'].includes(key) ? time : withTimes(part, time)] as const;
  });
  return Object.fromEntries(entries);
}

it('any JSON value in place of another one in a file causes neither an error nor an invalid page', async () => {
  const sandbox = await openSandbox({ dialect: 'provider' });
  const account = sandboxAccountConfig(sandbox, 'blog');
  const directory = temporaryFolder();
  const path = join(directory, fileNameOf(account.name));
  const first = await incarnate(config(account), directory);
  await first.app.accounts[0]?.pollOnce();
  await first.app.stop();
  const saved = JSON.parse(gunzipSync(readFileSync(path)).toString()) as Json;

  /** The number of series that a new process shows with this content of the file. Throws if its page is invalid. */
  async function seriesWith(content: Json): Promise<number> {
    writeFileSync(path, gzipSync(JSON.stringify(content)));
    const { app, page } = await incarnate(config(account), directory);
    const families = await page();
    await app.stop();
    const ofAccount = families.filter(({ name }) => !name.startsWith('hosting_exporter_'));
    return ofAccount.reduce((sum, { samples }) => sum + samples.length, 0);
  }

  /** The pages of a new process that fail with this content of the file. */
  async function failingPages(content: Json): Promise<readonly string[]> {
    writeFileSync(path, gzipSync(JSON.stringify(content)));
    const { app } = await incarnate(config(account), directory);
    const failing: string[] = [];
    for (const url of ['/', '/status', `/accounts/${account.name}`, '/accounts.json?changes', '/state?fail=waiting']) {
      const { statusCode } = await app.web.inject({ url });
      if (![200, 503].includes(statusCode)) failing.push(`${url}: ${statusCode}`);
    }
    await app.stop();
    return failing;
  }

  const complete = await seriesWith(saved);
  for (const time of [-1e300, 1e300]) expect(await failingPages(withTimes(saved, time)), `time ${time}`).toEqual([]);
  const other = fc.oneof(fc.jsonValue(), fc.constantFrom(-1, 1e308, '', '\n', [], {})) as fc.Arbitrary<Json>;
  const places = placesIn(saved);
  const ofSubdomains = places.find((place) => place.at(-1) === 'subdomains') ?? [];

  expect(complete).toBeGreaterThan(30);
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(...places), other, async (place, value) => {
      expect(await seriesWith(replaced(saved, place, value))).toBeLessThanOrEqual(complete + 5);
    }),
    // The example is a list of items that the figures of its own collector do not need.
    { numRuns: propertyRuns(200), examples: [[ofSubdomains, {}]] },
  );
});
