import { describe, expect, it } from 'vitest';
import { placesFor } from './places.ts';

describe('places', () => {
  it('are all below PALYRA_HOME when it is set', () => {
    expect(placesFor({ PALYRA_HOME: '/srv/p', HOME: '/h', XDG_STATE_HOME: '/s' })).toEqual({
      configDir: '/srv/p/config',
      configFile: '/srv/p/config/palyra.toml',
      policiesDir: '/srv/p/config/policies',
      stateDir: '/srv/p/state',
      keysDir: '/srv/p/state/keys',
      storeFile: '/srv/p/state/store/palyra.sqlite',
      lockFile: '/srv/p/state/store/lock.sqlite',
      archiveDir: '/srv/p/state/archive',
      blobsDir: '/srv/p/state/blobs',
      sandboxDir: '/srv/p/state/sandbox',
      doorDir: '/srv/p/state/door',
      gatewaysDir: '/srv/p/state/gateways',
    });
  });

  it.each([
    [{ HOME: '/h' }, '/h/.config/palyra', '/h/.local/state/palyra'],
    [{ HOME: '/h', XDG_CONFIG_HOME: '/c' }, '/c/palyra', '/h/.local/state/palyra'],
    [{ HOME: '/h', XDG_STATE_HOME: '/s' }, '/h/.config/palyra', '/s/palyra'],
    [{ XDG_CONFIG_HOME: '/c', XDG_STATE_HOME: '/s' }, '/c/palyra', '/s/palyra'],
    [{ HOME: '/h/', XDG_CONFIG_HOME: '/c//' }, '/c/palyra', '/h/.local/state/palyra'],
    [{ PALYRA_HOME: '/' }, '/config', '/state'],
    [{ PALYRA_HOME: '//' }, '/config', '/state'],
    [{ PALYRA_HOME: '/a b' }, '/a b/config', '/a b/state'],
  ])('follow %j', (environment, configDir, stateDir) => {
    expect(placesFor(environment)).toMatchObject({ configDir, stateDir });
  });

  it.each([
    { PALYRA_HOME: '' },
    { PALYRA_HOME: 'p' },
    { PALYRA_HOME: './p' },
    { PALYRA_HOME: '~' },
  ])('do not move with the working directory: %j does not count', (environment) => {
    expect(placesFor({ ...environment, HOME: '/h' })?.stateDir).toBe('/h/.local/state/palyra');
  });

  it.each([{}, { HOME: '' }, { HOME: 'h' }, { XDG_CONFIG_HOME: '/c' }, { XDG_STATE_HOME: '/s' }])(
    'are unknown with %j',
    (environment) => {
      expect(placesFor(environment)).toBeUndefined();
    },
  );
});
