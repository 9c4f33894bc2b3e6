import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { readText, repository } from '../../fixtures/repository.ts';
import { outerFolders } from '../../mutation/folders.ts';

function innerFolders(folder: string): readonly string[] {
  return readdirSync(join(repository, 'src', folder), { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => join(folder, name));
}

it('docs/project/testing.md has a row for each folder of src, and for the sandbox', () => {
  const rows = [...readText('docs/project/testing.md').matchAll(/^\| `([a-z./]+)` \|(?:[^|\n]*\|){5}$/gm)];

  const folders = ['.', 'sandbox', ...outerFolders.flatMap(innerFolders)];

  expect(rows.map(([, folder]) => folder).toSorted()).toEqual(folders.toSorted());
});
