import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';

/** A file that pages load. Browsers can cache the file without a time limit, because its path contains a hash of the content. */
function asset(type: string, file: `page.${string}`) {
  const text = readFileSync(new URL(file, import.meta.url), 'utf8');
  const hash = createHash('sha256').update(text).digest('hex').slice(0, 12);
  return { type: `${type}; charset=utf-8`, text, path: `/style/${hash}.${file.slice('page.'.length)}` };
}

export const stylesheet = asset('text/css', 'page.css');
export const script = asset('text/javascript', 'page.js');
