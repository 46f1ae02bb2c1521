import type { ChildProcess } from 'node:child_process';
import type { Readable, Writable } from 'node:stream';
import { type Bytes, PalyraError } from '@palyra/kernel';
import type { Child } from '../handed-streams.ts';
import type { Report } from '../starter/starter-elf.ts';
import { numberDescriptors } from './descriptors.ts';
import { type LaunchParts, type Launched, launch } from './launch.ts';
import { READY } from './launcher.ts';
import type { CagePlan, Descriptor } from './plan.ts';
import { type ProcessFacts, childrenOf, factsOf, holdProcess } from './processes.ts';

export interface StartParts extends LaunchParts {
  /** What the plan starts first if it has a way out, which talks to us on that descriptor. */
  readonly listener: (channel: number) => Bytes;
  /** Called once if it has one, as soon as there is a process: what it says is not lost. */
  readonly onChannel: (child: ChildProcess) => void;
  /** Called once, while it is made. Contract: may throw. */
  readonly onBusy: () => void;
  /** Whether it must not come to the workspace before that. */
  readonly isGated: boolean;
  /** Called once, when it has made all else and comes to the workspace. Contract: may throw. */
  readonly onWorkspace: () => void;
  /** Called once, with the sandbox's first process, while its mounts are still made. */
  readonly onFirst: (pid: number) => void;
  /** What each descriptor of the plan is. Contract: left open. */
  readonly descriptors: ReadonlyMap<Descriptor, number>;
}

/** A finished sandbox in which somebody waits for the one order. */
export interface Waiting<Order = string> {
  readonly stdout: Readable;
  readonly stderr: Readable;
  readonly stdin: Writable;
  /** The sandbox's first process; its end is the end of all. */
  readonly first: ProcessFacts;
  /** Who waits, and then starts the command. */
  readonly starter: number;
  /** What became of the command; `undefined` when nobody could say. */
  readonly report: Promise<Report | undefined>;
  /** Contract: once. */
  handOver(order: Order): void;
  /** Contract: may be called at any time, and again. Resolves when no process of it is left. */
  end(): Promise<void>;
}

/** A machine under load takes a second; one that takes longer has something else to do. */
export const MAX_START_MS = 10_000;

/** One whose own end can be waited for; no answer has to. */
export interface WaitingCage extends Waiting<Bytes> {
  /** Resolves when bwrap itself and everything that the kernel kept for it are gone. Contract: once, after `end`. */
  gone(): Promise<void>;
  /** Whether the starter has begun with its order, as far as is known. Contract: final after `report`. */
  hasBegun(): boolean;
}

/** Contract: resolves when the starter inside has said that it is ready; rejects with SANDBOX_UNAVAILABLE. */
export async function startWaiting(plan: CagePlan, parts: StartParts): Promise<WaitingCage> {
  const launched = launchFor(plan, parts);
  const { child, status, streams, report } = launched;
  const { hasEnded } = child;
  if (child.channel !== undefined) parts.onChannel(child.channel);
  void status.then((line) => {
    const first = firstOf(child, line);
    if (first !== undefined) parts.onFirst(first.pid);
  });
  // Then it has ended, and is told like any other that did before it was ready.
  const tooLate = setTimeout(() => child.kill(), MAX_START_MS);
  try {
    await Promise.race([goOnBusily(launched, parts), hasEnded]);
    parts.onWorkspace();
    const byte = await Promise.race([report.ready, hasEnded]);
    const first = firstOf(child, await Promise.race([status, hasEnded]));
    const starter = first === undefined ? undefined : childrenOf(first.pid)[0];
    const held = first && holdProcess(parts.libc, first);
    if (byte !== READY || first === undefined || starter === undefined || held === undefined) {
      held?.[Symbol.dispose]();
      throw notStarted(launched.complaint());
    }
    let ended: Promise<void> | undefined;
    const kill = async () => {
      held.kill();
      child.kill();
      await untilEmpty(first, starter);
    };
    const end = () => (ended ??= kill());
    // Killed before its other half had asked to die with it, it would leave that behind.
    void hasEnded.then(end);
    return {
      ...streams,
      first,
      starter,
      report: report.rest,
      handOver: launched.handOver,
      gone: async () => {
        await hasEnded;
        await untilDead(first);
        held[Symbol.dispose]();
      },
      hasBegun: report.hasBegun,
      end,
    };
  } catch (error) {
    child.kill();
    launched.giveUp();
    for (const stream of Object.values(streams)) stream.destroy();
    await hasEnded;
    endGroup(child);
    // Everything of it that could go on holds the other end; a starter hears that we are gone.
    await report.rest;
    throw error;
  } finally {
    clearTimeout(tooLate);
  }
}

