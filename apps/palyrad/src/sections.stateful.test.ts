import { execFileSync } from 'node:child_process';
import { mkdir, symlink, truncate, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { type TempHome, tempHome } from '@palyra/testkit';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { loadSettings } from './sections.ts';

let home: TempHome;
beforeEach(async () => {
  home = await tempHome();
});
afterEach(() => home[Symbol.asyncDispose]());

const GIBIBYTE = 1024 ** 3;

const HOSTILE: readonly (readonly [string, (file: string) => unknown])[] = [
  ['a pipe', (file) => execFileSync('mkfifo', [file])],
  ['a link to an endless device', (file) => symlink('/dev/zero', file)],
  ['a link to itself', (file) => symlink(file, file)],
  ['a directory', (file) => mkdir(file)],
  [
    'a socket',
    (file) =>
      new Promise(
        (resolve) =>
          void createServer()
            .unref()
            .listen(file, () => resolve(undefined)),
      ),
  ],
  ['a gibibyte of nothing', (file) => writeFile(file, '').then(() => truncate(file, GIBIBYTE))],
];

describe('a project whose palyra.toml is', () => {
  it.each(HOSTILE)('%s is refused at once', async (_what, make) => {
    const workspaceDir = join(home.path, 'project');
    await mkdir(workspaceDir);
    await make(join(workspaceDir, 'palyra.toml'));
    expect(() => loadSettings({ environment: {}, places: home.places, workspaceDir }, {})).toThrow(
      expect.objectContaining({
        code: 'CONFIG_INVALID',
        problems: [
          expect.objectContaining({ origin: { kind: 'workspace', file: expect.any(String) } }),
        ],
      }),
    );
  });
});
