import { PalyraError, type VerifyReport } from '@palyra/kernel';
import { tempHome } from '@palyra/testkit';
import { describe, expect, it } from 'vitest';
import { behindArchive, joinReports, withWayOut } from './stored-journal.ts';

const STORE = {
  verdict: 'intact',
  entries: 5,
  firstSequence: 11,
  lastSequence: 15,
  previousHash: 'ten',
  headHash: 'fifteen',
  keyId: 'key',
} as const;

const archive = (changed: object): VerifyReport => ({
  ...STORE,
  entries: 10,
  firstSequence: 1,
  lastSequence: 10,
  previousHash: 'genesis',
  headHash: 'ten',
  ...changed,
});

describe('a store and its archive', () => {
  it('are one journal when the archive leads up to the store', () => {
    expect(joinReports(archive({}), STORE)).toEqual({
      ...STORE,
      entries: 15,
      firstSequence: 1,
      previousHash: 'genesis',
    });
  });

  it.each([{ headHash: 'another ten' }, { lastSequence: 9, entries: 9 }])(
    'are broken where they do not meet: %j',
    (changed) => {
      expect(joinReports(archive(changed), STORE)).toMatchObject({
        verdict: 'broken',
        fault: { sequence: 11 },
      });
    },
  );

  it('are broken when the archive is', () => {
    const broken = { verdict: 'broken', entries: 3, fault: { sequence: 4, reason: 'x' } } as const;
    expect(joinReports(broken, STORE)).toEqual(broken);
  });

  it('are the store alone when the archive is kept elsewhere', () => {
    expect(joinReports(archive({ entries: 0, lastSequence: 0 }), STORE)).toEqual(STORE);
  });

  it('count as good up to the first bad entry of both', () => {
    const store = { verdict: 'broken', entries: 3, fault: { sequence: 14, reason: 'x' } } as const;
    expect(behindArchive(archive({}), store)).toEqual({ ...store, entries: 13 });
    const broken = { verdict: 'broken', entries: 4, fault: { sequence: 5, reason: 'y' } } as const;
    expect(behindArchive(broken, store)).toEqual(broken);
    expect(behindArchive(archive({ entries: 0, lastSequence: 0 }), store)).toEqual(store);
  });
});

describe('a journal that cannot be looked at', () => {
  const unwritable = (code: string) => {
    const cause = Object.assign(new Error('no'), { code });
    return new PalyraError('JOURNAL_UNWRITABLE', 'the store is read-only', { cause });
  };

  it.each(['EACCES', 'EPERM'])("is another user's, and not on a full disk: %s", async (code) => {
    await using home = await tempHome();
    expect(withWayOut(unwritable(code), home.places)).toMatchObject({
      code: 'HOME_UNSAFE',
      message: `\`${home.places.stateDir}\` may not be read by this user`,
      help: 'start this as the user to whom it belongs, or unset `PALYRA_HOME`',
    });
  });

  it('stays what it is for every other reason', async () => {
    await using home = await tempHome();
    const fault = unwritable('EIO');
    expect(withWayOut(fault, home.places)).toBe(fault);
  });
});
