import { mkdir, mkdtempDisposable, realpath, symlink, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { create } from '@bufbuild/protobuf';
import { CallPreviewSchema } from '@palyra/protocol';
import { describe, expect, it } from 'vitest';
import { demandShownFiles } from '../as-shown.ts';
import { namedFiles } from './named-files.ts';

async function opened() {
  const folder = await mkdtempDisposable(join(tmpdir(), 'palyra-named-'));
  const root = await realpath(folder.path);
  const workspace = join(root, 'workspace');
  await mkdir(join(workspace, 'sub'), { recursive: true });
  await writeFile(join(root, 'secret'), 'secret');
  await writeFile(join(workspace, 'build.sh'), 'echo one\n');
  await symlink('../secret', join(workspace, 'out'));
  await symlink('build.sh', join(workspace, 'link.sh'));
  await writeFile(join(workspace, 'huge'), '');
  await truncate(join(workspace, 'huge'), 2 ** 40);
  const names = (args: object) =>
    namedFiles({ command: 'sh', args: [], cwd: '.', ...args }, workspace).map(({ name }) => name);
  return { workspace, names, [Symbol.asyncDispose]: () => folder[Symbol.asyncDispose]() };
}

describe('the files that a command names', () => {
  it('are those of the workspace, as program or argument, from the folder that it runs in', async () => {
    await using at = await opened();
    expect(at.names({ command: './build.sh', args: ['x', '-c', ''] })).toEqual(['./build.sh']);
    expect(at.names({ args: ['build.sh', 'build.sh', 'link.sh'] })).toEqual([
      'build.sh',
      'link.sh',
    ]);
    expect(at.names({ args: ['../build.sh', 'build.sh'], cwd: 'sub' })).toEqual(['../build.sh']);
    expect(at.names({ args: [join(at.workspace, 'build.sh')] })).toHaveLength(1);
  });

  it('are none outside of it, also not through a link, no folders, and none too large to read', async () => {
    await using at = await opened();
    expect(at.names({ args: ['../secret', 'out', '/etc/passwd', 'sub', 'huge', 'nul\0'] })).toEqual(
      [],
    );
    expect(at.names({ args: [7, null, {}], cwd: 7 })).toEqual([]);
  });

  it('have to be as they were shown', async () => {
    await using at = await opened();
    const call = { command: 'sh', args: ['build.sh', 'later.sh'] };
    const now = () => namedFiles(call, at.workspace);
    const shown = create(CallPreviewSchema, { namedFiles: [...now()] });
    expect(() => demandShownFiles(shown, now)).not.toThrow();
    expect(() => demandShownFiles(undefined, now)).not.toThrow();
    await writeFile(join(at.workspace, 'later.sh'), '');
    expect(() => demandShownFiles(shown, now)).toThrow('`later.sh` has changed');
    await writeFile(join(at.workspace, 'build.sh'), 'echo two\n');
    expect(() => demandShownFiles(shown, now)).toThrow('`build.sh` has changed');
  });
});
