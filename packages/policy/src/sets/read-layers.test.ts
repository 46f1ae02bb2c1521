import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  mkdirSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { IS_ROOT, LayerDirectories, SOMEBODY_ELSE } from './directory.fixture.ts';
import { readLayers } from './read-layers.ts';

describe('the layers on the disk', () => {
  it.runIf(IS_ROOT)('are read in order: layers, then names; other files and cases are not', () => {
    using layers = new LayerDirectories();
    layers.write('workspace', 'w.cedar', 'w');
    layers.write('operator', 'b.cedar', 'b');
    layers.write('operator', 'a.cedar', 'ä');
    layers.write('operator', 'notes.txt', 'x');
    layers.write('operator', 'a.cedar.bak', 'x');
    layers.write('operator', 'a.policytest.toml', 'x');
    layers.write('operator', 'tests/c.cedar', 'x');
    layers.write('operator', '.git/config', 'x');
    layers.write('admin', 'z.cedar', 'z');
    expect(readLayers(layers.dirs)).toEqual({
      files: [
        { layer: 'admin', name: 'z.cedar', text: 'z' },
        { layer: 'operator', name: 'a.cedar', text: 'ä' },
        { layer: 'operator', name: 'b.cedar', text: 'b' },
        { layer: 'workspace', name: 'w.cedar', text: 'w' },
      ],
      problems: [],
    });
  });

  it('are empty where there is no directory, or none is named', () => {
    using layers = new LayerDirectories();
    expect(readLayers(layers.dirs)).toEqual({ files: [], problems: [] });
    expect(readLayers({})).toEqual({ files: [], problems: [] });
  });

  it('cannot be taken while an apply is unfinished', () => {
    using layers = new LayerDirectories();
    layers.write('operator', 'a.cedar', '');
    layers.write('operator', '.applying', '');
    expect(readLayers(layers.dirs)).toMatchObject({
      files: [],
      problems: [
        {
          file: '.',
          reason: expect.stringContaining('an apply was interrupted'),
          help: 'run `palyra policy apply` again',
        },
      ],
    });
  });
});

describe('a file that is not as it should be is a problem', () => {
  it.each([
    ['a link', (path: string) => symlinkSync('/etc/passwd', path), 'it is a link'],
    ['a directory', (path: string) => mkdirSync(path), 'it is a link, or neither'],
    ['a pipe', (path: string) => execFileSync('mkfifo', [path]), 'it is a link, or neither'],
    ['not UTF-8', (path: string) => writeFileSync(path, new Uint8Array([0xff])), 'it is not UTF-8'],
    ['too long', (path: string) => writeFileSync(path, 'x'.repeat(262_145)), 'it is longer than'],
  ] as const)('%s, in the layer of the operator and of a workspace', (_name, make, reason) => {
    for (const layer of ['operator', 'workspace'] as const) {
      using layers = new LayerDirectories();
      const path = layers.write(layer, 'x.cedar', '');
      rmSync(path);
      make(path);
      expect(readLayers(layers.dirs).problems).toEqual([
        expect.objectContaining({
          layer,
          file: 'x.cedar',
          reason: expect.stringContaining(reason),
        }),
      ]);
    }
  });

  it.each(['ä.cedar', 'a b.cedar', `${'x'.repeat(100)}.cedar`, '-x.cedar', 'а.cedar'])(
    'the name %s',
    (name) => {
      using layers = new LayerDirectories();
      layers.write('operator', name, '');
      expect(readLayers(layers.dirs).problems).toEqual([
        expect.objectContaining({ reason: 'it has a name that a file of rules cannot have' }),
      ]);
    },
  );

  it.each([0o664, 0o646, 0o666])('one that others may write to (mode %o)', (mode) => {
    using layers = new LayerDirectories();
    chmodSync(layers.write('operator', 'x.cedar', ''), mode);
    expect(readLayers(layers.dirs).problems[0]).toMatchObject({
      file: 'x.cedar',
      reason: expect.stringContaining('other users may write to it'),
      help: 'take that right away with `chmod go-w`',
    });
  });

  it('too many of them', () => {
    using layers = new LayerDirectories();
    for (let index = 0; index < 129; index += 1) layers.write('operator', `${index}.cedar`, '');
    expect(readLayers(layers.dirs).problems[0]?.reason).toBe('there are more than 128 files');
  });

  it('too much in them', () => {
    using layers = new LayerDirectories();
    for (let index = 0; index < 5; index += 1) {
      layers.write('operator', `${index}.cedar`, 'x'.repeat(262_144));
    }
    expect(readLayers(layers.dirs).problems[0]?.reason).toContain('longer than 1048576 bytes');
  });
});

