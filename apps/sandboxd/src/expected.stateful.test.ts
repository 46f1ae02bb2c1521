import { chmod, mkdir, mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import {
  DEFAULT_LIMITS,
  type SandboxRequest,
  type Sandboxes,
  startSandboxd,
} from '@palyra/sandbox';
import { afterAll, beforeAll, expect, it } from 'vitest';

/** Half of them for calls that are only expected. */
const MOST_WARM = 8;

let root = '';
let sandboxes: Sandboxes;

beforeAll(async () => {
  // Not below a temporary folder that only we can pass.
  root = await mkdtemp('/tmp/palyra-expected-');
  await chmod(root, 0o755);
  await mkdir(join(root, 'workspace'), { mode: 0o777 });
  await mkdir(join(root, 'state'), { mode: 0o711 });
  const opening = { folder: join(root, 'state'), version: 'test', warm: 1, warmTotal: MOST_WARM };
  const program = join(import.meta.dirname, 'main.ts');
  sandboxes = startSandboxd({ program, opening: { ...opening, programs: [] } });
  await sandboxes.verdict();
}, 120_000);
afterAll(async () => {
  await sandboxes[Symbol.asyncDispose]();
  await rm(root, { recursive: true, force: true, maxRetries: 20 });
});

function requestOf(session: string): SandboxRequest {
  return {
    tier: 'C',
    executable: 'true',
    arguments: [],
    workspace: join(root, 'workspace'),
    directory: '.',
    environment: {},
    stdin: new Uint8Array(),
    limits: DEFAULT_LIMITS,
    egress: { mode: 'strict', hosts: [], secrets: [] },
    principal: 'test',
    session,
    policySetHash: 'a'.repeat(64),
  };
}

const watch = {
  signal: new AbortController().signal,
  onOutput: () => {},
  onConnection: () => {},
  mayConnect: async () => false,
};

function expectCall(request: SandboxRequest): void {
  const { tier, workspace, limits, egress, principal, session, policySetHash } = request;
  sandboxes.expect({ tier, workspace, limits, egress, principal, session, policySetHash });
}

it('a command that was expected has its sandbox ready, also while that is still being made', async () => {
  const request = requestOf('one');
  expectCall(request);
  const ending = await sandboxes.run(request, watch);
  expect(ending).toMatchObject({ kind: 'exited', code: 0, posture: { isWarm: true } });
});

it('what was made for one session, or under other rules, is given to no other', async () => {
  expectCall(requestOf('two'));
  const other = await sandboxes.run(requestOf('three'), watch);
  expect(other).toMatchObject({ kind: 'exited', posture: { isWarm: false } });
  expectCall(requestOf('four'));
  const ruled = { ...requestOf('four'), policySetHash: 'b'.repeat(64) };
  expect(await sandboxes.run(ruled, watch)).toMatchObject({ posture: { isWarm: false } });
});

it('of those that are only expected the one that waited longest makes room, and there are never more than may be', async () => {
  for (const session of ['five', 'six', 'seven', 'eight', 'eight', 'eight']) {
    expectCall(requestOf(session));
    await expect.poll(async () => (await sandboxes.load()).warm).toBeGreaterThan(0);
    expect((await sandboxes.load()).warm).toBeLessThanOrEqual(MOST_WARM);
  }
  expect(await sandboxes.run(requestOf('eight'), watch)).toMatchObject({
    posture: { isWarm: true },
  });
});
