import {
  chmodSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PalyraError } from '@palyra/kernel';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type KeySource, readKey } from './keys.ts';

const KEY = 'secret-key-0123456789';

function refusalOf(source: KeySource, workspaces: readonly string[] = []): PalyraError {
  try {
    readKey(source, {
      environment: { EMPTY: '', SPACED: `${KEY} ${KEY}`, LINES: `${KEY}\n${KEY}` },
      workspaces,
      own: [],
    });
  } catch (error) {
    if (error instanceof PalyraError) return error;
    throw error;
  }
  throw new Error('the key was taken');
}

describe('a key', () => {
  let folder = '';
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'palyra-keys-'));
  });
  afterAll(() => {
    rmSync(folder, { recursive: true });
  });
  const write = (name: string, content: string, mode = 0o600) => {
    const path = join(folder, name);
    writeFileSync(path, content);
    chmodSync(path, mode);
    return path;
  };
  const file = (path: string): KeySource => ({ kind: 'file', path });

  it('may be none', () => {
    expect(readKey({ kind: 'none' }, { environment: {}, workspaces: [], own: [] })).toBe('');
  });

  it('comes from the variable that is named', () => {
    const environment = { A: `${KEY}\n`, B: 'another' };
    expect(
      readKey({ kind: 'environment', name: 'A' }, { environment, workspaces: [], own: [] }),
    ).toBe(KEY);
  });

  it('comes from a file that only we may read, without the line end', () => {
    const path = write('good', `${KEY}\r\n`);
    expect(
      readKey(file(path), { environment: {}, workspaces: [join(folder, 'work')], own: [] }),
    ).toBe(KEY);
  });

  it.each(['ABSENT', 'EMPTY', 'SPACED', 'LINES'])('is refused from the variable %s', (name) => {
    const error = refusalOf({ kind: 'environment', name });
    expect(error.code).toBe('CONFIG_INVALID');
    expect(`${error.message} ${error.help}`).not.toContain(KEY);
  });

  it.each([0o640, 0o604, 0o660])('is refused from a file of mode %o', (mode) => {
    const error = refusalOf(file(write('open', KEY, mode)));
    expect(error.code).toBe('HOME_UNSAFE');
    expect(error.help).toContain('chmod 600');
  });

  it('is refused from a link, a directory and a file that is not there', () => {
    symlinkSync(write('linked', KEY), join(folder, 'link'));
    expect(refusalOf(file(join(folder, 'link'))).code).toBe('HOME_UNSAFE');
    expect(refusalOf(file(folder)).code).toBe('HOME_UNSAFE');
    expect(refusalOf(file(join(folder, 'absent'))).code).toBe('CONFIG_INVALID');
  });

  it('is refused from a file that is too long or holds something else', () => {
    expect(refusalOf(file(write('long', 'x'.repeat(4097)))).message).toContain('EFBIG');
    const error = refusalOf(file(write('page', `<html>${KEY} </html>`)));
    expect(error.message).toMatch(/^what `.*` holds is not a key$/);
  });

  it('is taken from a folder of the gateway itself, also where a workspace holds that', () => {
    mkdirSync(join(folder, 'config'));
    const path = write(join('config', 'key'), KEY);
    const places = { environment: {}, workspaces: [folder], own: [join(folder, 'config')] };
    expect(readKey(file(path), places)).toBe(KEY);
  });

  it('is refused from a workspace, also behind a link to it', () => {
    mkdirSync(join(folder, 'work', 'deep'), { recursive: true });
    const path = write(join('work', 'deep', 'key'), KEY);
    symlinkSync(join(folder, 'work', 'deep'), join(folder, 'shortcut'));
    for (const each of [path, join(folder, 'shortcut', 'key')]) {
      const error = refusalOf(file(each), [join(folder, 'work')]);
      expect(error.message).toMatch(/lies in a workspace$/);
    }
    expect(refusalOf(file(path), [join(folder, 'work', 'deep')]).code).toBe('HOME_UNSAFE');
  });

  it('is refused from a file that has another name, which may lie in a workspace', () => {
    mkdirSync(join(folder, 'shared'), { recursive: true });
    const path = join(folder, 'second-name');
    linkSync(write(join('shared', 'key'), KEY), path);
    const error = refusalOf(file(path), [join(folder, 'shared')]);
    expect(error.code).toBe('HOME_UNSAFE');
    expect(error.message).toMatch(/has another name elsewhere \(a hard link\)$/);
  });
});
