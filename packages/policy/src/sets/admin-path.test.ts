import { chmodSync, chownSync, mkdirSync, renameSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { trustInParents } from './admin-path.ts';
import { IS_ROOT, LayerDirectories, SOMEBODY_ELSE } from './directory.fixture.ts';
import { readLayers } from './read-layers.ts';

describe.runIf(IS_ROOT)('the rules of the machine', () => {
  it('are believed below directories that only root can write to', () => {
    using layers = new LayerDirectories();
    layers.write('admin', 'a.cedar', 'a');
    expect(readLayers(layers.dirs)).toEqual({
      files: [{ layer: 'admin', name: 'a.cedar', text: 'a' }],
      problems: [],
    });
  });

  it.each([
    ['belongs to somebody else', (path: string) => chownSync(path, SOMEBODY_ELSE, 0)],
    ['its group may write to', (path: string) => chmodSync(path, 0o775)],
    ['everybody may write to', (path: string) => chmodSync(path, 0o777)],
    ['everybody may add to', (path: string) => chmodSync(path, 0o1777)],
  ])(
    'are refused below a directory that %s, at any height, also when they are gone',
    (_name, spoil) => {
      for (const height of ['..', '../..']) {
        using layers = new LayerDirectories();
        const admin = join(layers.etc, 'palyra/policies');
        mkdirSync(admin, { recursive: true, mode: 0o755 });
        const spoilt = join(admin, height);
        spoil(spoilt);
        expect(readLayers({ admin })).toMatchObject({
          files: [],
          problems: [
            { layer: 'admin', file: '.', reason: expect.stringContaining(`\`${spoilt}\``) },
          ],
        });
        renameSync(admin, `${admin}.away`);
        expect(readLayers({ admin }).problems).toHaveLength(1);
      }
    },
  );

  it('are refused in a directory for everybody, whoever owns what lies in it', () => {
    using layers = new LayerDirectories();
    mkdirSync(layers.at('etc/policies'), { recursive: true, mode: 0o755 });
    expect(trustInParents(layers.at('etc/policies'))).toMatchObject({
      kind: 'refused',
      complaint: { reason: expect.stringContaining('mode 1777') },
    });
  });

  it('are believed through a link of root, if that leads to where only root can write', () => {
    using layers = new LayerDirectories();
    layers.write('admin', 'a.cedar', '');
    symlinkSync('.', join(layers.etc, 'here'));
    expect(trustInParents(join(layers.etc, 'here/policies')).kind).toBe('trusted');
    symlinkSync(layers.path, join(layers.etc, 'elsewhere'));
    expect(trustInParents(join(layers.etc, 'elsewhere/policies')).kind).toBe('refused');
    symlinkSync('round', join(layers.etc, 'round'));
    expect(trustInParents(join(layers.etc, 'round/policies')).kind).toBe('refused');
  });

  it('are none where there is not even a directory above them', () => {
    using layers = new LayerDirectories();
    expect(trustInParents(layers.at('nowhere/policies')).kind).toBe('missing');
  });
});
