import { describe, expect, it } from 'vitest';
import { NO_OWN_GROUND, ownGround } from './own-ground.ts';

const home = ownGround({
  workspace: '/home/ada',
  folders: ['/home/ada/.config/palyra', '/srv/gw/state', '/etc/palyra'],
});

describe('what the gateway keeps for itself', () => {
  it.each([
    '.config/palyra',
    '.config/palyra/policies/x.cedar',
    '/home/ada/.config/palyra/palyra.toml',
    '/srv/gw/state/keys/signer',
    '/etc/palyra/policies',
    '.CONFIG/Palyra/x',
    '.config/palyra./x',
    '.config/p\u200Balyra/x',
    '.config/ｐalyra/x',
    '.config\\palyra\\x',
    'docs\\..\\.config\\palyra\\x',
  ])('is touched by %j', (path) => {
    expect(home.touchedBy(['README.md', path], 'itself')).toBe(true);
  });

  it.each([
    '.',
    '.config',
    '.config/palyra-notes/x',
    '.config/other/palyra',
    'work/.config/palyra/x',
    '/srv/gw',
    '/srv/gw/state2',
    '/etc/passwd',
    '/',
  ])('is not touched by %j', (path) => {
    expect(home.touchedBy([path], 'itself')).toBe(false);
  });

  it.each(['.', '.config', '/', '/home', '/srv/gw', '/etc'])(
    'is touched by whoever goes through everything below %j',
    (path) => {
      expect(home.touchedBy([path], 'below')).toBe(true);
    },
  );

  it.each(['work', '.config/other', '/srv/other', '/usr'])(
    'is not touched by whoever goes through everything below %j',
    (path) => {
      expect(home.touchedBy([path], 'below')).toBe(false);
    },
  );

  it('is touched from a workspace inside of it by anything', () => {
    const inside = ownGround({ workspace: '/srv/gw/state/x', folders: ['/srv/gw/state'] });
    expect(inside.touchedBy(['.'], 'itself')).toBe(true);
    expect(inside.touchedBy(['/srv'], 'itself')).toBe(false);
  });

  it('is nothing where there is no gateway, and touched by no path where there is none', () => {
    expect(NO_OWN_GROUND.touchedBy(['/', '.'], 'below')).toBe(false);
    expect(home.touchedBy([], 'below')).toBe(false);
  });
});
