import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { LONGEST } from './longest-first.ts';
import { ROOT } from './run.ts';

it.each(LONGEST)('%s, which is to begin early, is there', (path) => {
  expect(existsSync(join(ROOT, path))).toBe(true);
});
