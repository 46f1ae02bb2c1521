import { describe, expect, it } from 'vitest';
import { treeFrom } from '../tree.ts';
import { checkLock } from './check-lock.ts';
import { smallRepository } from './small-repository.fixture.ts';

describe('checkLock', () => {
  it('likes a lock with every platform, no host and no unknown script', () => {
    expect(checkLock(treeFrom(smallRepository()))).toEqual([]);
  });

  it.each([
    [
      'a platform that is missing',
      { integrity: 'a', optionalDependencies: { 'native-mac': '1.0.0' } },
      '`native-mac`, an option of `native`, is missing',
    ],
    [
      'a host',
      { integrity: 'a', resolved: 'https://example.com/a.tgz' },
      '`native` names the host it came from',
    ],
    [
      'a git address',
      { integrity: 'a', resolved: 'git+ssh://example.com/a' },
      '`native` names the host it came from',
    ],
    [
      'an install script',
      { integrity: 'a', hasInstallScript: true },
      '`native` wants to run a script when it is installed',
    ],
    ['no hash', {}, '`native` has no integrity hash'],
  ])('refuses %s', (_, entry, says) => {
    const lock = JSON.stringify({ packages: { '': {}, 'node_modules/native': entry } });
    expect(checkLock(treeFrom(smallRepository({ 'package-lock.json': lock })))).toEqual([
      { path: 'package-lock.json', says },
    ]);
  });

  it('refuses a version that may move', () => {
    const manifest = JSON.stringify({
      name: 'root',
      version: '1.0.0',
      devDependencies: { a: '^1.0.0' },
    });
    expect(checkLock(treeFrom(smallRepository({ 'package.json': manifest })))).toEqual([
      { path: 'package.json', says: '`a` is `^1.0.0`; pin one version' },
    ]);
  });
});
