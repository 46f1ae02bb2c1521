import { mkdirSync, realpathSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { placesFor } from '@palyra/kernel';
import { tempHome } from '@palyra/testkit';
import { expect, it } from 'vitest';
import { ownPlaces } from './own-places.ts';

it('the folders of the gateway are named as they are written and as they really are', async () => {
  await using home = await tempHome();
  const root = realpathSync(home.path);
  const real = join(root, 'real');
  mkdirSync(join(real, 'work'), { recursive: true });
  const link = join(root, 'link');
  symlinkSync(real, link);
  const places = placesFor({ HOME: link });
  if (places === undefined) throw new Error('no places');
  expect(ownPlaces({ places, workspaceDir: join(link, 'work') })).toEqual({
    workspace: join(real, 'work'),
    folders: [
      join(link, '.config/palyra'),
      join(link, '.local/state/palyra'),
      '/etc/palyra',
      '/var/lib/palyra',
      join(real, '.config/palyra'),
      join(real, '.local/state/palyra'),
    ],
  });
});
