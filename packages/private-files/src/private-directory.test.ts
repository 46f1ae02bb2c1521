import { chmodSync, chownSync, mkdirSync, symlinkSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { checkPrivateDirectory, makePrivateDirectory } from './private-directory.ts';
import {
  IS_ROOT,
  modeOf,
  SOMEBODY_ELSE,
  system,
  TempDirectory,
  unsafe,
} from './temp-directory.fixture.ts';

describe('a private directory', () => {
  it('is made with those above it, and only we may enter any of them', () => {
    using temp = new TempDirectory();
    makePrivateDirectory(temp.at('state/keys'));
    expect([modeOf(temp.at('state')), modeOf(temp.at('state/keys'))]).toEqual(['700', '700']);
  });

  it('that is there already stays as it is', () => {
    using temp = new TempDirectory();
    makePrivateDirectory(temp.at('keys'));
    temp.write('keys/a', 'text');
    chmodSync(temp.at('keys'), 0o500);
    makePrivateDirectory(temp.at('keys'));
    expect(modeOf(temp.at('keys'))).toBe('500');
    // So that the test can clean up after itself also where it is not root.
    chmodSync(temp.at('keys'), 0o700);
  });

  it.each([0o701, 0o702, 0o704, 0o710, 0o720, 0o740, 0o755, 0o1777])(
    'is refused when its mode is %o, with the way out',
    (mode) => {
      using temp = new TempDirectory();
      mkdirSync(temp.at('keys'));
      chmodSync(temp.at('keys'), mode);
      expect(() => makePrivateDirectory(temp.at('keys'))).toThrow(
        expect.objectContaining({
          code: 'HOME_UNSAFE',
          message: `\`${temp.at('keys')}\` is open to other users`,
          help: `take their rights away with \`chmod 700 '${temp.at('keys')}'\``,
        }),
      );
    },
  );

  it('is refused when it is a link, also to one of ours', () => {
    using temp = new TempDirectory();
    makePrivateDirectory(temp.at('real'));
    symlinkSync(temp.at('real'), temp.at('keys'));
    const refusal = unsafe(`\`${temp.at('keys')}\` is a link or not a directory`);
    expect(() => makePrivateDirectory(temp.at('keys'))).toThrow(refusal);
    expect(() => checkPrivateDirectory(temp.at('keys'))).toThrow(refusal);
  });

  it('is refused when it is a file', () => {
    using temp = new TempDirectory();
    const path = temp.write('keys', '');
    expect(() => checkPrivateDirectory(path)).toThrow(
      unsafe(`\`${path}\` is a link or not a directory`),
    );
  });

  it.runIf(IS_ROOT)('is refused when it belongs to somebody else, even if we are root', () => {
    using temp = new TempDirectory();
    makePrivateDirectory(temp.at('keys'));
    chownSync(temp.at('keys'), SOMEBODY_ELSE, SOMEBODY_ELSE);
    expect(() => makePrivateDirectory(temp.at('keys'))).toThrow(
      unsafe(`\`${temp.at('keys')}\` belongs to another user`),
    );
  });

  it('that is missing is for the caller to judge', () => {
    using temp = new TempDirectory();
    expect(() => checkPrivateDirectory(temp.at('keys'))).toThrow(system('ENOENT'));
  });
});
