import { statfsSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import type { Limits } from '../model.ts';
import { type Group, OWN_PROCESSES } from './cgroup.ts';
import { type ProcessFacts, factsOf, memoryOf, treeOf } from './processes.ts';

export type Overuse = 'memory' | 'cpu' | 'processes';

/** Looks at what a sandbox uses. Contract: `stop` ends it; `overuse` resolves at most once. */
export interface Meter {
  readonly overuse: Promise<Overuse>;
  /** One last look, for what happened between two; what has ended holds no memory any more. */
  last(): Overuse | undefined;
  stop(): void;
}

export interface MeterSource {
  readonly group: Group | undefined;
  readonly first: number;
  /** Where the command can make files that lie in memory. Their number is bounded by nothing else. */
  readonly volumes?: readonly string[];
}

/** Asked for once: to tell it the kernel waits until nobody moves into a group. */
const PROCESSORS = availableParallelism();
const EVERY_MS = 50;
/** Looking may cost a tenth of a processor, not more. */
const REST_FACTOR = 10;

/**
 * With a group the kernel holds the memory and we only read; without, we are the limit. That goes for the
 * number of processes too: without a user namespace the kernel counts all of the user's, and lets a command
 * have as many more as others end meanwhile.
 */
export function startMeter(source: MeterSource, limits: Limits): Meter {
  const { promise: overuse, resolve } = Promise.withResolvers<Overuse>();
  const { group } = source;
  const started = performance.now();
  const overCpu = (cpuMs: number) => (cpuMs > limits.cpuTimeMs ? ('cpu' as const) : undefined);
  const look = (): Overuse | undefined => {
    if (group === undefined) {
      const { cpuMs, threads } = useOfTree(source.first, limits);
      return threads > limits.processes + OWN_PROCESSES ? 'processes' : overCpu(cpuMs);
    }
    if (group.outOfMemory() > 0) return 'memory';
    // The group's share of the processors lets it use no more than this since the start: nobody need ask.
    const mostMs = (performance.now() - started) * PROCESSORS;
    return mostMs < limits.cpuTimeMs ? undefined : overCpu(group.cpuMs());
  };
  const lookAll = (): Overuse | undefined => {
    const isTooMuch = group === undefined && memoryOfAll(source, limits) > limits.memoryBytes;
    return isTooMuch ? 'memory' : look();
  };
  let timer: NodeJS.Timeout | undefined;
  const next = (afterMs: number) => {
    timer = setTimeout(() => {
      const lookedAt = performance.now();
      const found = lookAll();
      if (found !== undefined) resolve(found);
      else next(Math.max(EVERY_MS, (performance.now() - lookedAt) * REST_FACTOR));
    }, afterMs);
  };
  next(EVERY_MS);
  return { overuse, last: look, stop: () => clearTimeout(timer) };
}

/** Of those that are there now: what has ended between two looks is seen only through its parent. */
function useOfTree(first: number, limits: Limits): Pick<ProcessFacts, 'cpuMs' | 'threads'> {
  let [cpuMs, threads] = [0, 0];
  for (const pid of pidsOfTree(first, limits)) {
    const facts = factsOf(pid);
    cpuMs += facts?.cpuMs ?? 0;
    threads += facts?.threads ?? 0;
  }
  return { cpuMs, threads };
}

function memoryOfAll({ first, volumes = [] }: MeterSource, limits: Limits): number {
  const ofTree = pidsOfTree(first, limits).reduce((sum, pid) => sum + memoryOf(pid), 0);
  return volumes.reduce((sum, volume) => sum + FILE_BYTES * filesIn(volume), ofTree);
}

/** What the kernel keeps of a file in memory besides its content, however empty. */
const FILE_BYTES = 1024;

function filesIn(volume: string): number {
  try {
    const { files, ffree } = statfsSync(volume);
    return files - ffree;
  } catch {
    // It went with the last of the processes.
    return 0;
  }
}

function pidsOfTree(first: number, { processes }: Limits): readonly number[] {
  return treeOf(first, processes + 8);
}
