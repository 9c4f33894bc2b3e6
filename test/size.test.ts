import { execFileSync } from 'node:child_process';
import { expect, it } from 'vitest';
import { repository } from './fixtures/repository.ts';

it('src is within the limits of npm run size', () => {
  const advice = 'make src smaller, or say in the commit why a limit in test/size.ts is raised';

  expect(() => execFileSync(process.execPath, ['test/size.ts'], { cwd: repository }), advice).not.toThrow();
});
