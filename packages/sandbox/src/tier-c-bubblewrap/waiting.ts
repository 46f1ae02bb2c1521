import { type ChildProcess, spawn } from 'node:child_process';
import { fchownSync } from 'node:fs';
import { Socket } from 'node:net';
import type { Readable, Writable } from 'node:stream';
import { type Bytes, PalyraError } from '@palyra/kernel';
import { firstLine, gather, streamOf, writeTo } from '../child-streams.ts';
import type { Libc } from '../libc.ts';
import { type Report, parseReport } from '../starter/starter-elf.ts';
import { OPTIONS, Opened, afterLast, numberDescriptors, optionBytes } from './descriptors.ts';
import { BEGUN, READY, READY_LINE } from './launcher.ts';
import type { Account } from './mapped-workspace.ts';
import type { CagePlan, Descriptor } from './plan.ts';
import { type ProcessFacts, childrenOf, factsOf, killExactly } from './processes.ts';

export interface StartParts {
  readonly bwrap: string;
  readonly libc: Libc;
  /** What is written to it; everything else stands in `descriptors`. */
  readonly texts: Readonly<Record<'seccomp' | 'starter', Bytes>>;
  /** What the plan starts first if it has a way out, which talks to us on that descriptor. */
  readonly listener: (channel: number) => Bytes;
  /** Called once, as soon as there is a process: what it says on its channel is not lost. */
  readonly onSpawn: (child: ChildProcess) => void;
  /** Called once, with the sandbox's first process, while its mounts are still made. */
  readonly onFirst: (pid: number) => void;
  /** What each descriptor of the plan is. Contract: left open. */
  readonly descriptors: ReadonlyMap<Descriptor, number>;
  /** Who it runs as; absent for whoever we are. */
  readonly runAs: Account | undefined;
}

/** A finished sandbox in which a shell waits for its one line. */
export interface Waiting {
  readonly stdout: Readable;
  readonly stderr: Readable;
  readonly stdin: Writable;
  /** The sandbox's first process; its end is the end of all. */
  readonly first: ProcessFacts;
  /** The shell that waits, which becomes the command's starter. */
  readonly shell: number;
  /** What became of the command; `undefined` when nobody could say. */
  readonly report: Promise<Report | undefined>;
  /** Contract: once. */
  handOver(script: string): void;
  /** Contract: may be called at any time, and again. Resolves when no process of it is left. */
  end(): Promise<void>;
}

/** A machine under load takes a second; one that takes longer has something else to do. */
export const MAX_START_MS = 10_000;
const MAX_COMPLAINT = 4096;
const MAX_REPORT = 64;
const MARKS = `${READY}${BEGUN}`;

/** One whose own end can be waited for; no answer has to. */
export interface WaitingCage extends Waiting {
  /** Resolves when bwrap itself and everything that the kernel kept for it are gone. Contract: after `end`. */
  gone(): Promise<void>;
  /** Whether the shell has begun with its line, as far as is known. Contract: final after `report`. */
  hasBegun(): boolean;
}

/** Contract: resolves when the shell inside has said that it is ready; rejects with SANDBOX_UNAVAILABLE. */
export async function startWaiting(plan: CagePlan, parts: StartParts): Promise<WaitingCage> {
  const { child, status, streams, report } = launch(plan, parts);
  void status.then((line) => {
    const first = firstOf(child, line);
    if (first !== undefined) parts.onFirst(first.pid);
  });
  const complaint = gather(child.stderr, MAX_COMPLAINT);
  child.stdin?.on('error', () => {});
  child.stdin?.write(READY_LINE);
  const hasEnded = new Promise<void>((resolve) => {
    child.once('exit', () => resolve());
    child.once('error', () => resolve());
  });
  // Then it has ended, and is told like any other that did before it was ready.
  const tooLate = setTimeout(() => child.kill('SIGKILL'), MAX_START_MS);
  try {
    const byte = await Promise.race([report.ready, hasEnded]);
    const first = firstOf(child, await Promise.race([status, hasEnded]));
    const shell = first === undefined ? undefined : childrenOf(first.pid)[0];
    if (byte !== READY || first === undefined || shell === undefined) {
      throw notStarted(complaint());
    }
    let ended: Promise<void> | undefined;
    const end = async () => {
      killExactly(parts.libc, first);
      child.kill('SIGKILL');
      await untilEmpty(first, shell);
    };
    return {
      ...streams,
      first,
      shell,
      report: report.rest,
      handOver: (script) => child.stdin?.end(script),
      gone: async () => {
        await hasEnded;
        await untilDead(first);
      },
      hasBegun: report.hasBegun,
      end: () => (ended ??= end()),
    };
  } catch (error) {
    child.kill('SIGKILL');
    for (const stream of Object.values(streams)) stream.destroy();
    await hasEnded;
    throw error;
  } finally {
    clearTimeout(tooLate);
  }
}

