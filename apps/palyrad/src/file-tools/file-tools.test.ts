import { createHash } from 'node:crypto';
import { mkdir, mkdtemp, readFile, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openBlobs } from '@palyra/blobs';
import type { SandboxRequest } from '@palyra/gateway';
import type { JsonObject } from '@palyra/kernel';
import { Executor, type FileChange, ToolOutcome } from '@palyra/protocol';
import { createCatalogue } from '@palyra/tools';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createFileTools } from './file-tools.ts';
import { onlyIn } from '../workspaces.fixture.ts';

let home = '';
beforeEach(async () => {
  home = await realpath(await mkdtemp(join(tmpdir(), 'palyra-files-')));
  await mkdir(join(home, 'workspace'));
});
afterEach(() => rm(home, { recursive: true, force: true }));

const never = new AbortController().signal;
const hashOf = (text: string) => createHash('sha256').update(text).digest('hex');

function opened(onFileChange: (change: FileChange) => Promise<void> = async () => {}) {
  const blobs = openBlobs({ folder: join(home, 'blobs'), maxBytes: 1_000_000 });
  const own = { workspace: join(home, 'workspace'), folders: [join(home, 'blobs')] };
  const files = createFileTools({ workspaces: onlyIn(own), blobs });
  const call = (tool: string, args: Readonly<Record<string, string>>) => {
    const understood = createCatalogue().find(tool)?.understand(args, own.workspace);
    if (understood?.kind !== 'understood') throw new Error('the arguments are not understood');
    return execute(tool, understood.arguments);
  };
  /** Without the manifest, as nobody should: the tool has to stand alone. */
  const execute = (tool: string, args: JsonObject) => {
    const request: SandboxRequest = {
      callId: 'call',
      tool,
      arguments: args,
      principal: 'user:ada',
      sessionId: 'session',
      policySetHash: 'set',
      workspace: own.workspace,
      mayConnect: async () => false,
      onConnection: () => {},
      onOutput: () => {},
      onFileChange,
    };
    return files.execute(request, never);
  };
  return { blobs, files, call, execute };
}

describe('a call on files', () => {
  it('reads what is there, and says that the gateway did it without starting anything', async () => {
    await writeFile(join(home, 'workspace/a.txt'), 'one\ntwo\n');
    const { call, files } = opened();
    const execution = await call('fs.read', { path: 'a.txt' });
    expect(execution).toMatchObject({
      outcome: ToolOutcome.SUCCEEDED,
      executor: Executor.GATEWAY,
      enforcement: expect.stringContaining('no program was started'),
    });
    expect(Buffer.from(execution.output).toString()).toContain('two');
    expect(files.place).toEqual({ tier: 'none', executor: Executor.GATEWAY });
  });

  it('keeps the old content and has it noted before anything is changed', async () => {
    const path = join(home, 'workspace/a.txt');
    await writeFile(path, 'old');
    const seen: { readonly change: FileChange; readonly content: string }[] = [];
    const { call, blobs } = opened(async (change) => {
      seen.push({ change, content: await readFile(path, 'utf8') });
    });
    const args = { path: 'a.txt', content: 'new', mode: 'replace' };
    expect(await call('fs.write', args)).toMatchObject({ outcome: ToolOutcome.SUCCEEDED });
    expect(await readFile(path, 'utf8')).toBe('new');
    expect(seen).toMatchObject([
      {
        content: 'old',
        change: { path: 'a.txt', beforeSha256: hashOf('old'), afterSha256: hashOf('new') },
      },
    ]);
    expect(await blobs.get(hashOf('old'), 0, 10)).toEqual(new TextEncoder().encode('old'));
  });

  it('leaves the file as it is when the change cannot be noted', async () => {
    const path = join(home, 'workspace/a.txt');
    await writeFile(path, 'old');
    const { call } = opened(() => Promise.reject(new Error('the journal is gone')));
    const args = { path: 'a.txt', content: 'new', mode: 'replace' };
    expect(await call('fs.write', args)).toMatchObject({ outcome: ToolOutcome.FAILED });
    expect(await readFile(path, 'utf8')).toBe('old');
  });

  it('cannot reach what the gateway keeps, nor anything above the workspace', async () => {
    await writeFile(join(home, 'outside.txt'), 'canary');
    const { execute } = opened();
    for (const path of [join(home, 'outside.txt'), join(home, 'blobs/x'), '/etc/passwd']) {
      const execution = await execute('fs.read', { path, first_line: 1, max_lines: 10 });
      expect(execution.outcome).toBe(ToolOutcome.FAILED);
      expect(Buffer.from(execution.output).toString()).not.toContain('canary');
    }
  });
});