function goOnBusily(
  { goOn }: Pick<Launched, 'goOn'>,
  { isGated, onBusy }: StartParts,
): Promise<void> {
  if (isGated) onBusy();
  const hasGoneOn = goOn();
  if (!isGated) onBusy();
  return hasGoneOn;
}

function launchFor(plan: CagePlan, parts: StartParts): Launched {
  const { descriptors, listener } = parts;
  const numbers = numberDescriptors(plan);
  return launch({ plan, numbers, descriptors, listener }, parts);
}

/**
 * bwrap's other half, if it was made, waits for the first word of the half that has ended, for ever: it
 * asks to die with it later. Until its mounts are made it is in that half's group. INVARIANT: nobody
 * else gets the group's number as long as somebody is in it, so whoever has it now is none of ours.
 */
function endGroup({ pid }: Pick<Child, 'pid'>): void {
  if (pid === undefined || factsOf(pid) !== undefined) return;
  try {
    process.kill(-pid, 'SIGKILL');
  } catch {
    // Nobody is left in it.
  }
}

/** Which process bwrap says is the first. INVARIANT: believed only if it is bwrap's own child. */
function firstOf(child: Pick<Child, 'pid'>, status: string | void): ProcessFacts | undefined {
  const pid = /"child-pid":\s*(\d+)/.exec(status ?? '')?.[1];
  const facts = pid === undefined ? undefined : factsOf(Number(pid));
  return facts?.parent === child.pid ? facts : undefined;
}

const BUSY_LOOKS = 10;
const FIRST_LOOK_MS = 1;
/** Whoever waits for an end hears of it at most so much late; a look costs a few microseconds. */
const LAST_LOOK_MS = 8;

/**
 * Everything in the namespace descends from its first process, and who loses a parent becomes a child of
 * it: when it has none, there is nobody, although its own end takes the kernel a while longer.
 */
async function untilEmpty(first: ProcessFacts, starter: number): Promise<void> {
  for (let looks = 0; looks < BUSY_LOOKS; looks += 1) {
    if (isEmpty(first, starter)) return;
    await new Promise<void>((resolve) => setImmediate(resolve));
  }
  await until(() => isEmpty(first, starter));
}

/** The first process lets go of its mounts before it is dead. */
async function untilDead(first: ProcessFacts): Promise<void> {
  await until(() => {
    const facts = factsOf(first.pid);
    return facts === undefined || facts.isDead || facts.startedAt !== first.startedAt;
  });
}

async function until(isSo: () => boolean): Promise<void> {
  for (let pause = FIRST_LOOK_MS; !isSo(); pause = Math.min(pause * 2, LAST_LOOK_MS)) {
    await new Promise<void>((resolve) => setTimeout(resolve, pause));
  }
}

function isEmpty(first: ProcessFacts, starter: number): boolean {
  // So most often: it has taken leave of its only child. Whoever is no more has no children either.
  if (childrenOf(first.pid).length === 0) return true;
  const facts = factsOf(first.pid);
  if (facts === undefined || facts.isDead || facts.startedAt !== first.startedAt) return true;
  const isStarterDead = () => factsOf(starter)?.isDead === true;
  const wasStarterDead = isStarterDead();
  const children = childrenOf(first.pid);
  if (children.length === 0) return true;
  // Dead before and after the list was read, it stood in it all the time, and so the list is whole.
  return wasStarterDead && children.length === 1 && children[0] === starter && isStarterDead();
}

function notStarted(complaint: string): PalyraError {
  const why = complaint.trim().replace(/^bwrap: /, '') || 'it ended before it was ready';
  return new PalyraError('SANDBOX_UNAVAILABLE', `the sandbox did not start: ${why}`, {
    help: '`palyra sandbox status` shows what this machine allows',
  });
}
