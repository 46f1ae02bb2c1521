import { readdirSync, rmSync, writeFileSync } from 'node:fs';
import { chmod, mkdir, mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setImmediate as turn } from 'node:timers/promises';
import { DEFAULT_LIMITS, type SandboxRequest, startSandboxd } from '@palyra/sandbox';
import { verifies } from '@palyra/testkit';
import { expect, it, vi } from 'vitest';
import { standingMountPoints } from '../sandbox-process.ts';
import { directoryNumbers } from './folder-numbers.ts';
import { namedFiles } from './named-files.ts';
import { Overlooked } from './overlooked.ts';

const PROGRAM = join(import.meta.dirname, '../../../sandboxd/src/main.ts');
const WATCH = {
  signal: new AbortController().signal,
  onOutput: () => {},
  onConnection: () => {},
  mayConnect: async () => false,
};

function requestIn(workspace: string): SandboxRequest {
  return {
    tier: 'C',
    executable: 'true',
    arguments: [],
    workspace,
    directory: '.',
    environment: {},
    stdin: new Uint8Array(),
    limits: DEFAULT_LIMITS,
    egress: { mode: 'strict', hosts: [], secrets: [] },
    principal: 'test',
    session: 'test',
    policySetHash: 'a'.repeat(64),
  };
}

async function ground() {
  // Not below a temporary folder that only we can pass.
  const root = await mkdtemp('/tmp/palyra-overlooked-');
  await chmod(root, 0o755);
  const [workspace, folder] = [join(root, 'workspace'), join(root, 'state')];
  await mkdir(join(workspace, 'sub/.git'), { recursive: true });
  for (const path of [workspace, join(workspace, 'sub')]) await chmod(path, 0o777);
  await mkdir(folder, { mode: 0o711 });
  const opening = { folder, version: 'test', warm: 1, warmTotal: 8, programs: [] };
  const sandboxes = startSandboxd({ program: PROGRAM, opening });
  // Root's folder of sandboxes is the machine's, which a test leaves alone.
  const mountPoints = () => {
    using _user = vi.spyOn(process, 'geteuid').mockReturnValue(4711);
    return standingMountPoints(folder);
  };
  const args = { command: 'ls', args: ['.', 'sub', 'HEAD', '.git', '.vscode', 'sub/AGENTS.md'] };
  const shown = () => {
    const overlooked = new Overlooked(mountPoints);
    const starts = directoryNumbers(workspace, '.vscode', overlooked);
    return JSON.stringify([starts, namedFiles(args, workspace, overlooked)]);
  };
  const release = async () => {
    await sandboxes[Symbol.asyncDispose]();
    await rm(root, { recursive: true, force: true, maxRetries: 20 });
  };
  return { workspace, sandboxes, shown, [Symbol.asyncDispose]: release };
}

it(
  'what sandboxes make for masks changes nothing of what was shown, and what somebody makes of it does',
  verifies('approvals:shown-is-run'),
  async () => {
    await using at = await ground();
    await at.sandboxes.verdict();
    const before = at.shown();
    const states = new Set([before]);
    let isRunning = true;
    const ended = at.sandboxes.run(requestIn(at.workspace), WATCH).finally(() => {
      isRunning = false;
    });
    while (isRunning) {
      states.add(at.shown());
      await turn();
    }
    expect(await ended).toMatchObject({ kind: 'exited', code: 0 });
    await expect.poll(async () => (await at.sandboxes.load()).warm).toBe(1);
    expect(readdirSync(at.workspace)).toEqual(expect.arrayContaining(['HEAD', '.git', '.vscode']));
    expect([...states, at.shown()]).toEqual([before, before]);
    writeFileSync(join(at.workspace, '.vscode/tasks.json'), '{}');
    expect(at.shown()).not.toBe(before);
    rmSync(join(at.workspace, '.vscode'), { recursive: true });
    expect(at.shown()).toBe(before);
    writeFileSync(join(at.workspace, 'sub/AGENTS.md'), 'mine');
    expect(at.shown()).not.toBe(before);
    rmSync(join(at.workspace, 'sub/AGENTS.md'));
    await at.sandboxes[Symbol.asyncDispose]();
    await expect.poll(() => readdirSync(at.workspace)).toEqual(['sub']);
    expect(at.shown()).toBe(before);
  },
);
