import { systemClock } from '@palyra/kernel';
import { DEFAULT_LIMITS } from '../limits.ts';
import type { Ending, Limits, SandboxRequest } from '../model.ts';
import { bytesOf, give } from '../seccomp/program.ts';
import type { RunWatch } from '../service/sandboxes.ts';
import { EXECUTOR as PROCESS } from '../tier-b-process/run.ts';
import { createTierB } from '../tier-b-process/tier-b.ts';
import { startCage } from '../tier-c-bubblewrap/cage.ts';
import { EXECUTOR, execute } from '../tier-c-bubblewrap/execute.ts';
import { prepareCage, prepareCommand } from '../tier-c-bubblewrap/prepare.ts';
import { createTierC } from '../tier-c-bubblewrap/tier-c.ts';
import { openWorkshop } from '../tier-c-bubblewrap/workshop.ts';
import { createLandlock } from '../tier-c-landlock/landlock.ts';
import { EXECUTOR as LANDLOCK } from '../tier-c-landlock/run.ts';
import { fingerprintOf, readFacts } from './fingerprint.ts';
import type { Maker } from './maker.ts';
import { TIGHT } from './probes-limits.ts';
import { prove } from './prove.ts';

/** A process that makes sandboxes and proves them, once; with one layer less when it is told so. */
const [folder = '', without = ''] = process.argv.slice(2);

const watch = (signal: AbortSignal): RunWatch => ({
  signal,
  onOutput: () => {},
  onConnection: () => {},
  mayConnect: async () => false,
});

/** All but memory, so that nobody has to wait for what is never ended. */
function widened({ limits }: SandboxRequest): Limits {
  return { ...DEFAULT_LIMITS, memoryBytes: limits.memoryBytes, wallTimeMs: limits.wallTimeMs };
}

type Run = (request: SandboxRequest, signal: AbortSignal) => Promise<Ending>;

/** Nobody ends a crowd within wider limits, and it stays: it is ended once it has told of one too many. */
const wide: Run = async (request, signal) => {
  const crowd = new AbortController();
  let told = '';
  return await tier.run(
    { ...request, limits: widened(request) },
    {
      ...watch(AbortSignal.any([signal, crowd.signal])),
      onOutput: (_, bytes) => {
        told += Buffer.from(bytes).toString('latin1');
        if (told.includes(`\n${TIGHT.processes + 1}\n`)) crowd.abort();
      },
    },
  );
};

function unfiltered(undo: DisposableStack): Run {
  const workshop = openWorkshop({ folder: `${folder}/open` }, undo);
  const open = { ...workshop, filter: bytesOf([give('allow')]) };
  return async (request, signal) => {
    const site = await prepareCage(open, request);
    const command = prepareCommand(open, request, site);
    const cage = await startCage(open, site);
    const ending = await execute(cage, { request, command, isWarm: false }, watch(signal));
    await workshop.afterwards.settled();
    workshop.mountPoints.clear();
    return ending;
  };
}

await using stack = new AsyncDisposableStack();
const guard = { exceptions: without === 'guard' ? ['.env'] : [] };
const tier = stack.use(createTierC({ folder: `${folder}/state`, guard }));
const whole: Run = (request, signal) => tier.run(request, watch(signal));
const RUNS: Readonly<Record<string, () => Run>> = {
  filter: () => unfiltered(stack.use(new DisposableStack())),
  network: () => (request, signal) => whole({ ...request, egress: { mode: 'none' } }, signal),
  limits: () => wide,
};
const bubblewrap: Maker = {
  step: 'bubblewrap',
  executor: EXECUTOR,
  run: RUNS[without]?.() ?? whole,
  prepare: (request) => tier.prepare(request),
  settle: () => tier.drain(),
};
const tierB = stack.use(await createTierB({}));
const plain: Maker = {
  step: 'process',
  executor: PROCESS,
  run: (request, signal) => tierB.run(request, watch(signal)),
  prepare: async (request) => await Promise.resolve(tierB.prepare(request)),
  settle: () => Promise.resolve(),
};
const weaker = stack.use(createLandlock({ folder: `${folder}/landlock` }));
const landlock: Maker = {
  step: 'landlock',
  executor: LANDLOCK,
  run: (request, signal) => weaker.run(request, watch(signal)),
  prepare: (request) => weaker.prepare(request),
  settle: () => Promise.resolve(),
};
const MAKERS: Readonly<Record<string, readonly Maker[]>> = {
  '': [bubblewrap, plain],
  bubblewrap: [landlock],
};
const parts = {
  makers: MAKERS[without] ?? [bubblewrap],
  folder: `${folder}/proof`,
};
const look = () => readFacts({ ...parts, version: '0.1.0' });
const verdict = await prove({
  ...parts,
  machine: await look(),
  clock: systemClock(),
  signal: new AbortController().signal,
  onStep: () => {},
});
process.stdout.write(JSON.stringify({ verdict, fingerprint: fingerprintOf(await look()) }));
