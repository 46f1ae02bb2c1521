import { mkdirSync, mkdtempDisposableSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { ownProgram } from './own-program.ts';

it('a program is known by what stands beside the lines that start it, or else by those', () => {
  using folder = mkdtempDisposableSync(join(tmpdir(), 'palyra-program-'));
  const entry = join(folder.path, 'sandboxd.cjs');
  expect(ownProgram(entry)).toBe('');
  writeFileSync(entry, 'start');
  const started = ownProgram(entry);
  expect(started).toMatch(/^[0-9a-f]{64}$/);
  mkdirSync(join(folder.path, 'program'));
  writeFileSync(join(folder.path, 'program', 'sandboxd.cjs'), 'one');
  const one = ownProgram(entry);
  writeFileSync(join(folder.path, 'program', 'sandboxd.cjs'), 'two');
  expect(new Set([started, one, ownProgram(entry)]).size).toBe(3);
});
