import {
  chmodSync,
  mkdtempSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { fingerprintOf } from './fingerprint.ts';
import { createVerdictDesk, keep, readKept } from './kept.ts';
import type { Verdict } from './verdict.ts';

const MACHINE: Verdict['machine'] = {
  kernel: 'Linux version 6.18.0',
  arch: 'x64',
  bwrap: '/usr/bin/bwrap, bubblewrap 0.8.0',
  bwrapFile: '1:2:3:4',
  account: { uid: 0, gid: 0 },
  cgroup: 'v2',
  version: '0.1.0',
  profiles: { bubblewrap: 'abc' },
};
const versioned = (place: number) => ({ ...MACHINE, version: `1.${place}.0` });
const HERE = fingerprintOf(MACHINE);
const VERDICT: Verdict = {
  fingerprint: HERE,
  machine: MACHINE,
  provenAt: '2026-11-16T06:00:00.000Z',
  steps: [
    {
      step: 'bubblewrap',
      executor: 'sandbox_tier_c_linux_bubblewrap',
      isProven: true,
      refusal: '',
      findings: [{ id: 'files.x', says: 'x', expected: 'refused', observed: 'no', holds: true }],
      weaknesses: [],
    },
  ],
  tier: 'C',
};

let folder: string;
let file: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'palyra-kept-'));
  file = join(folder, `${HERE}.json`);
});
afterEach(() => rmSync(folder, { recursive: true }));

describe('a kept verdict', () => {
  it('is believed for the same fingerprint, and readable for nobody else', () => {
    keep(folder, VERDICT);
    expect(readKept(folder, HERE)).toEqual(VERDICT);
    expect(readKept(folder, 'b'.repeat(64))).toBeUndefined();
    expect(statSync(file).mode & 0o777).toBe(0o600);
  });

  it.each([
    ['nothing', () => {}],
    ['half of it', () => writeFileSync(file, '{"fingerprint":', { mode: 0o600 })],
    [
      'another shape',
      () => writeFileSync(file, JSON.stringify({ ...VERDICT, more: 1 }), { mode: 0o600 }),
    ],
    ['more than it may be', () => writeFileSync(file, ' '.repeat(600_000), { mode: 0o600 })],
    ['one that others can write', () => (keep(folder, VERDICT), chmodSync(file, 0o666))],
    [
      'a link',
      () => {
        keep(folder, VERDICT);
        renameSync(file, join(folder, 'other'));
        symlinkSync(join(folder, 'other'), file);
      },
    ],
  ])('is not believed when there is %s', (_, put) => {
    put();
    expect(readKept(folder, HERE)).toBeUndefined();
  });

  it('is not believed under the name of another one', () => {
    keep(folder, VERDICT);
    const other = 'b'.repeat(64);
    renameSync(file, join(folder, `${other}.json`));
    expect(readKept(folder, other)).toBeUndefined();
  });

  it('stays when another version keeps its own, until there are too many', () => {
    const others = Array.from({ length: 8 }, (_, place) => fingerprintOf(versioned(place)));
    keep(folder, VERDICT);
    utimesSync(file, 1, 1);
    for (const fingerprint of others.slice(1)) keep(folder, { ...VERDICT, fingerprint });
    expect(readKept(folder, HERE)).toEqual(VERDICT);
    for (const fingerprint of others) keep(folder, { ...VERDICT, fingerprint });
    expect(readKept(folder, HERE)).toBeUndefined();
    for (const fingerprint of others) expect(readKept(folder, fingerprint)).toBeDefined();
  });
});

