import { type ChildProcess, spawn } from 'node:child_process';
import { fchownSync } from 'node:fs';
import { Socket } from 'node:net';
import type { Readable, Writable } from 'node:stream';
import { type Bytes, PalyraError } from '@palyra/kernel';
import { firstLine, gather, streamOf, writeTo } from '../child-streams.ts';
import type { Libc } from '../libc.ts';
import { type Report, parseReport } from '../starter/starter-elf.ts';
import { OPTIONS, Opened, numberDescriptors, optionBytes } from './descriptors.ts';
import { READY, READY_LINE } from './launcher.ts';
import type { Account } from './mapped-workspace.ts';
import type { Descriptor, Plan } from './plan.ts';
import { type ProcessFacts, childrenOf, factsOf, killExactly } from './processes.ts';

export interface StartParts {
  readonly bwrap: string;
  readonly libc: Libc;
  /** What is written to it; everything else stands in `descriptors`. */
  readonly texts: Readonly<Record<'seccomp' | 'starter', Bytes>>;
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

const MAX_START_MS = 30_000;
const MAX_COMPLAINT = 4096;
const MAX_REPORT = 64;

/** Contract: resolves when the shell inside has said that it is ready; rejects with SANDBOX_UNAVAILABLE. */
export async function startWaiting(plan: Plan, parts: StartParts): Promise<Waiting> {
  const { child, status, streams, report } = launch(plan, parts);
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
    return {
      ...streams,
      first,
      shell,
      report: report.rest,
      handOver: (script) => child.stdin?.end(script),
      end: async () => {
        killExactly(parts.libc, first);
        child.kill('SIGKILL');
        await hasEnded;
        await untilDead(first);
      },
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

function launch(plan: Plan, parts: StartParts) {
  using theirs = new Opened();
  const pipe = () => parts.libc.pipe();
  const [stdin, stdout, stderr, report] = [pipe(), pipe(), pipe(), pipe()];
  for (const end of [stdin.read, stdout.write, stderr.write, report.write]) {
    theirs.add(end);
    // Programs open their streams by name, which asks for the rights of whoever runs them.
    if (parts.runAs !== undefined) fchownSync(end, parts.runAs.uid, parts.runAs.gid);
  }
  const numbers = numberDescriptors(plan);
  const child = spawn(parts.bwrap, ['--args', `${OPTIONS}`, '--', '/bin/sh'], {
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
    ],
    detached: true,
    ...parts.runAs,
  });
  writeTo(child, OPTIONS, optionBytes(plan.options, numbers));
  writeTo(child, numbers.get('seccomp'), parts.texts.seccomp);
  writeTo(child, numbers.get('starter'), parts.texts.starter);
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

/** First one byte of the shell, then what the starter has to say. */
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
    rest.resolve(parseReport(bytes.subarray(READY.length)));
  });
  return { ready: ready.promise, rest: rest.promise };
}

/** Which process bwrap says is the first. INVARIANT: believed only if it is bwrap's own child. */
function firstOf(child: ChildProcess, status: string | void): ProcessFacts | undefined {
  const pid = /"child-pid":\s*(\d+)/.exec(status ?? '')?.[1];
  const facts = pid === undefined ? undefined : factsOf(Number(pid));
  return facts?.parent === child.pid ? facts : undefined;
}

const FIRST_LOOK_MS = 1;
const LAST_LOOK_MS = 50;

/** The kernel reaps everything in the namespace before it lets the first process go. */
async function untilDead(first: ProcessFacts): Promise<void> {
  for (let pause = FIRST_LOOK_MS; ; pause = Math.min(pause * 2, LAST_LOOK_MS)) {
    const facts = factsOf(first.pid);
    if (facts === undefined || facts.isDead || facts.startedAt !== first.startedAt) return;
    await new Promise<void>((resolve) => setTimeout(resolve, pause));
  }
}

function notStarted(complaint: string): PalyraError {
  const why = complaint.trim().replace(/^bwrap: /, '') || 'it ended before it was ready';
  return new PalyraError('SANDBOX_UNAVAILABLE', `the sandbox did not start: ${why}`, {
    help: '`palyra sandbox status` shows what this machine allows',
  });
}
