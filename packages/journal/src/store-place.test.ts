import {
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { systemClock } from '@palyra/kernel';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { StorePlace } from './store-place.ts';

const NOT_KEPT = expect.objectContaining({ code: 'JOURNAL_UNWRITABLE' });
/** Any folder of the test has rested for long by then. */
const LATER = new Date('2200-01-01T00:00:00.000Z');
const late = { ...systemClock(), now: () => LATER };

let home: string;
let store: string;

beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'palyra-place-'));
  mkdirSync(join(home, 'state'));
  store = join(home, 'state', 'journal.sqlite');
  for (const file of [store, `${store}-wal`]) writeFileSync(file, '');
});

afterEach(() => rmSync(home, { recursive: true }));

const replace = (file: string) => {
  copyFileSync(file, `${file}.copy`);
  renameSync(`${file}.copy`, file);
};

const attacks: Readonly<Record<string, () => void>> = {
  'removed store': () => rmSync(store),
  'removed log': () => rmSync(`${store}-wal`),
  'replaced store': () => replace(store),
  'replaced log': () => replace(`${store}-wal`),
  'moved store': () => renameSync(store, join(home, 'elsewhere')),
  'moved folder': () => renameSync(join(home, 'state'), join(home, 'elsewhere')),
  'link in the place of the folder': () => {
    renameSync(join(home, 'state'), join(home, 'elsewhere'));
    symlinkSync(join(home, 'elsewhere'), join(home, 'state'));
  },
  'folder in the place of ours': () => {
    renameSync(join(home, 'state'), join(home, 'elsewhere'));
    mkdirSync(join(home, 'state'));
    for (const file of [store, `${store}-wal`]) writeFileSync(file, '');
  },
};

describe('the place of a store', () => {
  it('is kept while nobody touches it, also beside other files', () => {
    const place = new StorePlace(store, late);
    place.assertKept();
    writeFileSync(`${store}-shm`, '');
    place.assertKept();
    expect(() => place.assertKept()).not.toThrow();
  });

  it.each(Object.entries(attacks))('is missed once its folder was trusted: %s', (_name, attack) => {
    const place = new StorePlace(store, late);
    place.assertKept();
    place.assertKept();
    attack();
    expect(() => place.assertKept()).toThrow(NOT_KEPT);
  });

  it.each(Object.entries(attacks))('is missed right after another change: %s', (_name, attack) => {
    const place = new StorePlace(store, systemClock());
    for (let round = 0; round < 20; round += 1) {
      writeFileSync(join(home, 'state', `${round}`), '');
      place.assertKept();
    }
    // Within the same tick of the kernel, so that the folder may tell of no change.
    attack();
    expect(() => place.assertKept()).toThrow(NOT_KEPT);
  });
});
