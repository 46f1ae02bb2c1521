import { Socket } from 'node:net';
import type { Bytes } from '@palyra/kernel';
import { firstLine, gather, streamOf } from '../child-streams.ts';
import type { Libc } from '../libc.ts';
import { holdText } from '../memory-file.ts';
import { type ReportReading, readReport } from '../starter/read-report.ts';
import {
  type BwrapProcess,
  type BwrapStandIn,
  type QuickParts,
  startBwrap,
} from './bwrap-process.ts';
import { OPTIONS, Opened, afterLast, openPipes, optionBytes } from './descriptors.ts';
import { LateText } from './late-text.ts';
import { BEGUN, READY } from './launcher.ts';
import type { Account } from './mapped-workspace.ts';
import { orderer } from './orderer.ts';
import type { CagePlan, Descriptor } from './plan.ts';

export interface LaunchParts {
  readonly bwrap: string;
  readonly libc: Libc;
  /** What is written to it; everything else stands in `descriptors`. */
  readonly texts: Readonly<Record<'seccomp' | 'starter', Bytes>>;
  /** Who it runs as; absent for whoever we are. */
  readonly runAs: Account | undefined;
  readonly quick: QuickParts | undefined;
  /** Where it is to be already, if there is somebody who waits there for it. */
  readonly standIn: BwrapStandIn | undefined;
}

export interface LaunchOrder {
  readonly plan: Pick<CagePlan, 'entry' | 'options'>;
  readonly numbers: ReadonlyMap<Descriptor, number>;
  /** What some of them are. Contract: left open. */
  readonly descriptors: ReadonlyMap<Descriptor, number>;
  /** What is started first if there is a way out, which talks to us on that descriptor. */
  readonly listener: (channel: number) => Bytes;
}

/** A bwrap that makes the system, and then waits for what stands in the workspace. */
export interface Launched {
  readonly child: BwrapProcess;
  /** Its first line. */
  readonly status: Promise<string>;
  readonly streams: Readonly<Record<'stdout' | 'stderr' | 'stdin', Socket>>;
  readonly report: ReportReading;
  /** What it said about what is wrong. */
  complaint(): string;
  /**
   * Contract: once, unless it is given up. INVARIANT: until then it has not come to the workspace, and it
   * never does if we end before. Resolves when it has made the system and gone on, or has ended.
   */
  readonly goOn: () => Promise<void>;
  /** Contract: may be called at any time. Who was not told to go on never will be. */
  readonly giveUp: () => void;
  /** Contract: once. To the starter that waits; one that has ended gets nothing. */
  readonly handOver: (order: Bytes) => void;
}

/** On which of its numbers bwrap tells what is wrong. */
const COMPLAINTS = 2;
const MAX_COMPLAINT = 4096;
const MARKS = `${READY}${BEGUN}`;

export function launch(order: LaunchOrder, parts: LaunchParts): Launched {
  using theirs = new Opened();
  const { plan, numbers } = order;
  using ours = new DisposableStack();
  const { orders, stdin, stdout, stderr, report } = openPipes(parts, ours, theirs);
  const starter = ours.use(new LateText(parts.libc));
  theirs.add(starter.theirs);
  const hold = (text: Bytes) => theirs.add(holdText(parts.libc, text));
  const given = givenDescriptors(order, parts, hold).set('starter', starter.theirs);
  const options = hold(optionBytes(plan.options, numbers));
  const fixed = [stdin.its, stdout.its, stderr.its, report.its, options];
  const named = [...numbers.keys()].map((name) => given.get(name) ?? ('pipe' as const));
  const child = startBwrap(
    {
      bwrap: parts.bwrap,
      words: bwrapWords(plan.entry),
      stdio: [orders.its, 'ignore', 'pipe', ...fixed, ...named],
      status: numbers.get('status') ?? -1,
      runAs: parts.runAs,
      hasChannel: numbers.has('listener'),
    },
    parts.quick,
    parts.standIn,
  );
  ours.move();
  const reading = { readable: true, writable: false };
  return {
    child,
    status: firstLine(streamOf(child, numbers.get('status'))),
    streams: {
      stdout: new Socket({ fd: stdout.mine, ...reading }),
      stderr: new Socket({ fd: stderr.mine, ...reading }),
      stdin: new Socket({ fd: stdin.mine, readable: false, writable: true }),
    },
    report: readReport(new Socket({ fd: report.mine, ...reading }), MARKS),
    complaint: gather(streamOf(child, COMPLAINTS), MAX_COMPLAINT),
    handOver: orderer(child, orders.mine),
    // It reads this to its end before it binds anything that stands behind it in the plan.
    goOn: () => starter.give(parts.texts.starter),
    giveUp: () => starter[Symbol.dispose](),
  };
}

/** All that stands on its command line. */
export function bwrapWords(entry: CagePlan['entry']): readonly string[] {
  return ['--args', `${OPTIONS}`, '--', entry];
}

/** All but what it tells us and what it has to wait for. */
function givenDescriptors(
  { numbers, descriptors, listener }: LaunchOrder,
  { texts }: LaunchParts,
  hold: (text: Bytes) => number,
): Map<Descriptor, number> {
  const given = new Map(descriptors).set('seccomp', hold(texts.seccomp));
  return numbers.has('listener')
    ? given.set('listener', hold(listener(afterLast(numbers))))
    : given;
}
