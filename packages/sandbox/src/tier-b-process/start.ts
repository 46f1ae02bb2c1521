import { type ChildProcess, spawn } from 'node:child_process';
import { Socket } from 'node:net';
import { PalyraError } from '@palyra/kernel';
import { endWith, firstLine, gather, insistOnStreams, streamOf } from '../child-streams.ts';
import type { Libc } from '../libc.ts';
import { readReport } from '../starter/read-report.ts';
import { Opened, openPipes } from '../tier-c-bubblewrap/descriptors.ts';
import { READY, READY_LINE } from '../tier-c-bubblewrap/launcher.ts';
import {
  type ProcessFacts,
  childrenOf,
  factsOf,
  killExactly,
} from '../tier-c-bubblewrap/processes.ts';
import type { Waiting } from '../tier-c-bubblewrap/waiting.ts';
import { DESCRIPTORS, type Plan } from './plan.ts';
import { MARK, sweep } from './sweep.ts';

export interface StartParts {
  readonly libc: Libc;
  /** Needed for one of the ways each. */
  readonly bwrap: string;
  readonly setpriv: string;
  /** Contract: all of them left open. */
  readonly program: number;
  readonly starter: number;
  readonly folder: number;
  /** A name that no other command of ours has had. */
  readonly name: string;
}

/** As a sandbox that waits, but without walls. */
export interface WaitingProcess extends Waiting {
  /** Whether everything that could be found was gone at the end; `true` until then. */
  isSwept(): boolean;
}

/** A machine under load takes a second; one that takes longer has something else to do. */
const START_MS = 10_000;
const MAX_COMPLAINT = 4096;

/** Contract: resolves when the launcher has said that it is ready; rejects with SANDBOX_UNAVAILABLE. */
export async function startProcess(plan: Plan, parts: StartParts): Promise<WaitingProcess> {
  const { child, streams, report, status } = launch(plan, parts);
  const complaint = gather(child.stderr, MAX_COMPLAINT);
  child.stdin?.on('error', () => {});
  child.stdin?.write(READY_LINE);
  const hasEnded = new Promise<void>((resolve) => {
    child.once('exit', () => resolve());
    child.once('error', () => resolve());
  });
  const deadline = setTimeout(() => child.kill('SIGKILL'), START_MS);
  const byte = await Promise.race([report.ready, hasEnded]);
  const said = plan.way === 'pid-namespace' ? await Promise.race([status, hasEnded]) : undefined;
  const tree = plan.way === 'pid-namespace' ? treeBelow(child, said ?? '') : treeOfItself(child);
  clearTimeout(deadline);
  if (byte !== READY || tree === undefined) {
    child.kill('SIGKILL');
    for (const stream of Object.values(streams)) stream.destroy();
    await hasEnded;
    throw notStarted(complaint());
  }
  const { first } = tree;
  let isSwept = true;
  return {
    ...streams,
    ...tree,
    begun: report.begun,
    report: report.rest,
    handOver: (script) => child.stdin?.end(script),
    isSwept: () => isSwept,
    end: async () => {
      if (plan.way === 'process-group') {
        isSwept = await sweep(parts.libc, { first, mark: parts.name });
      }
      killExactly(parts.libc, first);
      child.kill('SIGKILL');
      await hasEnded;
      await untilDead(first);
    },
  };
}

function launch(plan: Plan, parts: StartParts) {
  using theirs = new Opened();
  using ours = new DisposableStack();
  const pipes = { libc: parts.libc, runAs: plan.runAs };
  const { stdin, stdout, stderr, report } = openPipes(pipes, ours, theirs);
  const isNamespace = plan.way === 'pid-namespace';
  const child = spawn(isNamespace ? parts.bwrap : parts.setpriv, wordsOf(plan), {
    // By descriptor: whoever exchanges the folder's name changes nothing.
    cwd: `/proc/${process.pid}/fd/${parts.folder}`,
    env: isNamespace ? {} : { [MARK]: parts.name },
    stdio: [
      'pipe',
      'ignore',
      'pipe',
      stdin.its,
      stdout.its,
      stderr.its,
      report.its,
      parts.program,
      parts.starter,
      ...(isNamespace ? (['pipe', 'pipe'] as const) : []),
    ],
    detached: true,
    ...plan.runAs,
  });
  insistOnStreams(child);
  ours.move();
  endWith(child, DESCRIPTORS.options, plan.options.map((word) => `${word}\0`).join(''));
  const reading = { readable: true, writable: false };
  return {
    child,
    status: firstLine(streamOf(child, DESCRIPTORS.status)),
    streams: {
      stdout: new Socket({ fd: stdout.mine, ...reading }),
      stderr: new Socket({ fd: stderr.mine, ...reading }),
      stdin: new Socket({ fd: stdin.mine, readable: false, writable: true }),
    },
    report: readReport(new Socket({ fd: report.mine, ...reading }), READY),
  };
}

function wordsOf({ way }: Plan): readonly string[] {
  switch (way) {
    case 'pid-namespace':
      return ['--args', `${DESCRIPTORS.options}`, '--', '/bin/sh'];
    case 'process-group':
      // It ends with us however that comes about; what it has started by then may not.
      return ['--no-new-privs', '--pdeathsig', 'KILL', '--', '/bin/sh'];
  }
}

interface Tree {
  /** The process whose end is the end of all. */
  readonly first: ProcessFacts;
  readonly starter: number;
}

/** INVARIANT: what bwrap says is believed only of its own child. */
function treeBelow(child: ChildProcess, status: string): Tree | undefined {
  const pid = /"child-pid":\s*(\d+)/.exec(status)?.[1];
  const first = pid === undefined ? undefined : factsOf(Number(pid));
  if (first === undefined || first.parent !== child.pid) return undefined;
  const [starter] = childrenOf(first.pid);
  return starter === undefined ? undefined : { first, starter };
}

function treeOfItself({ pid }: ChildProcess): Tree | undefined {
  const first = pid === undefined ? undefined : factsOf(pid);
  return first && { first, starter: first.pid };
}

const FIRST_LOOK_MS = 1;
const LAST_LOOK_MS = 50;

/** The kernel reaps everything in a namespace before it lets the first process go. */
async function untilDead(first: ProcessFacts): Promise<void> {
  for (let pause = FIRST_LOOK_MS; ; pause = Math.min(pause * 2, LAST_LOOK_MS)) {
    const facts = factsOf(first.pid);
    if (facts === undefined || facts.isDead || facts.startedAt !== first.startedAt) return;
    await new Promise<void>((resolve) => setTimeout(resolve, pause));
  }
}

function notStarted(complaint: string): PalyraError {
  const why =
    complaint.trim().replace(/^(?:bwrap|setpriv): /, '') || 'it ended before it was ready';
  return new PalyraError('SANDBOX_UNAVAILABLE', `the process did not start: ${why}`, {
    help: '`palyra sandbox status` shows what this machine allows',
  });
}
