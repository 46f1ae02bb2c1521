import {
  chmod,
  cp,
  mkdir,
  mkdtempDisposable,
  readFile,
  readdir,
  realpath,
  rename,
  rm,
  symlink,
  writeFile,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { create } from '@bufbuild/protobuf';
import { openBlobs } from '@palyra/blobs';
import { type FileChange, ToolOutcome, ToolProposalSchema } from '@palyra/protocol';
import { createCatalogue } from '@palyra/tools';
import { describe, expect, it } from 'vitest';
import { createFileTools } from './file-tools/file-tools.ts';
import { onlyIn } from './workspaces.fixture.ts';

const PATCH = '--- a/a.md\n+++ b/a.md\n@@ -1,1 +1,1 @@\n-one\n+two\n';
const never = new AbortController().signal;

/** A workspace with one file, and a call on it that somebody is shown and says yes to. */
async function approved(tool: string, args: Readonly<Record<string, string>>) {
  const home = await mkdtempDisposable(join(tmpdir(), 'palyra-shown-'));
  const root = await realpath(home.path);
  const workspace = join(root, 'workspace');
  await mkdir(join(workspace, 'sub/deep'), { recursive: true });
  await writeFile(join(workspace, 'sub/deep/b.md'), 'deep\n');
  await writeFile(join(workspace, 'a.md'), 'one\nrest\n');
  const own = { workspace, folders: [join(root, 'blobs')] };
  const blobs = openBlobs({ folder: join(root, 'blobs'), maxBytes: 1_000_000 });
  const files = createFileTools({ workspaces: onlyIn(own), blobs });
  const understood = createCatalogue().find(tool)?.understand(args, workspace);
  if (understood?.kind !== 'understood') throw new Error('the arguments are not understood');
  const proposal = create(ToolProposalSchema, {
    tool,
    arguments: understood.arguments,
    workspace,
  });
  const shown = await files.preview(proposal);
  const changes: FileChange[] = [];
  const call = {
    meanwhile: async () => {},
    at: (name: string) => join(workspace, name),
    root,
    workspace,
    shown,
    changes,
    execute: () =>
      files.execute(
        {
          callId: 'call',
          tool,
          arguments: understood.arguments,
          principal: 'user:ada',
          sessionId: 'session',
          policySetHash: 'set',
          workspace,
          shown,
          mayConnect: async () => false,
          onConnection: () => {},
          onOutput: () => {},
          onFileChange: async (change) => {
            changes.push(change);
            await call.meanwhile();
          },
        },
        never,
      ),
    [Symbol.asyncDispose]: () => home[Symbol.asyncDispose](),
  };
  return call;
}

const OUTDATED = { outcome: ToolOutcome.REFUSED, error: { code: 'APPROVAL_OUTDATED' } };

describe('what was shown is what runs', () => {
  it('when nothing has changed since', async () => {
    await using call = await approved('fs.patch', { patch: PATCH });
    expect(call.shown.diff).toContain('-one\n+two');
    expect(await call.execute()).toMatchObject({ outcome: ToolOutcome.SUCCEEDED });
    expect(await readFile(call.at('a.md'), 'utf8')).toBe('two\nrest\n');
  });

  it.each([
    ['a patch that would still fit', 'fs.patch', { patch: PATCH }],
    ['a file to be replaced', 'fs.write', { path: 'a.md', content: 'x', mode: 'replace' }],
    ['a file to be made longer', 'fs.write', { path: 'a.md', content: 'x', mode: 'append' }],
  ])('and not when the file changed: %s', async (_what, tool, args) => {
    await using call = await approved(tool, args);
    await writeFile(call.at('a.md'), 'one\nrest\nand somebody else\n');
    expect(await call.execute()).toMatchObject(OUTDATED);
    expect(await readFile(call.at('a.md'), 'utf8')).toBe('one\nrest\nand somebody else\n');
    expect(call.changes).toEqual([]);
  });

  it('and not when there is a file now that was none', async () => {
    const args = { path: 'new.md', content: 'x', mode: 'replace' };
    await using call = await approved('fs.write', args);
    await writeFile(call.at('new.md'), 'mine');
    expect(await call.execute()).toMatchObject(OUTDATED);
    expect(await readFile(call.at('new.md'), 'utf8')).toBe('mine');
  });

  it.each(['create', 'append'])('and not when it is made meanwhile, with mode %s', async (mode) => {
    await using call = await approved('fs.write', { path: 'new.md', content: 'x', mode });
    await writeFile(call.at('new.md'), 'mine');
    expect(await call.execute()).toMatchObject(OUTDATED);
    expect(await readFile(call.at('new.md'), 'utf8')).toBe('mine');
  });

  it('and not when it is made while the old content is kept', async () => {
    await using call = await approved('fs.write', { path: 'new.md', content: 'x' });
    call.meanwhile = async () => await writeFile(call.at('new.md'), 'mine');
    expect(await call.execute()).toMatchObject(OUTDATED);
    expect(await readFile(call.at('new.md'), 'utf8')).toBe('mine');
  });

  it.each([
    ['to be executed', 0o755],
    ['to lend its rights', 0o4644],
  ])('and not when the file has got a mode %s', async (_what, mode) => {
    await using call = await approved('fs.write', { path: 'a.md', content: 'x', mode: 'replace' });
    await chmod(call.at('a.md'), mode);
    expect(await call.execute()).toMatchObject(OUTDATED);
    expect(await readFile(call.at('a.md'), 'utf8')).toBe('one\nrest\n');
  });

  it.each([
    ['there', { path: 'sub/deep/b.md', content: 'x', mode: 'replace' }],
    ['new', { path: 'sub/deep/new.md', content: 'x' }],
  ])('and not when a folder on the way is another with the same in it: %s', async (_what, args) => {
    await using call = await approved('fs.write', args);
    await rename(call.at('sub'), join(call.root, 'before'));
    await cp(join(call.root, 'before'), call.at('sub'), { recursive: true });
    expect(await call.execute()).toMatchObject(OUTDATED);
    expect(await readFile(call.at('sub/deep/b.md'), 'utf8')).toBe('deep\n');
    expect(await readdir(call.at('sub/deep'))).toEqual(['b.md']);
  });

  it('and not when a folder on the way is exchanged while the old content is kept', async () => {
    await using call = await approved('fs.write', { path: 'sub/deep/new.md', content: 'x' });
    call.meanwhile = async () => {
      await rename(call.at('sub'), join(call.root, 'before'));
      await cp(join(call.root, 'before'), call.at('sub'), { recursive: true });
    };
    expect(await call.execute()).toMatchObject(OUTDATED);
    expect(await readdir(call.at('sub/deep'))).toEqual(['b.md']);
  });

  it('and not when a file that a patch changes is gone', async () => {
    await using call = await approved('fs.patch', { patch: PATCH });
    await rm(call.at('a.md'));
    expect(await call.execute()).toMatchObject(OUTDATED);
  });

  it('and not when the file is gone that was to be replaced', async () => {
    await using call = await approved('fs.write', { path: 'a.md', content: 'x', mode: 'replace' });
    await rm(call.at('a.md'));
    expect(await call.execute()).toMatchObject(OUTDATED);
  });

  it('and not when the file, or a folder on the way, became a link', async () => {
    await using call = await approved('fs.write', { path: 'sub/b.md', content: 'x' });
    await mkdir(join(call.root, 'elsewhere'));
    await rm(call.at('sub'), { recursive: true });
    await symlink(join(call.root, 'elsewhere'), call.at('sub'));
    expect(await call.execute()).toMatchObject({ error: { code: 'SANDBOX_SCOPE_DENIED' } });
    expect(call.changes).toEqual([]);
  });

  it('and not in another folder of the same name and content', async () => {
    await using call = await approved('fs.patch', { patch: PATCH });
    await rename(call.workspace, join(call.root, 'before'));
    await mkdir(call.workspace);
    await writeFile(call.at('a.md'), 'one\nrest\n');
    const refused = await call.execute();
    expect(refused).toMatchObject(OUTDATED);
    expect(refused.error?.message).toContain('the workspace is another folder');
    expect(await readFile(call.at('a.md'), 'utf8')).toBe('one\nrest\n');
  });

  it('and not when it could not be shown, also where it would work by now', async () => {
    const patch = PATCH.replace('-one', '-other');
    await using call = await approved('fs.patch', { patch });
    expect(call.shown).toMatchObject({ changes: [], refusal: { message: expect.anything() } });
    await writeFile(call.at('a.md'), 'other\nrest\n');
    expect(await call.execute()).toMatchObject(OUTDATED);
    expect(await readFile(call.at('a.md'), 'utf8')).toBe('other\nrest\n');
  });
});