describe('what lies beside the rules and would be passed over is a problem', () => {
  const touch = (path: string) => writeFileSync(path, '');
  it.each([
    ['a file in capitals', 'X.CEDAR', touch, 'in small letters'],
    ['a file half in capitals', 'x.Cedar', touch, 'in small letters'],
    ['a hidden file', '.x.cedar', touch, 'it is hidden'],
    ['a hidden file in capitals', '.X.CEDAR', touch, 'it is hidden'],
    ['a folder', 'team', (path: string) => mkdirSync(path), 'no rules are read from folders'],
    [
      'a hidden folder',
      '.team',
      (path: string) => mkdirSync(path),
      'no rules are read from folders',
    ],
    ['the folder of cases in capitals', 'Tests', (path: string) => mkdirSync(path), 'no rules are'],
    ['a link to a folder', 'team', (path: string) => symlinkSync('/etc', path), 'it is a link'],
    ['a link as the folder of cases', 'tests', (path: string) => symlinkSync('/etc', path), 'link'],
    ['a link to a file', 'x', (path: string) => symlinkSync('/etc/passwd', path), 'it is a link'],
    ['a link that leads nowhere', 'x', (path: string) => symlinkSync('gone', path), 'it is a link'],
    [
      'a pipe',
      'x',
      (path: string) => execFileSync('mkfifo', [path]),
      'neither a folder nor a plain',
    ],
  ] as const)(
    '%s, in the layer of the operator and of a workspace',
    (_name, file, make, reason) => {
      for (const layer of ['operator', 'workspace'] as const) {
        using layers = new LayerDirectories();
        layers.write(layer, 'a.cedar', '');
        make(join(layers.dirs[layer], file));
        expect(readLayers(layers.dirs).problems).toEqual([
          expect.objectContaining({
            layer,
            file,
            reason: expect.stringContaining(reason),
            help: expect.stringMatching(/./),
          }),
        ]);
      }
    },
  );

  it('but not the lock of an editor, which is a link and goes away', () => {
    using layers = new LayerDirectories();
    layers.write('operator', 'a.cedar', '');
    symlinkSync('ann@host.4711', join(layers.dirs.operator, '.#a.cedar'));
    expect(readLayers(layers.dirs)).toMatchObject({ files: [{ name: 'a.cedar' }], problems: [] });
  });

  it('no more of them are told than of any others', () => {
    using layers = new LayerDirectories();
    for (let index = 0; index < 150; index += 1) layers.write('operator', `${index}.CEDAR`, '');
    expect(readLayers(layers.dirs).problems).toHaveLength(100);
  });
});

describe('a directory that is not as it should be is a problem', () => {
  it('one that others may write to', () => {
    using layers = new LayerDirectories();
    layers.write('operator', 'x.cedar', '');
    chmodSync(layers.dirs.operator, 0o777);
    expect(readLayers(layers.dirs)).toMatchObject({ files: [], problems: [{ file: '.' }] });
  });

  it('a link, on any step that belongs to a workspace', () => {
    for (const step of ['work/.palyra', 'work/.palyra/policies']) {
      using layers = new LayerDirectories();
      layers.write('workspace', 'x.cedar', '');
      renameSync(layers.at(step), layers.at('elsewhere'));
      symlinkSync(layers.at('elsewhere'), layers.at(step));
      expect(readLayers(layers.dirs)).toMatchObject({
        files: [],
        problems: [{ layer: 'workspace', file: '.', reason: expect.stringContaining('link') }],
      });
    }
  });

  it('a workspace may itself be reached through a link', () => {
    using layers = new LayerDirectories();
    layers.write('workspace', 'x.cedar', '');
    symlinkSync(layers.at('work'), layers.at('link'));
    const workspace = layers.at('link/.palyra/policies');
    expect(readLayers({ workspace })).toMatchObject({ files: [{ name: 'x.cedar' }], problems: [] });
  });

  it('a file in its place', () => {
    using layers = new LayerDirectories();
    layers.write('operator', 'x.cedar', '');
    const operator = join(layers.dirs.operator, 'x.cedar');
    expect(readLayers({ operator }).problems[0]).toMatchObject({ layer: 'operator', file: '.' });
  });
});

describe.runIf(IS_ROOT)('who owns it', () => {
  it.each([
    ['admin', 'x.cedar', 1],
    ['admin', '.', 1],
    ['operator', 'x.cedar', 1],
    ['operator', '.', 1],
    ['workspace', 'x.cedar', 0],
    ['workspace', '.', 0],
  ] as const)('somebody else, of the layer %s, %s: %i problems', (layer, file, count) => {
    using layers = new LayerDirectories();
    layers.write(layer, 'x.cedar', '');
    chownSync(join(layers.dirs[layer], file), SOMEBODY_ELSE, SOMEBODY_ELSE);
    const { problems } = readLayers(layers.dirs);
    expect(problems).toHaveLength(count);
    if (count > 0) {
      expect(problems[0]).toMatchObject({
        file,
        reason: 'it belongs to another user (uid 65534)',
      });
    }
  });
});
