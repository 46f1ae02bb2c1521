import { describe, expect, it } from 'vitest';
import { folderGone } from './folder-gone.ts';

describe('a folder that is gone', () => {
  it('is told by the call that found it, with the way out', () => {
    const reason = Object.assign(new Error('no such file'), { code: 'ENOENT', syscall: 'uv_cwd' });
    expect(folderGone(reason)).toMatchObject({
      code: 'INVALID_INPUT',
      message: 'the current folder is gone or cannot be entered',
      help: 'go to another folder with `cd` and try again',
      cause: reason,
    });
  });

  it.each([
    Object.assign(new Error('no such file'), { code: 'ENOENT', syscall: 'open' }),
    new Error('uv_cwd'),
    { syscall: 'uv_cwd' },
    undefined,
  ])('is no other fault', (reason) => {
    expect(folderGone(reason)).toBeUndefined();
  });
});
