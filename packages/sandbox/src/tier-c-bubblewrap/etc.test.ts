import {
  mkdirSync,
  mkdtempDisposableSync,
  readFileSync,
  readdirSync,
  readlinkSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { EtcShelf } from './etc.ts';

function machine() {
  const base = mkdtempDisposableSync(join(tmpdir(), 'palyra-etc-'));
  const from = join(base.path, 'etc');
  mkdirSync(join(from, 'ssl/certs/java'), { recursive: true });
  writeFileSync(join(from, 'cache'), 'one');
  writeFileSync(join(from, 'ssl/certs/java/store'), 'trusted');
  symlinkSync('../elsewhere.pem', join(from, 'ssl/certs/link.pem'));
  const wanted = [join(from, 'cache'), join(from, 'ssl/certs')];
  const files = { passwd: 'sandbox:x' };
  const shelf = new EtcShelf({ folder: join(base.path, 'made'), files, from, wanted });
  return { from, shelf, [Symbol.dispose]: () => base.remove() };
}

describe('the folder that sandboxes have as `/etc`', () => {
  it("has copies of what is the machine's, links as they are, and what is ours", () => {
    using made = machine();
    const { folder, bound } = made.shelf.current();
    expect(bound).toEqual([]);
    expect(readFileSync(join(folder, 'cache'), 'utf8')).toBe('one');
    expect(readFileSync(join(folder, 'passwd'), 'utf8')).toBe('sandbox:x');
    expect(readFileSync(join(folder, 'ssl/certs/java/store'), 'utf8')).toBe('trusted');
    expect(readlinkSync(join(folder, 'ssl/certs/link.pem'))).toBe('../elsewhere.pem');
  });

  it('is the same as long as nothing changes, and another as soon as something does', () => {
    using made = machine();
    const { folder } = made.shelf.current();
    expect(made.shelf.current().folder).toBe(folder);
    writeFileSync(join(made.from, 'ssl/certs/java/store'), 'not trusted any more');
    const next = made.shelf.current().folder;
    expect(readFileSync(join(next, 'ssl/certs/java/store'), 'utf8')).toBe('not trusted any more');
    // Sandboxes that have the old one keep it.
    expect(readFileSync(join(folder, 'ssl/certs/java/store'), 'utf8')).toBe('trusted');
    writeFileSync(join(made.from, 'ssl/certs/new.pem'), 'new');
    expect(readdirSync(join(made.shelf.current().folder, 'ssl/certs'))).toContain('new.pem');
  });

  it('leaves out links to manuals', () => {
    using made = machine();
    symlinkSync('/usr/share/man/man1/awk.1.gz', join(made.from, 'ssl/certs/awk.1.gz'));
    const { folder } = made.shelf.current();
    expect(readdirSync(join(folder, 'ssl/certs'))).toEqual(['java', 'link.pem']);
  });

  it('leaves to a mount what not everybody may read', () => {
    using made = machine();
    writeFileSync(join(made.from, 'ssl/certs/private.pem'), 'secret', { mode: 0o600 });
    const { folder, bound } = made.shelf.current();
    expect(bound).toEqual([join(made.from, 'ssl/certs')]);
    expect(readdirSync(join(folder, 'ssl/certs'))).toEqual([]);
  });
});
