import { setTimeout as sleep } from 'node:timers/promises';
import { type Figure, ONE_ROUND } from '../figure.ts';
import { MEMORY, type Readings, interleave } from '../harness.ts';
import { NODE, startProgram, stopProgram } from '../rig/child.ts';
import { childrenOf, commandLine, megabytes, treeOf } from '../rig/processes.ts';
import { type Site, provenSandboxes, requestFor, sandboxSite } from '../rig/sandbox-site.ts';
import { SILENT } from '../rig/sandbox-ways.ts';

const CAGE = 'idle warm cage, proportional';
const CAGE_RESIDENT = 'idle warm cage, resident';
const SANDBOXD = 'idle sandboxd, resident';
const IDLE = 'idle node, resident';
const READY_LIMIT_MS = 10_000;

export const sandboxMemory: Figure = {
  says: 'Memory of the process that makes sandboxes after one command, and of the one cage that it keeps warm for the next, against a Node that waits.',
  targets: [
    { kind: 'value', subject: CAGE, limit: { atMost: 1 } },
    { kind: 'value', subject: SANDBOXD, limit: { atMost: 60 } },
  ],
  measure: async (scale) => {
    await using site = await sandboxSite();
    // The attacks that prove the sandbox are tried once and kept; memory is read as of any other start.
    await (await provenSandboxes(site))[Symbol.asyncDispose]();
    const settleMs = scale === 'small' ? 200 : 4_000;
    const run = await interleave({
      title: 'idle memory',
      quantity: MEMORY,
      subjects: [() => readSandboxd(site, settleMs), () => readIdleNode(settleMs)],
      ...(scale === 'small' ? ONE_ROUND : { warmUps: 0, rounds: 3 }),
    });
    return {
      runs: [run],
      notes: [
        `Read after ${settleMs / 1_000} s of rest. A cage is bubblewrap and the starter that waits in it, added up; resident memory counts the pages that processes share in full, proportional memory counts them by halves, thirds and so on.`,
      ],
    };
  },
};

async function readSandboxd(site: Site, settleMs: number): Promise<Readings> {
  await using sandboxes = await provenSandboxes(site);
  const request = requestFor(site, { executable: 'echo', arguments: ['hi'] });
  const { kind, fault } = await sandboxes.run(request, SILENT);
  if (kind !== 'exited') throw new Error(`a cage failed: ${fault?.reason ?? kind}`);
  const [sandboxd = 0] = await childrenOf(process.pid);
  await untilOneCage(sandboxd);
  await sleep(settleMs);
  const cage = await untilOneCage(sandboxd);
  const added = async (field: 'Rss' | 'Pss') => {
    const each = cage.map((pid) => megabytes(pid, field));
    return (await Promise.all(each)).reduce((sum, one) => sum + one, 0);
  };
  return {
    [CAGE]: await added('Pss'),
    [CAGE_RESIDENT]: await added('Rss'),
    [SANDBOXD]: await megabytes(sandboxd, 'Rss'),
    'idle sandboxd, proportional': await megabytes(sandboxd, 'Pss'),
  };
}

/** bwrap, the first process of its cage, and the starter that waits there: one that ends has fewer. */
const CAGE_PROCESSES = 3;

/** Whoever waits to become the next bwrap is no cage yet. */
async function cagesOf(sandboxd: number): Promise<readonly number[]> {
  const children = await childrenOf(sandboxd);
  const areCages = await Promise.all(
    children.map(async (pid) => !(await commandLine(pid)).startsWith('stand-in\0')),
  );
  return children.filter((_pid, place) => areCages[place]);
}

/** Contract: resolves with its processes, once there is exactly one, and that one is whole. */
async function untilOneCage(sandboxd: number): Promise<readonly number[]> {
  const giveUpAt = performance.now() + READY_LIMIT_MS;
  for (;;) {
    const cages = await cagesOf(sandboxd);
    const [first] = cages;
    const cage = first === undefined ? [] : await treeOf(first);
    if (cages.length === 1 && cage.length >= CAGE_PROCESSES) return cage;
    if (performance.now() > giveUpAt) throw new Error(`sandboxd keeps ${cages.length} cages`);
    await sleep(10);
  }
}

async function readIdleNode(settleMs: number): Promise<Readings> {
  const child = startProgram({ file: NODE, args: ['-e', 'setInterval(() => {}, 1e6)'] }, 'ignore');
  try {
    await sleep(settleMs);
    const pid = child.pid ?? 0;
    return {
      [IDLE]: await megabytes(pid, 'Rss'),
      'idle node, proportional': await megabytes(pid, 'Pss'),
    };
  } finally {
    await stopProgram(child);
  }
}
