import { mkdirSync, realpathSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { placesFor } from '@palyra/kernel';
import { tempHome } from '@palyra/testkit';
import { describe, expect, it } from 'vitest';
import { createWorkspaces } from './workspaces.ts';

/** A gateway that was started in `home`, and may work in the folders of these names beside it. */
async function opened(...further: readonly string[]) {
  const temp = await tempHome();
  const root = realpathSync(temp.path);
  const at = (name: string) => join(root, name);
  for (const name of ['home', 'one', 'two']) mkdirSync(at(name), { recursive: true });
  symlinkSync(at('one'), at('link'));
  const places = placesFor({ PALYRA_HOME: at('own') });
  if (places === undefined) throw new Error('no places');
  const runs = { workspaces: further.map((name) => (name.startsWith('/') ? name : at(name))) };
  const make = () => createWorkspaces({ places, workspaceDir: at('home'), config: { runs } });
  return { at, make, [Symbol.asyncDispose]: () => temp[Symbol.asyncDispose]() };
}

const denied = expect.objectContaining({ code: 'SANDBOX_SCOPE_DENIED' });

describe('the folders that runs may work in', () => {
  it('are the one in which the gateway was started and those that the operator names', async () => {
    await using place = await opened('one', 'home');
    const { at } = place;
    const workspaces = place.make();
    expect(workspaces.home).toBe(at('home'));
    expect(workspaces.further).toEqual([at('one')]);
    expect(workspaces.choose('')).toBe(at('home'));
    expect(workspaces.choose(at('one'))).toBe(at('one'));
    expect(workspaces.now(at('one')).number).not.toBe('');
  });

  it('have one name each, whatever link leads there', async () => {
    await using place = await opened('link');
    const workspaces = place.make();
    expect(workspaces.further).toEqual([place.at('one')]);
    expect(workspaces.choose(place.at('link'))).toBe(place.at('one'));
    expect(() => workspaces.groundIn(place.at('link'))).toThrow(denied);
  });

  it.each(['two', 'one/below', 'one/../two', 'nowhere', '/', '/etc'])(
    'are not %s, which nobody named',
    async (name) => {
      await using place = await opened('one');
      const named = name.startsWith('/') ? name : place.at(name);
      expect(() => place.make().choose(named)).toThrow(denied);
    },
  );

  it.each(['/', '/usr/share', 'own', 'own/state', '.', 'home/below'])(
    'are not %s, whoever names it: it is the machine’s, the gateway’s or around its own folder',
    async (name) => {
      await using place = await opened(name);
      const workspaces = place.make();
      const [path = ''] = workspaces.further;
      expect(() => workspaces.choose(path)).toThrow(denied);
      expect(() => workspaces.groundIn(path)).toThrow(denied);
    },
  );

  it('are neither of two that lie in one another', async () => {
    await using place = await opened('one', 'one/below');
    const workspaces = place.make();
    for (const path of workspaces.further) expect(() => workspaces.choose(path)).toThrow(denied);
  });

  it('are found without a look at the disk, so that nobody learns what is there', async () => {
    await using place = await opened('one');
    symlinkSync(place.at('one'), place.at('later'));
    const workspaces = place.make();
    const long = `/zz/${'a/'.repeat(1_000_000)}`;
    for (const named of [place.at('later'), `${place.at('one')}/.`, 'one', long]) {
      expect(() => workspaces.choose(named)).toThrow(denied);
    }
    expect(() => workspaces.choose(place.at('later'))).toThrow(
      expect.objectContaining({ message: expect.stringContaining('later') }),
    );
  });

  it('stay what they are while a sandbox keeps names in them', async () => {
    await using place = await opened('one');
    const workspaces = place.make();
    writeFileSync(place.at('one/palyra.toml'), '');
    mkdirSync(place.at('one/.palyra'));
    expect(workspaces.choose(place.at('one'))).toBe(place.at('one'));
  });

  it.each(['palyra.toml', '.palyra/policies', '.palyra'])(
    'are none any more once they hold a %s, which would not be heard',
    async (name) => {
      await using place = await opened('one');
      const workspaces = place.make();
      const path = workspaces.choose(place.at('one'));
      if (name === '.palyra/policies') mkdirSync(join(path, name), { recursive: true });
      else writeFileSync(join(path, name), 'mode = "read-only"');
      expect(() => workspaces.groundIn(path)).toThrow(denied);
      expect(workspaces.groundIn(workspaces.home).workspace).toBe(workspaces.home);
    },
  );
});
