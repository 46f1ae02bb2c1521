import { type ChildProcess, spawn } from 'node:child_process';
import { isDeepStrictEqual } from 'node:util';
import { insistOnStreams } from '../child-streams.ts';
import type { Child } from '../handed-streams.ts';
import type { QuickStart } from '../quick-start.ts';
import type { StandIn } from '../stand-in.ts';
import type { Account } from './mapped-workspace.ts';

export interface BwrapOrder {
  readonly bwrap: string;
  readonly words: readonly string[];
  /** What each number is in it, from 0 on. */
  readonly stdio: readonly (number | 'pipe' | 'ignore')[];
  /** On which number it tells its status, as long as it lives. */
  readonly status: number;
  /** Who it runs as; absent for whoever we are. */
  readonly runAs: Account | undefined;
  /** Behind all the others. */
  readonly hasChannel: boolean;
}

/** How to start it sooner than Node can. */
export interface QuickParts {
  readonly start: QuickStart;
  /** A program that becomes who it runs as. Contract: what it gives stays open. */
  readonly userSwitch: (account: Account) => number;
  /** Somebody who waits to become that bwrap, for a sandbox without a way out. Contract: `undefined` when none was started. */
  readonly startStandIn: (bwrap: string) => BwrapStandIn | undefined;
}

export interface BwrapProcess extends Child {
  /** Node's own, which alone hears what comes on a channel. */
  readonly channel?: ChildProcess;
}

/** Somebody who waits to become bwrap. */
export interface BwrapStandIn extends StandIn {
  /** Exactly what it becomes. */
  readonly as: Pick<BwrapOrder, 'bwrap' | 'words' | 'runAs'>;
}

/** Contract: with an empty environment, and in a session of its own. Throws as `quick` does. */
export function startBwrap(
  order: BwrapOrder,
  quick: QuickParts | undefined,
  standIn: BwrapStandIn | undefined,
): BwrapProcess {
  if (quick === undefined || order.hasChannel) return startByNode(order);
  return stoodInFor(order, standIn) ?? startSoon(order, quick);
}

function stoodInFor(order: BwrapOrder, standIn: BwrapStandIn | undefined): Child | undefined {
  const { bwrap, words, runAs, stdio, status: lifeline } = order;
  if (!isDeepStrictEqual(standIn?.as, { bwrap, words, runAs })) return undefined;
  return standIn?.become({ stdio, lifeline });
}

function startSoon(
  { bwrap, words, stdio, status: lifeline, runAs }: BwrapOrder,
  { start, userSwitch }: QuickParts,
): BwrapProcess {
  const all = [bwrap, ...words];
  if (runAs === undefined) return start({ file: bwrap, words: all, stdio, lifeline });
  return start({ program: userSwitch(runAs), words: ['become', ...all], stdio, lifeline });
}

function startByNode({ bwrap, words, stdio, runAs, hasChannel }: BwrapOrder): BwrapProcess {
  const child = spawn(bwrap, words, {
    env: {},
    stdio: hasChannel ? [...stdio, 'ipc'] : [...stdio],
    detached: true,
    ...runAs,
  });
  insistOnStreams(child);
  const hasEnded = new Promise<void>((resolve) => {
    child.once('exit', () => resolve());
    child.once('error', () => resolve());
  });
  return {
    pid: child.pid,
    stdio: child.stdio,
    kill: () => void child.kill('SIGKILL'),
    hasEnded,
    ...(hasChannel && { channel: child }),
  };
}
