import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { fingerprintOf } from './fingerprint.ts';
import { MACHINE, VERDICT } from './verdict.fixture.ts';
import { createVerdictDesk } from './verdict-desk.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'palyra-desk-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

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
