import { execFile } from 'node:child_process';
import { chmodSync, chownSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { hostProgram } from '@palyra/testkit';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { inOwnNamespace } from '../entry-namespace.ts';
import { KINDS, type Kind, USER } from '../tier-c-bubblewrap/cage.fixture.ts';
import { VERDICT, type Verdict, insistOnProof } from './verdict.ts';

const PROVER = hostProgram(join(import.meta.dirname, 'prover.fixture.ts'));
const SAID = z.object({ verdict: VERDICT, fingerprint: z.string() });
const LAYERS = ['filter', 'network', 'limits', 'guard', 'bubblewrap'] as const;

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'palyra-prover-'));
  chmodSync(folder, 0o755);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

async function proveAs(kind: Kind, without?: (typeof LAYERS)[number]): Promise<Verdict> {
  const own = mkdtempSync(join(folder, `${kind}-`));
  chmodSync(own, 0o755);
  const isOther = kind === 'user' && process.geteuid?.() === 0;
  if (isOther) chownSync(own, USER, USER);
  const words = ['--no-warnings', PROVER, own, ...(without === undefined ? [] : [without])];
  const command = inOwnNamespace(kind === 'root' ? 0 : 1, {
    file: process.execPath,
    arguments: words,
  });
  const { stdout } = await promisify(execFile)(command.file, command.arguments, {
    ...(isOther && { uid: USER, gid: USER }),
    env: { CANARY: 'canary-of-the-host' },
  });
  expect(readdirSync(join(own, 'proof'))).toEqual([]);
  const { verdict, fingerprint } = SAID.parse(JSON.parse(stdout));
  // Looked at twice, before and after: nothing of the trial itself is in it.
  expect(verdict.fingerprint).toBe(fingerprint);
  return verdict;
}

function unheld({ steps: [first] }: Verdict) {
  return (first?.findings ?? []).filter(({ holds }) => !holds);
}

function failing(verdict: Verdict): readonly string[] {
  return unheld(verdict).map(({ id }) => id);
}

/** The same with what was observed: says why, should there be one. */
function failures(verdict: Verdict): readonly string[] {
  return unheld(verdict).map(({ id, observed }) => `${id}: ${observed}`);
}

describe.each(KINDS)('proven as %s', (kind) => {
  it('everything hostile is refused in tier C, and tier B holds what it promises', async () => {
    const verdict = await proveAs(kind);
    expect(failures(verdict)).toEqual([]);
    expect(verdict).toMatchObject({
      tier: 'C',
      steps: [
        { step: 'bubblewrap', isProven: true, refusal: '' },
        {
          step: 'process',
          isProven: true,
          weaknesses: expect.arrayContaining([expect.stringContaining('nothing is enforced')]),
        },
      ],
    });
    const ids = verdict.steps.flatMap(({ findings }) => findings.map(({ id }) => id));
    expect(new Set(ids).size).toBe(ids.length);
    expect(ids.length).toBeGreaterThan(60);
    insistOnProof(verdict, 'bubblewrap');
  });

  it('the step below holds what it promises, and names what it does not', async () => {
    const verdict = await proveAs(kind, 'bubblewrap');
    expect(failures(verdict)).toEqual([]);
    expect(verdict).toMatchObject({
      tier: 'C',
      steps: [
        {
          step: 'landlock',
          isProven: true,
          weaknesses: expect.arrayContaining([expect.stringContaining('no namespace')]),
        },
      ],
    });
    expect(() => insistOnProof(verdict, 'bubblewrap')).toThrow('nobody has tried it');
  });
});

describe('with one layer less', () => {
  const [kind = 'user'] = KINDS;

  it('without a filter exactly what the filter holds does not hold', async () => {
    const verdict = await proveAs(kind, 'filter');
    const found = failing(verdict);
    expect(found).toEqual(
      expect.arrayContaining([
        'files.set-id',
        'calls.enter',
        'calls.ptrace',
        'calls.read-process',
        'calls.perf',
        'calls.personality',
        'calls.terminal',
        'calls.io-uring',
        'calls.user-namespace',
        'network.unix',
        'network.vsock',
        'network.netlink',
      ]),
    );
    // What the kernel itself refuses differs from one to the next; nothing but calls may be among it.
    const others = found.filter(
      (id) => !/^(calls\.|network\.(unix|vsock|packet|netlink)$)/.test(id),
    );
    expect(others).toEqual(['files.set-id']);
    expect(verdict.tier).toBe('none');
    expect(() => insistOnProof(verdict, 'bubblewrap')).toThrow(
      'the sandbox `bubblewrap` is not proven: `files.set-id`',
    );
  });

  it("with the machine's network exactly what an empty one holds does not hold", async () => {
    expect(failing(await proveAs(kind, 'network'))).toEqual([
      'rights.namespaces',
      'network.interfaces',
      'network.loopback',
    ]);
  });

  it('with wider limits exactly those do not hold', async () => {
    expect(failing(await proveAs(kind, 'limits'))).toEqual([
      'limits.file',
      'limits.scratch',
      'limits.raise',
      'limits.processes',
    ]);
  });

  it('without masks exactly the secret that lay below one does not hold', async () => {
    expect(failing(await proveAs(kind, 'guard'))).toEqual(['guard.secret', 'guard.link']);
  });
});

describe('without a namespace of its own', () => {
  it.runIf(KINDS.includes('root'))('root gets a refusal, and nothing is proven', async () => {
    const own = mkdtempSync(join(folder, 'shared-'));
    chmodSync(own, 0o755);
    const { stdout } = await promisify(execFile)(process.execPath, [
      '--no-warnings',
      PROVER,
      own,
      'shared',
    ]);
    const { verdict } = SAID.parse(JSON.parse(stdout));
    expect(verdict.tier).toBe('none');
    expect(verdict.steps[0]?.refusal).toContain('mount namespace');
    expect(() => insistOnProof(verdict, 'bubblewrap')).toThrow('is not proven');
  });
});