function launch(plan: CagePlan, parts: StartParts) {
  using theirs = new Opened();
  const pipe = () => parts.libc.pipe();
  const [stdin, stdout, stderr, report] = [pipe(), pipe(), pipe(), pipe()];
  for (const end of [stdin.read, stdout.write, stderr.write, report.write]) {
    theirs.add(end);
    // Programs open their streams by name, which asks for the rights of whoever runs them.
    if (parts.runAs !== undefined) fchownSync(end, parts.runAs.uid, parts.runAs.gid);
  }
  const numbers = numberDescriptors(plan);
  const child = spawn(parts.bwrap, ['--args', `${OPTIONS}`, '--', plan.entry], {
    env: {},
    stdio: [
      'pipe',
      'ignore',
      'pipe',
      stdin.read,
      stdout.write,
      stderr.write,
      report.write,
      'pipe',
      ...[...numbers.keys()].map((name) => parts.descriptors.get(name) ?? 'pipe'),
      ...(numbers.has('listener') ? (['ipc'] as const) : []),
    ],
    detached: true,
    ...parts.runAs,
  });
  parts.onSpawn(child);
  writeTo(child, OPTIONS, optionBytes(plan.options, numbers));
  writeTo(child, numbers.get('seccomp'), parts.texts.seccomp);
  writeTo(child, numbers.get('starter'), parts.texts.starter);
  if (numbers.has('listener')) {
    writeTo(child, numbers.get('listener'), parts.listener(afterLast(numbers)));
  }
  const reading = { readable: true, writable: false };
  return {
    child,
    status: firstLine(streamOf(child, numbers.get('status'))),
    streams: {
      stdout: new Socket({ fd: stdout.read, ...reading }),
      stderr: new Socket({ fd: stderr.read, ...reading }),
      stdin: new Socket({ fd: stdin.write, readable: false, writable: true }),
    },
    report: readReport(new Socket({ fd: report.read, ...reading })),
  };
}

/** First two bytes of the shell, then what the starter has to say. */
function readReport(stream: Readable) {
  const ready = Promise.withResolvers<string>();
  const rest = Promise.withResolvers<Report | undefined>();
  let bytes = Buffer.alloc(0);
  stream.on('data', (chunk: Bytes) => {
    if (bytes.length < MAX_REPORT) bytes = Buffer.concat([bytes, chunk]);
    ready.resolve(bytes.toString('latin1', 0, READY.length));
  });
  stream.once('error', () => stream.destroy());
  stream.once('close', () => {
    ready.resolve('');
    rest.resolve(parseReport(bytes.subarray(MARKS.length)));
  });
  const hasBegun = () => bytes.toString('latin1', 0, MARKS.length) === MARKS;
  return { ready: ready.promise, rest: rest.promise, hasBegun };
}

/** Which process bwrap says is the first. INVARIANT: believed only if it is bwrap's own child. */
function firstOf(child: ChildProcess, status: string | void): ProcessFacts | undefined {
  const pid = /"child-pid":\s*(\d+)/.exec(status ?? '')?.[1];
  const facts = pid === undefined ? undefined : factsOf(Number(pid));
  return facts?.parent === child.pid ? facts : undefined;
}

const BUSY_LOOKS = 10;
const FIRST_LOOK_MS = 1;
const LAST_LOOK_MS = 50;

/**
 * Everything in the namespace descends from its first process, and who loses a parent becomes a child of
 * it: when it has none, there is nobody, although its own end takes the kernel a while longer.
 */
async function untilEmpty(first: ProcessFacts, shell: number): Promise<void> {
  for (let looks = 0; looks < BUSY_LOOKS; looks += 1) {
    if (isEmpty(first, shell)) return;
    await new Promise<void>((resolve) => setImmediate(resolve));
  }
  await until(() => isEmpty(first, shell));
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

function isEmpty(first: ProcessFacts, shell: number): boolean {
  const facts = factsOf(first.pid);
  if (facts === undefined || facts.isDead || facts.startedAt !== first.startedAt) return true;
  const isShellDead = () => factsOf(shell)?.isDead === true;
  const wasShellDead = isShellDead();
  const children = childrenOf(first.pid);
  if (children.length === 0) return true;
  // Dead before and after the list was read, it stood in it all the time, and so the list is whole.
  return wasShellDead && children.length === 1 && children[0] === shell && isShellDead();
}

function notStarted(complaint: string): PalyraError {
  const why = complaint.trim().replace(/^bwrap: /, '') || 'it ended before it was ready';
  return new PalyraError('SANDBOX_UNAVAILABLE', `the sandbox did not start: ${why}`, {
    help: '`palyra sandbox status` shows what this machine allows',
  });
}
