import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import { systemClock } from '@palyra/kernel';
import { type TierC, createTierC } from '@palyra/sandbox';
import { createLog } from '../../apps/sandboxd/src/log.ts';
import { createWayOut } from '../../apps/sandboxd/src/way-out.ts';
import { type Figure, ONE_ROUND, type Scale } from '../figure.ts';
import { DURATION, type Run, type Subject, interleave, subject } from '../harness.ts';
import { type Floor, openFloor } from '../rig/floor.ts';
import { PEER_VERSIONS } from '../rig/peers.ts';
import { type Site, provenSandboxes, sandboxSite } from '../rig/sandbox-site.ts';
import {
  type Command,
  type Way,
  bareSpawn,
  codexSandbox,
  coldCage,
  plainBwrap,
  sandboxRuntime,
  warmCage,
} from '../rig/sandbox-ways.ts';
import type { Target } from '../target.ts';

const ECHO: Command = { program: 'echo', words: ['hi'], prints: 'hi\n' };
const TRUE: Command = { program: 'true', words: [], prints: '' };

const BARE = 'bare spawn';
const WARM = 'tier C warm';
const COLD = 'tier C cold';
const STRICT = 'tier C warm, one host';
const DAEMON = 'tier C warm, through sandboxd';
const RUNTIME = 'sandbox-runtime, library';
const CODEX = 'codex, helper';
const FLOOR = 'vfork and exec in C';

/** What is made warm for the next command is ready by then, and the processors are at rest. */
const REST_MS = 25;
const MOST_TRIES = 20;

export const sandboxStart: Figure = {
  says: 'A command from the call to its end, with its output captured: bare `child_process.spawn`, plain bubblewrap with namespaces only, cages of tier C made when they are needed and made before, and the sandboxes of two others. The floor is what a small C program takes for the same with vfork and exec, nothing captured.',
  mounts: 'own',
  targets: [...targetsFor(ECHO, 0.6), ...targetsFor(TRUE, 0.7), ...targetsOverFloor(TRUE)],
  measure: async (scale) => {
    await using stack = new AsyncDisposableStack();
    // A workspace each: what waits in one would be in the way of the others.
    const sites = {
      cold: stack.use(await sandboxSite()),
      warm: stack.use(await sandboxSite()),
      daemon: stack.use(await sandboxSite()),
      peers: stack.use(await sandboxSite()),
    };
    const cages = stack.adopt(openCages(sites), closeCages);
    const sandboxd = stack.use(await provenSandboxes(sites.daemon));
    const peers = await openPeers(sites.peers, stack);
    const ways = {
      [BARE]: bareSpawn,
      'plain bubblewrap': plainBwrap,
      [COLD]: coldCage(cages.cold, sites.cold),
      [WARM]: warmCage(cages.warm, sites.warm),
      [STRICT]: warmCage(cages.warm, sites.warm, ['web.example']),
      [DAEMON]: warmCage(sandboxd, sites.daemon),
      ...peers.ways,
    };
    const floor = await openFloorOf(TRUE, stack);
    const runs = [
      await measureCommand({ command: ECHO, ways, cages }, scale),
      await measureCommand({ command: TRUE, ways, cages, floor: floor.of }, scale),
    ];
    const notes = [ABOUT_WARM, ...peers.notes, ...floor.notes];
    return { runs, notes, absent: [...peers.absent, ...floor.absent] };
  },
};

const ABOUT_WARM = `Each has its turn after ${REST_MS} ms in which nothing runs: a warm cage is made then, and that time is nobody's. Cold and warm cages are made by the process that measures, as the bare spawn is; through sandboxd is how the daemon calls.`;

function targetsFor(command: Command, warmLimit: number): readonly Target[] {
  const named = (way: string) => titled(way, command);
  const ratio = (way: string, baseline: string, limit: Target['limit']) =>
    ({ kind: 'ratio', subject: named(way), baseline: named(baseline), limit }) as const;
  return [
    ratio(WARM, BARE, { atMost: warmLimit }),
    { ...ratio(WARM, BARE, { atMost: 1 }), by: 'p95' },
    ratio(COLD, BARE, { atMost: 3.5 }),
    ratio(STRICT, WARM, { atMost: 1.1 }),
    ratio(RUNTIME, WARM, { atLeast: 20 }),
    ratio(RUNTIME, COLD, { atLeast: 4 }),
    ratio(CODEX, WARM, { atLeast: 15 }),
    ratio(CODEX, COLD, { atLeast: 3 }),
  ];
}

function targetsOverFloor(command: Command): readonly Target[] {
  const subjects = { subject: titled(WARM, command), baseline: titled(FLOOR, command) };
  return [
    { kind: 'ratio', ...subjects, limit: { atMost: 3 } },
    { kind: 'ratio', ...subjects, limit: { atMost: 2 }, by: 'best' },
  ];
}