describe('the desk', () => {
  function desk(proofs: string[] = []) {
    return createVerdictDesk({
      folder,
      machine: () => Promise.resolve(MACHINE),
      bwrapFile: () => MACHINE.bwrapFile,
      prove: (machine) => {
        proofs.push(machine.version);
        return Promise.resolve(VERDICT);
      },
      onUnkept: () => proofs.push('unkept'),
    });
  }

  it('tries once, however many ask, and keeps it for the next', async () => {
    const proofs: string[] = [];
    const { verdict } = desk(proofs);
    await Promise.all([verdict(), verdict(), verdict()]);
    expect(await desk(proofs).verdict()).toEqual(VERDICT);
    expect(proofs).toEqual(['0.1.0']);
  });

  it('tries again when it is told to', async () => {
    const proofs: string[] = [];
    const { verdict, prove } = desk(proofs);
    await verdict();
    await prove();
    expect(proofs).toEqual(['0.1.0', '0.1.0']);
  });

  it('believes nothing of a machine on which something else stands now', async () => {
    const proofs: string[] = [];
    let bwrapFile = MACHINE.bwrapFile;
    const { verdict } = createVerdictDesk({
      folder,
      machine: () => Promise.resolve({ ...MACHINE, bwrapFile }),
      bwrapFile: () => bwrapFile,
      prove: (machine) => {
        proofs.push(machine.bwrapFile);
        return Promise.resolve({ ...VERDICT, machine, fingerprint: fingerprintOf(machine) });
      },
      onUnkept: () => {},
    });
    await verdict();
    bwrapFile = 'another';
    expect((await verdict()).machine.bwrapFile).toBe('another');
    await verdict();
    expect(proofs).toEqual([MACHINE.bwrapFile, 'another']);
  });

  it('does not remember a try that failed', async () => {
    let tries = 0;
    const { verdict } = createVerdictDesk({
      folder,
      machine: () => Promise.resolve(MACHINE),
      bwrapFile: () => MACHINE.bwrapFile,
      prove: () => {
        tries += 1;
        return tries === 1 ? Promise.reject(new Error('no')) : Promise.resolve(VERDICT);
      },
      onUnkept: () => {},
    });
    await expect(verdict()).rejects.toThrow('no');
    expect(await verdict()).toEqual(VERDICT);
  });

  it('goes on with what was kept when a new try could not be made', async () => {
    let isBroken = false;
    const { verdict, prove } = createVerdictDesk({
      folder,
      machine: () => Promise.resolve(MACHINE),
      bwrapFile: () => MACHINE.bwrapFile,
      prove: () => (isBroken ? Promise.reject(new Error('no')) : Promise.resolve(VERDICT)),
      onUnkept: () => {},
    });
    await verdict();
    isBroken = true;
    await expect(prove()).rejects.toThrow('no');
    expect(await verdict()).toEqual(VERDICT);
  });

  it('tells of each step as it is tried', async () => {
    const told: string[] = [];
    const { prove } = createVerdictDesk({
      folder,
      machine: () => Promise.resolve(MACHINE),
      bwrapFile: () => MACHINE.bwrapFile,
      prove: (_machine, onStep) => {
        for (const step of VERDICT.steps) onStep(step);
        return Promise.resolve(VERDICT);
      },
      onUnkept: () => {},
    });
    await prove(({ step }) => told.push(step));
    expect(told).toEqual(['bubblewrap']);
  });

  it('tells of every step also whoever asks while they are tried', async () => {
    const rest = Promise.withResolvers<void>();
    const [step] = VERDICT.steps;
    const { prove, verdict } = createVerdictDesk({
      folder,
      machine: () => Promise.resolve(MACHINE),
      bwrapFile: () => MACHINE.bwrapFile,
      prove: async (_machine, onStep) => {
        if (step !== undefined) onStep(step);
        await rest.promise;
        if (step !== undefined) onStep({ ...step, step: 'process' });
        return VERDICT;
      },
      onUnkept: () => {},
    });
    const first = verdict();
    await setImmediate();
    const told: string[] = [];
    const second = prove((each) => told.push(each.step));
    rest.resolve();
    await Promise.all([first, second]);
    expect(told).toEqual(['bubblewrap', 'process']);
  });

  it('counts what it could not keep, and says so', async () => {
    const proofs: string[] = [];
    chmodSync(folder, 0o755);
    expect(await desk(proofs).verdict()).toEqual(VERDICT);
    expect(proofs).toEqual(['0.1.0', 'unkept']);
  });
});
