import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { LONGEST, inOrder } from './longest-first.ts';
import { ROOT } from './run.ts';

it.each(LONGEST)('%s, which is to begin early, is there', (path) => {
  expect(existsSync(join(ROOT, path))).toBe(true);
});

it('begins with what takes long, then has browsers between other programs, and ends with units', () => {
  const files = [
    ['unit', 'packages/a.test.ts'],
    ['programs', 'apps/b.test.ts'],
    ['programs', 'apps/c.test.ts'],
    ['programs', 'tests/e2e/console/d.test.ts'],
    ['programs', 'tests/e2e/console/e.test.ts'],
    ['stateful', 'packages/f.test.ts'],
    ['programs', LONGEST[0] ?? ''],
  ].map(([name = '', path = '']) => ({ moduleId: `/x/${path}`, project: { name } }));
  expect(inOrder(files).map(({ moduleId }) => moduleId.slice('/x/'.length))).toEqual([
    LONGEST[0],
    'packages/f.test.ts',
    'apps/b.test.ts',
    'tests/e2e/console/d.test.ts',
    'apps/c.test.ts',
    'tests/e2e/console/e.test.ts',
    'packages/a.test.ts',
  ]);
});
