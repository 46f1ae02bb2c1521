import { chmodSync, mkdirSync, symlinkSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { dangerOfDirectory, dangerOfFile, readSafeFile } from './safe-file.ts';
import { SampleHome } from './sample.fixture.ts';
import { MAX_FILE_BYTES } from './toml-file.ts';

const ME = 1000;
const STRANGER = 1001;
const ROOT = 0;

describe('a file is safe or not by who owns it and who may touch it', () => {
  it.each([
    ['system', ROOT, 0o644, undefined],
    ['system', ROOT, 0o600, undefined],
    ['system', ROOT, 0o664, '644'],
    ['system', ROOT, 0o646, '644'],
    ['system', ME, 0o644, 'owner'],
    ['user', ME, 0o600, undefined],
    ['user', ME, 0o400, undefined],
    ['user', ME, 0o640, '600'],
    ['user', ME, 0o604, '600'],
    ['user', ME, 0o601, '600'],
    ['user', ROOT, 0o600, undefined],
    ['user', STRANGER, 0o600, 'owner'],
    ['named', ME, 0o600, undefined],
    ['named', ME, 0o644, '600'],
    ['named', ROOT, 0o644, undefined],
    ['named', ROOT, 0o666, '644'],
    ['named', STRANGER, 0o600, 'owner'],
    ['workspace', STRANGER, 0o666, undefined],
  ] as const)('%s file of %i with mode %o: %s', (kind, uid, mode, fix) => {
    const danger = dangerOfFile(kind, { uid, mode: 0o100_000 | mode }, ME);
    expect(danger === undefined ? undefined : (danger.mode ?? 'owner')).toBe(fix);
  });

  it('does not trust root with less when root is the one who asks', () => {
    expect(dangerOfFile('named', { uid: ROOT, mode: 0o644 }, ROOT)?.mode).toBe('600');
    expect(dangerOfFile('user', { uid: ME, mode: 0o600 }, ROOT)?.reason).toContain('another user');
  });
});

describe('a directory is safe or not by who owns it and who may touch it', () => {
  it.each([
    ['system', ROOT, 0o755, undefined],
    ['system', ROOT, 0o777, '755'],
    ['system', ME, 0o755, 'owner'],
    ['user', ME, 0o700, undefined],
    ['user', ME, 0o750, '700'],
    ['user', ROOT, 0o700, 'owner'],
    ['user', STRANGER, 0o700, 'owner'],
    ['named', ME, 0o755, undefined],
    ['named', ROOT, 0o1777, undefined],
    ['named', ROOT, 0o777, '755'],
    ['named', STRANGER, 0o1777, 'owner'],
    ['workspace', STRANGER, 0o777, undefined],
  ] as const)('%s directory of %i with mode %o: %s', (kind, uid, mode, fix) => {
    const danger = dangerOfDirectory(kind, { uid, mode: 0o40_000 | mode }, ME);
    expect(danger === undefined ? undefined : (danger.mode ?? 'owner')).toBe(fix);
  });
});

describe('reading a file', () => {
  it('gives its bytes', () => {
    using home = new SampleHome();
    const file = home.writeUserFile('tls = true');
    expect(readSafeFile({ kind: 'user', file })).toEqual({
      kind: 'read',
      bytes: Buffer.from('tls = true'),
    });
  });

  it('that is not there, with or without its directory, is no problem', () => {
    using home = new SampleHome();
    const missing = { kind: 'missing' };
    expect(readSafeFile({ kind: 'user', file: `${home.root}/no.toml` })).toEqual(missing);
    expect(readSafeFile({ kind: 'user', file: `${home.root}/no/no.toml` })).toEqual(missing);
    expect(readSafeFile({ kind: 'workspace', file: `${home.root}/no.toml` })).toEqual(missing);
  });

  it.each(['user', 'named', 'workspace'] as const)('does not follow a link: %s', (kind) => {
    using home = new SampleHome();
    const target = home.write('target.toml', 'tls = true');
    const file = `${home.root}/palyra.toml`;
    symlinkSync(target, file);
    expect(readSafeFile({ kind, file })).toMatchObject({
      kind: 'refused',
      problem: { message: `${file} cannot be used: it is a symbolic link` },
    });
  });

  it('refuses a directory in its place', () => {
    using home = new SampleHome();
    const file = `${home.root}/palyra.toml`;
    mkdirSync(file);
    expect(readSafeFile({ kind: 'user', file })).toMatchObject({
      kind: 'refused',
      problem: { code: 'CONFIG_INVALID', message: `${file} cannot be used: not a regular file` },
    });
  });

  it('refuses a file in the place of its directory', () => {
    using home = new SampleHome();
    const file = `${home.write('config', '')}/palyra.toml`;
    expect(readSafeFile({ kind: 'user', file })).toMatchObject({
      kind: 'refused',
      problem: { code: 'CONFIG_INVALID' },
    });
  });

  it('refuses one byte more than the bound', () => {
    using home = new SampleHome();
    const file = home.write('large.toml', Buffer.alloc(MAX_FILE_BYTES + 1, '#'));
    expect(readSafeFile({ kind: 'user', file }).kind).toBe('refused');
    home.write('large.toml', Buffer.alloc(MAX_FILE_BYTES, '#'));
    expect(readSafeFile({ kind: 'user', file }).kind).toBe('read');
  });

  it('of a workspace does not ask who may write it', () => {
    using home = new SampleHome();
    const file = home.write('palyra.toml', '');
    chmodSync(file, 0o666);
    chmodSync(home.root, 0o777);
    expect(readSafeFile({ kind: 'workspace', file }).kind).toBe('read');
  });
});
