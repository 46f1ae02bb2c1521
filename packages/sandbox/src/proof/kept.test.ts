import {
  chmodSync,
  mkdtempSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { fingerprintOf } from './fingerprint.ts';
import { keep, readKept } from './kept.ts';
import { HERE, MACHINE, VERDICT } from './verdict.fixture.ts';

const versioned = (place: number) => ({ ...MACHINE, version: `1.${place}.0` });

let folder: string;
let file: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'palyra-kept-'));
  file = join(folder, `${HERE}.json`);
});
afterEach(() => rmSync(folder, { recursive: true }));

describe('a kept verdict', () => {
  it('is believed for the same fingerprint, and readable for nobody else', () => {
    keep(folder, VERDICT);
    expect(readKept(folder, HERE)).toEqual(VERDICT);
    expect(readKept(folder, 'b'.repeat(64))).toBeUndefined();
    expect(statSync(file).mode & 0o777).toBe(0o600);
  });

  it.each([
    ['nothing', () => {}],
    ['half of it', () => writeFileSync(file, '{"fingerprint":', { mode: 0o600 })],
    [
      'another shape',
      () => writeFileSync(file, JSON.stringify({ ...VERDICT, more: 1 }), { mode: 0o600 }),
    ],
    ['more than it may be', () => writeFileSync(file, ' '.repeat(600_000), { mode: 0o600 })],
    ['one that others can write', () => (keep(folder, VERDICT), chmodSync(file, 0o666))],
    [
      'a link',
      () => {
        keep(folder, VERDICT);
        renameSync(file, join(folder, 'other'));
        symlinkSync(join(folder, 'other'), file);
      },
    ],
  ])('is not believed when there is %s', (_, put) => {
    put();
    expect(readKept(folder, HERE)).toBeUndefined();
  });

  it('is not believed under the name of another one', () => {
    keep(folder, VERDICT);
    const other = 'b'.repeat(64);
    renameSync(file, join(folder, `${other}.json`));
    expect(readKept(folder, other)).toBeUndefined();
  });

  it('stays when another version keeps its own, until there are too many', () => {
    const others = Array.from({ length: 8 }, (_, place) => fingerprintOf(versioned(place)));
    keep(folder, VERDICT);
    utimesSync(file, 1, 1);
    for (const fingerprint of others.slice(1)) keep(folder, { ...VERDICT, fingerprint });
    expect(readKept(folder, HERE)).toEqual(VERDICT);
    for (const fingerprint of others) keep(folder, { ...VERDICT, fingerprint });
    expect(readKept(folder, HERE)).toBeUndefined();
    for (const fingerprint of others) expect(readKept(folder, fingerprint)).toBeDefined();
  });
});
