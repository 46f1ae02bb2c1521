import { chmodSync, existsSync, mkdirSync, statSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { describe, expect, it } from 'vitest';
import { prepareHome } from './home.ts';
import { SampleHome, refusal } from './sample.fixture.ts';

describe('preparing the home', () => {
  it('makes every directory for the owner alone, and may be done twice', () => {
    using home = new SampleHome();
    const { places } = home;
    prepareHome(places);
    prepareHome(places);
    const { configDir, stateDir, keysDir, archiveDir, storeFile } = places;
    for (const path of [configDir, stateDir, keysDir, archiveDir, dirname(storeFile)]) {
      expect(statSync(path).mode & 0o777).toBe(0o700);
    }
  });

  it('names every directory that is open to others, and changes none of them', () => {
    using home = new SampleHome();
    const { configDir, stateDir } = home.places;
    for (const [path, mode] of [
      [configDir, 0o755],
      [stateDir, 0o770],
    ] as const) {
      mkdirSync(path);
      chmodSync(path, mode);
    }
    const { problems } = refusal(() => prepareHome(home.places));
    expect(problems.map(({ code, help }) => [code, help])).toEqual([
      ['HOME_UNSAFE', `run \`chmod 700 '${configDir}'\``],
      ['HOME_UNSAFE', `run \`chmod 700 '${stateDir}'\``],
    ]);
    expect(statSync(configDir).mode & 0o777).toBe(0o755);
  });

  it.each([0o777, 0o775])('refuses a home in which others could swap it: %o', (mode) => {
    using home = new SampleHome();
    chmodSync(home.root, mode);
    const expected = { code: 'HOME_UNSAFE', help: `run \`chmod 755 '${home.root}'\`` };
    expect(refusal(() => prepareHome(home.places)).problems).toMatchObject([expected]);
    expect(refusal(() => home.load()).problems).toMatchObject([expected]);
    expect(existsSync(home.places.configDir)).toBe(false);
  });

  it.each([0o755, 0o1777])('takes a home in which others cannot swap it: %o', (mode) => {
    using home = new SampleHome();
    chmodSync(home.root, mode);
    prepareHome(home.places);
    expect(home.load().config.deployment.profile).toBe('local');
  });

  it('says so when a file stands in the way', () => {
    using home = new SampleHome();
    writeFileSync(home.places.stateDir, '');
    const { problems } = refusal(() => prepareHome(home.places));
    expect(problems.length).toBeGreaterThan(0);
    expect(problems[0]).toMatchObject({
      code: 'CONFIG_INVALID',
      origin: { file: home.places.stateDir },
    });
  });
});
