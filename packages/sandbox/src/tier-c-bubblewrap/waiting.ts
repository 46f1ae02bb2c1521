import type { ChildProcess } from 'node:child_process';
import type { Readable, Writable } from 'node:stream';
import { type Bytes, PalyraError } from '@palyra/kernel';
import type { Child } from '../handed-streams.ts';
import type { Report } from '../starter/starter-elf.ts';
import { numberDescriptors } from './descriptors.ts';
import { type LaunchParts, type Launched, launch } from './launch.ts';
import { READY } from './launcher.ts';
import type { CagePlan, Descriptor } from './plan.ts';
import {
  type HeldProcess,
  type ProcessFacts,
  childrenOf,
  factsOf,
  holdProcess,
} from './processes.ts';
import { isNobodyElseLeft, untilDead, untilEmpty } from './who-is-left.ts';

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
  /** Whether whoever waits has begun with the order, once that is known. */
  readonly begun: Promise<boolean>;
  /** What became of the command; `undefined` when nobody could say. */
  readonly report: Promise<Report | undefined>;
  /** Contract: once. */
  handOver(order: Order): void;
  /**
   * Contract: may be called at any time, and again. Resolves when no process of it is left, or none but the
   * starter, which has told of the command's end, does nothing any more, and is ended by `gone`.
   */
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
    const starter = first && onlyChildOf(first);
    const held = first && holdProcess(parts.libc, first);
    if (byte !== READY || first === undefined || starter === undefined || held === undefined) {
      held?.[Symbol.dispose]();
      throw notStarted(launched.complaint());
    }
    return waitingIn(launched, { first, starter, held });
  } catch (error) {
    child.kill();
    launched.giveUp();
    for (const stream of Object.values(streams)) stream.destroy();
    await hasEnded;
    endGroup(child);
    // Everything of it that could go on holds the other end; a starter hears that we are gone.
    await report.closed;
    throw error;
  } finally {
    clearTimeout(tooLate);
  }
}

interface Found {
  readonly first: ProcessFacts;
  readonly starter: ProcessFacts;
  readonly held: HeldProcess;
}

function waitingIn(launched: Launched, { first, starter, held }: Found): WaitingCage {
  const { child, streams, report, handOver } = launched;
  const { hasEnded } = child;
  let ended: Promise<void> | undefined;
  let isTold = false;
  void report.rest.then((told) => (isTold = told !== undefined));
  const kill = async () => {
    // The starter does nothing any more, and `gone` ends it: whoever waits for the command need not wait for that.
    if (isTold && isNobodyElseLeft(first, starter)) return;
    held.kill();
    // To be told of the starter's end is cheaper than to look for it again and again.
    await report.closed;
    await untilEmpty(first, starter);
  };
  const end = () => (ended ??= kill());
  // Killed before its other half had asked to die with it, it would leave that behind.
  void hasEnded.then(end);
  return {
    ...streams,
    first,
    starter: starter.pid,
    begun: report.begun,
    report: report.rest,
    handOver,
    gone: async () => {
      // Nobody reads or writes them any more, and nobody may ever have.
      for (const stream of Object.values(streams)) stream.destroy();
      held.kill();
      // It ends with its other half, unless somebody has stopped it.
      child.kill();
      await hasEnded;
      await untilDead(first);
      held[Symbol.dispose]();
    },
    hasBegun: report.hasBegun,
    end,
  };
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

function onlyChildOf({ pid }: ProcessFacts): ProcessFacts | undefined {
  const [child] = childrenOf(pid);
  return child === undefined ? undefined : factsOf(child);
}

function notStarted(complaint: string): PalyraError {
  const why = complaint.trim().replace(/^bwrap: /, '') || 'it ended before it was ready';
  return new PalyraError('SANDBOX_UNAVAILABLE', `the sandbox did not start: ${why}`, {
    help: '`palyra sandbox status` shows what this machine allows',
  });
}
