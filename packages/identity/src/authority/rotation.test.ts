import { create } from '@bufbuild/protobuf';
import { AuthoritySchema, AuthorityState } from '@palyra/protocol';
import { describe, expect, it } from 'vitest';
import { inOrder, isAccepted, isDue, retired, retiring } from './rotation.ts';

const NOW = new Date('2030-01-02T03:04:05.678Z');
const AFTER = new Date('2030-01-09T03:04:05.678Z');
const ACTIVE = create(AuthoritySchema, { authorityId: 'a', state: AuthorityState.ACTIVE });

describe('the end of an authority', () => {
  it('comes exactly when its days are over', () => {
    const ending = retiring(ACTIVE, NOW, 7);
    expect(ending.retiresAt).toBe('2030-01-09T03:04:05.678Z');
    expect(isDue(ending, new Date(AFTER.getTime() - 1))).toBe(false);
    expect(isDue(ending, AFTER)).toBe(true);
    expect(isAccepted(ending, AFTER)).toBe(false);
  });

  it.each(['', 'soon'])('has come when its time `%s` cannot be read', (retiresAt) => {
    const ending = create(AuthoritySchema, { ...retiring(ACTIVE, NOW, 7), retiresAt });
    expect(isDue(ending, NOW)).toBe(true);
    expect(isAccepted(ending, NOW)).toBe(false);
  });

  it('never comes for the active one, and only once for the others', () => {
    expect(isDue(ACTIVE, AFTER)).toBe(false);
    expect(isAccepted(ACTIVE, AFTER)).toBe(true);
    expect(isDue(retired(ACTIVE), AFTER)).toBe(false);
    expect(isAccepted(retired(ACTIVE), NOW)).toBe(false);
    expect(isAccepted(create(AuthoritySchema, {}), NOW)).toBe(false);
  });

  it('is told in order: active, retiring, retired with the newest first', () => {
    const states = ['1', '2'].map((authorityId) =>
      retired(create(AuthoritySchema, { authorityId })),
    );
    const ending = create(AuthoritySchema, { ...retiring(ACTIVE, NOW, 7), authorityId: '3' });
    const all = inOrder([...states, ending, ACTIVE]);
    expect(all.map(({ authorityId }) => authorityId)).toEqual(['a', '3', '2', '1']);
  });
});
