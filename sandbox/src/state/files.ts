import { hashText, noise } from '../figures/noise.ts';
import { Refusal } from '../refusal.ts';
import type { SandboxMoment } from '../time/timeline.ts';
import { day } from '../time/zone.ts';
import type { AccountRecord, SiteRecord } from './records.ts';
import { restoreSite } from './sites.ts';

const publicFiles = ['.htaccess', 'favicon.ico', 'index.php', 'robots.txt'];
const assets = ['logo.png', 'main.js', 'style.css'];

/** Entries of a directory at an instant. The root contains one directory per site. All sites contain the same files. */
export function filesAt(state: AccountRecord, path: string, instant: number) {
  const [site, ...rest] = partsOf(path);
  if (site === undefined) {
    return sitesAt(state, instant).map(({ name }) => entry(state, `/${name}`, true, instant));
  }
  if (sitesAt(state, instant).some((candidate) => candidate.name === site)) {
    const list = (names: readonly string[], directory: boolean) =>
      names.map((name) => entry(state, ['', site, ...rest, name].join('/'), directory, instant));
    switch (rest.join('/')) {
      case '':
        return list(['public_html'], true);
      case 'public_html':
        return [...list(['assets'], true), ...list(publicFiles, false)];
      case 'public_html/assets':
        return list(assets, false);
    }
  }
  throw new Refusal('failed', `There is no directory ${path}`);
}

/** Throws a Refusal if a path does not exist at an instant. */
export function checkFile(state: AccountRecord, path: string, instant: number): void {
  const parts = partsOf(path);
  const name = parts.at(-1);
  const siblings = name === undefined ? [] : filesAt(state, parts.slice(0, -1).join('/'), instant);
  if (path === '' || (name !== undefined && !siblings.some((sibling) => sibling.name === name))) {
    throw new Refusal('failed', `The backup has no file ${path}`);
  }
}

/** Restores a path from a backup. Restoring the directory of a deleted site recreates the site. */
export function restoreFiles(state: AccountRecord, moment: SandboxMoment, path: string, backup: SandboxMoment): void {
  checkFile(state, path, backup.instant);
  const parts = partsOf(path);
  const present = sitesAt(state, moment.instant);
  for (const site of sitesAt(state, backup.instant)) {
    if ((parts.length === 0 || site.name === parts[0]) && !present.some((candidate) => candidate.name === site.name)) {
      restoreSite(state, moment, site);
    }
  }
  state.restoredFiles.push({ path: `/${parts.join('/')}`, backupAt: backup.instant, restoredAt: moment.instant });
}

function partsOf(path: string): readonly string[] {
  return path.split('/').filter((part) => part !== '');
}

function sitesAt(state: AccountRecord, instant: number): readonly SiteRecord[] {
  const deleted = state.deletedSites.filter((gone) => gone.deletedAt > instant).map((gone) => gone.item);
  return [...state.sites, ...deleted].filter((site) => site.createdAt <= instant);
}

/** A directory entry; `size` is in bytes. */
function entry(state: AccountRecord, path: string, directory: boolean, instant: number) {
  return {
    name: path.slice(path.lastIndexOf('/') + 1),
    directory,
    changedAt: changedAt(state, path, instant),
    size: directory ? 4096 : 200 + (hashText(path) % 60_000),
  };
}

/** Time of the last change of a file. Files change periodically. A restore sets the time that the file had in the backup. */
function changedAt(state: AccountRecord, path: string, instant: number): number {
  const restored = state.restoredFiles.findLast(
    (candidate) =>
      candidate.restoredAt <= instant && (candidate.path === '/' || `${path}/`.startsWith(`${candidate.path}/`)),
  );
  const changed = lastChange(path, instant);
  return restored !== undefined && changed <= restored.restoredAt ? lastChange(path, restored.backupAt) : changed;
}

function lastChange(path: string, instant: number): number {
  const seed = hashText(path);
  const period = day * (1 + (seed % 13));
  const phase = Math.floor((noise(seed, 0) * period) / 1000) * 1000;
  return Math.floor((instant - phase) / period) * period + phase;
}
