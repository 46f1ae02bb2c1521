import { describe, expect, it } from 'vitest';
import { guarded } from './file-fault.ts';

const failing = (code: string) => () => {
  throw Object.assign(new Error(`${code}: no`), { code });
};

describe('what the system has against a file', () => {
  it.each(['ENOSPC', 'EDQUOT'])('is told in words where there is no room: %s', (code) => {
    expect(() => guarded('/home/door/secret', failing(code))).toThrow(
      expect.objectContaining({
        code: 'AUTHORITY_UNUSABLE',
        message: '`/home/door/secret` cannot be written: the disk is full',
        help: 'free some space on that disk and try again',
      }),
    );
  });

  it('is told by its code otherwise', () => {
    expect(() => guarded('/home/door/secret', failing('EIO'))).toThrow(
      expect.objectContaining({
        code: 'AUTHORITY_UNUSABLE',
        message: '`/home/door/secret` cannot be used: EIO',
      }),
    );
  });
});
