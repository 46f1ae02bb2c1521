import {
  appendFileSync,
  chmodSync,
  chownSync,
  closeSync,
  existsSync,
  linkSync,
  mkdirSync,
  readFileSync,
  symlinkSync,
} from 'node:fs';
import { createServer } from 'node:net';
import { once } from 'node:events';
import { describe, expect, it } from 'vitest';
import {
  hasPrivateFile,
  makePrivateFile,
  openPrivateFile,
  readPrivateFile,
} from './private-file.ts';
import {
  IS_ROOT,
  modeOf,
  SOMEBODY_ELSE,
  system,
  TempDirectory,
  unsafe,
} from './temp-directory.fixture.ts';

const LIMIT = 64;
const USES = [
  ['looked for', hasPrivateFile],
  ['opened', openPrivateFile],
  ['read', (path: string) => readPrivateFile(path, LIMIT)],
] as const;

describe.each(USES)('a private file that is %s', (_, use) => {
  it.each([0o601, 0o602, 0o604, 0o610, 0o620, 0o640, 0o666])(
    'is refused when its mode is %o, with the way out',
    (mode) => {
      using temp = new TempDirectory();
      const path = temp.write('a.key', 'text');
      chmodSync(path, mode);
      expect(() => use(path)).toThrow(
        expect.objectContaining({
          code: 'HOME_UNSAFE',
          message: `\`${path}\` is open to other users`,
          help: `take their rights away with \`chmod 600 '${path}'\``,
        }),
      );
    },
  );

  it.each(['of ours', 'to nowhere'])('is refused when it is a link %s', (where) => {
    using temp = new TempDirectory();
    const target = where === 'of ours' ? temp.write('real', 'text') : temp.at('nowhere');
    symlinkSync(target, temp.at('a.key'));
    expect(() => use(temp.at('a.key'))).toThrow(expect.objectContaining({ code: 'HOME_UNSAFE' }));
  });

  it('is refused when it is a directory', () => {
    using temp = new TempDirectory();
    mkdirSync(temp.at('a.key'), { mode: 0o700 });
    expect(() => use(temp.at('a.key'))).toThrow(
      unsafe(`\`${temp.at('a.key')}\` is not a plain file`),
    );
  });

  it('is refused when it is a socket', async () => {
    using temp = new TempDirectory();
    const server = createServer().listen(temp.at('a.key'));
    await once(server, 'listening');
    chmodSync(temp.at('a.key'), 0o600);
    expect(() => use(temp.at('a.key'))).toThrow(
      unsafe(`\`${temp.at('a.key')}\` is not a plain file`),
    );
    server.close();
  });

  it.runIf(IS_ROOT)('is refused when it belongs to somebody else, even if we are root', () => {
    using temp = new TempDirectory();
    const path = temp.write('a.key', 'text');
    chownSync(path, SOMEBODY_ELSE, SOMEBODY_ELSE);
    expect(() => use(path)).toThrow(unsafe(`\`${path}\` belongs to another user`));
  });
});

describe('a private file', () => {
  it('that is not there, with or without its directory, is no fault', () => {
    using temp = new TempDirectory();
    expect(hasPrivateFile(temp.at('a.key'))).toBe(false);
    for (const name of ['a.key', 'keys/a.key']) {
      expect(openPrivateFile(temp.at(name))).toBeUndefined();
      expect(readPrivateFile(temp.at(name), LIMIT)).toBeUndefined();
    }
  });

  it('that only we may use is found, opened and read', () => {
    using temp = new TempDirectory();
    const path = temp.write('a.key', 'Schlüssel\n');
    expect(hasPrivateFile(path)).toBe(true);
    expect(readPrivateFile(path, LIMIT)).toBe('Schlüssel\n');
    const handle = openPrivateFile(path) ?? -1;
    expect(readFileSync(handle, 'utf8')).toBe('Schlüssel\n');
    closeSync(handle);
  });

  it('is read to its limit, and one byte more is too long', () => {
    using temp = new TempDirectory();
    const path = temp.write('a.key', 'x'.repeat(LIMIT));
    expect(readPrivateFile(path, LIMIT)).toBe('x'.repeat(LIMIT));
    appendFileSync(path, 'x');
    expect(() => readPrivateFile(path, LIMIT)).toThrow(system('EFBIG'));
  });

  it('with another name is read, or refused where it must have one', () => {
    using temp = new TempDirectory();
    const path = temp.write('a.key', 'secret');
    expect(readPrivateFile(path, LIMIT, 'one')).toBe('secret');
    linkSync(path, temp.at('second'));
    expect(readPrivateFile(path, LIMIT)).toBe('secret');
    expect(() => readPrivateFile(path, LIMIT, 'one')).toThrow(
      `\`${path}\` has another name elsewhere (a hard link)`,
    );
  });

  it('may be empty', () => {
    using temp = new TempDirectory();
    expect(readPrivateFile(temp.write('a.key', ''), 0)).toBe('');
  });

  it('is made empty, and only where nothing is', () => {
    using temp = new TempDirectory();
    makePrivateFile(temp.at('lock'));
    expect([readFileSync(temp.at('lock'), 'utf8'), modeOf(temp.at('lock'))]).toEqual(['', '600']);
    expect(() => makePrivateFile(temp.at('lock'))).toThrow(system('EEXIST'));
    symlinkSync(temp.at('elsewhere'), temp.at('link'));
    expect(() => makePrivateFile(temp.at('link'))).toThrow(system('EEXIST'));
    expect(existsSync(temp.at('elsewhere'))).toBe(false);
  });
});