function titled(way: string, { program }: Command): string {
  return `${way}: ${program}`;
}

interface Cages {
  readonly cold: TierC;
  readonly warm: TierC;
}

function openCages(sites: Readonly<Record<keyof Cages, Site>>): Cages {
  const secretPort = { reveal: () => Promise.reject(new Error('there are no secrets')) };
  const wayOut = createWayOut({
    clock: systemClock(),
    log: createLog((line) => process.stderr.write(line)),
    fillRandom: (bytes) => crypto.getRandomValues(bytes),
    secretPort,
  });
  return {
    cold: createTierC({ folder: join(sites.cold.folder, 'cages'), wayOut }),
    warm: createTierC({ folder: join(sites.warm.folder, 'cages'), wayOut, pool: { perKey: 1 } }),
  };
}

async function closeCages({ cold, warm }: Cages): Promise<void> {
  await cold[Symbol.asyncDispose]();
  await warm[Symbol.asyncDispose]();
}

interface Bout {
  readonly command: Command;
  readonly ways: Readonly<Record<string, Way>>;
  readonly cages: Cages;
  readonly floor?: Floor | undefined;
}

function measureCommand({ command, ways, cages, floor }: Bout, scale: Scale): Promise<Run> {
  const settle = async () => {
    await cages.cold.drain();
    await cages.warm.settled();
    await sleep(REST_MS);
  };
  const subjects: Subject[] = Object.entries(ways).map(([name, way]) =>
    subject(titled(name, command), () => timeWay(way, command, settle)),
  );
  if (floor !== undefined) {
    subjects.push(subject(titled(FLOOR, command), () => settle().then(() => floor.time())));
  }
  return interleave({
    title: `\`${[command.program, ...command.words].join(' ')}\``,
    quantity: DURATION,
    subjects,
    ...(scale === 'small' ? ONE_ROUND : { warmUps: 5, rounds: 60 }),
  });
}

/** Contract: one that ran otherwise than was meant does not count, and runs again. */
async function timeWay(way: Way, command: Command, settle: () => Promise<void>): Promise<number> {
  for (let tries = 0; tries < MOST_TRIES; tries += 1) {
    await settle();
    const startedAt = performance.now();
    const output = await way(command);
    const elapsedMs = performance.now() - startedAt;
    if (output === command.prints) return elapsedMs;
    if (output !== undefined) throw new Error(`\`${command.program}\` printed something else`);
  }
  throw new Error(`no cage was as it was meant to be in ${MOST_TRIES} tries`);
}

interface OpenFloor {
  readonly of: Floor | undefined;
  readonly notes: readonly string[];
  readonly absent: readonly string[];
}

/** Contract: without a C compiler it is told of and left out. */
async function openFloorOf(command: Command, stack: AsyncDisposableStack): Promise<OpenFloor> {
  try {
    const floor = stack.use(await openFloor(`/bin/${command.program}`));
    return { of: floor, notes: [], absent: [] };
  } catch (reason) {
    const notes = [`Not measured: ${FLOOR}; it says \`${reasonOf(reason)}\`.`];
    return { of: undefined, notes, absent: [titled(FLOOR, command)] };
  }
}

function reasonOf(reason: unknown): string {
  return reason instanceof Error ? reason.message.trim() : String(reason);
}

interface Peers {
  readonly ways: Readonly<Record<string, Way>>;
  readonly notes: readonly string[];
  /** Subjects that are not measured. */
  readonly absent: readonly string[];
}

/** Contract: one that is not to be had here, or does not work, is told of and left out. */
async function openPeers(site: Site, stack: AsyncDisposableStack): Promise<Peers> {
  const versions = Object.entries(PEER_VERSIONS).map(([name, version]) => `${name} ${version}`);
  const ways: Record<string, Way> = {};
  const notes = [`The others are ${versions.join(' and ')}, as npm installs them.`];
  const absent: string[] = [];
  const openers = {
    [RUNTIME]: () => sandboxRuntime(site, stack),
    [CODEX]: () => codexSandbox(site),
  };
  for (const [name, open] of Object.entries(openers)) {
    try {
      ways[name] = await tried(await open());
    } catch (reason) {
      notes.push(`Not measured: ${name}; it says \`${reasonOf(reason)}\`.`);
      absent.push(...[ECHO, TRUE].map((command) => titled(name, command)));
    }
  }
  return { ways, notes, absent };
}

async function tried(way: Way): Promise<Way> {
  if ((await way(ECHO)) !== ECHO.prints) throw new Error('it does not print what it should');
  return way;
}
