import { join } from 'node:path';
import { Cleanups } from '../fixtures/cleanups.ts';
import { repository } from '../fixtures/repository.ts';
import { testOnlyExports } from './exports.ts';
import { linesOf, readSources, type Source, statesWhyLong, topLevelOf } from './sources.ts';
import { followFigure, type Way } from './way.ts';

/** A number that describes the size of `src`. */
export interface SizeNumber {
  readonly name: string;
  /** The largest allowed value. */
  readonly limit: number;
  readonly measured: number;
  /** The counted elements, if the list helps to get below the limit. */
  readonly list?: readonly string[];
}

/** The numbers, and the functions from which some of the numbers are computed. */
export interface Size {
  readonly numbers: readonly SizeNumber[];
  readonly way: Way;
}

/** Measures the code of this checkout. */
export async function measureSize(): Promise<Size> {
  const cleanups = new Cleanups();
  try {
    const sources = readSources(join(repository, 'src'));
    const [exported, way] = await Promise.all([testOnlyExports(cleanups, repository), followFigure(cleanups)]);
    return { numbers: [...sizesOf(sources), testOnlyNumber(exported), ...wayNumbers(way, sources)], way };
  } finally {
    await cleanups.end();
  }
}

/** Longer files need a reason. */
const longFile = 350;

/** Shorter files are counted. */
const shortFile = 15;

/** The numbers that are computed from the files. */
export function sizesOf(sources: readonly Source[]): readonly SizeNumber[] {
  const exporter = sources.filter(({ path }) => !/^(rules|sandbox)\//.test(path));
  const { files, folders } = topLevelOf(sources);
  const long = sources.filter((source) => linesOf([source]) > longFile && !statesWhyLong(source));
  const short = sources.filter((source) => linesOf([source]) < shortFile);
  const listed = (list: readonly Source[]) => list.map((source) => `src/${source.path}: ${linesOf([source])} lines`);
  return [
    { name: 'lines of src without rules and sandbox', limit: 18_500, measured: linesOf(exporter) },
    { name: 'lines of src', limit: 30_500, measured: linesOf(sources) },
    { name: 'folders directly in src', limit: 18, measured: folders.length, list: folders },
    { name: 'files directly in src', limit: 5, measured: files.length, list: files },
    {
      name: `files of more than ${longFile} lines without a reason`,
      limit: 0,
      measured: long.length,
      list: listed(long),
    },
    { name: `files of fewer than ${shortFile} lines`, limit: 30, measured: short.length, list: listed(short) },
  ];
}

function testOnlyNumber(list: readonly string[]): SizeNumber {
  return { name: 'exports of src that only tests import', limit: 0, measured: list.length, list };
}

/**
 * The numbers that are computed from the called functions. Scalars are the functions of the file with `payloadSchema`.
 */
export function wayNumbers({ poll, scrape }: Way, sources: readonly Source[]): readonly SizeNumber[] {
  const scalars = sources.find(({ text }) => text.includes('export function payloadSchema<'));
  if (scalars === undefined) throw new Error('no file of src exports the function payloadSchema: change wayNumbers');
  const toStore = poll.filter(({ carries }) => carries);
  const ofScalars = toStore.filter(({ file }) => file === `src/${scalars.path}`);
  const toSocket = scrape.filter(({ carries }) => carries);
  return [
    { name: 'functions of a poll of a list', limit: 100, measured: poll.length },
    { name: 'functions that carry a figure from the reply to the store', limit: 34, measured: toStore.length },
    { name: 'scalars among these functions', limit: 10, measured: ofScalars.length },
    { name: 'functions that carry a figure from the store to the socket', limit: 12, measured: toSocket.length },
  ];
}
