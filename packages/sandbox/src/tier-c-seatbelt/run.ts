import { type ChildProcess, spawn } from 'node:child_process';
import { constants } from 'node:os';
import type { Readable, Writable } from 'node:stream';
import { PalyraError } from '@palyra/kernel';
import type { Ending, Posture, SandboxRequest } from '../model.ts';
import { refused } from '../refused.ts';
import type { Report } from '../starter/starter-elf.ts';
import type { Meter, Overuse } from '../tier-c-bubblewrap/meter.ts';
import type { RunWatch } from '../service/sandboxes.ts';
import { runIn } from '../tier-c-bubblewrap/run.ts';
import type { Waiting } from '../tier-c-bubblewrap/waiting.ts';
import { SEATBELT_WEAKNESSES } from './limits.ts';
import { type SeatbeltPlan, type SeatbeltSurroundings, plan } from './plan.ts';
import { familyOf, readProcesses } from './process-table.ts';

export const EXECUTOR = 'sandbox_tier_c_macos_sandbox_exec';

export interface SeatbeltOrder {
  readonly request: SandboxRequest;
  readonly surroundings: SeatbeltSurroundings;
  /** The machine that we are on. */
  readonly platform: NodeJS.Platform;
  /** What the probe said; only the probe itself runs what was not proven. */
  readonly standing: 'proven' | 'being-proven' | 'unproven';
}

/** Contract: never rejects. Anywhere but on macOS it is refused, and nothing weaker takes its place. */
export async function runSeatbelt(order: SeatbeltOrder, watch: RunWatch): Promise<Ending> {
  const { request, surroundings, platform } = order;
  const started = performance.now();
  try {
    if (platform !== 'darwin') throw notHere(platform);
    if (order.standing === 'unproven') throw notProven();
    const made = plan(request, surroundings);
    const waiting = start(made);
    const meterOn = () => startFootprintMeter(waiting.first.pid, request.limits.memoryBytes);
    const running = { request, script: made.script, startMeter: meterOn };
    const outcome = await runIn(waiting, running, watch);
    return { ...outcome, posture: postureOf(order, SEATBELT_WEAKNESSES) };
  } catch (reason) {
    return refused(reason, request, { executor: EXECUTOR, weaknesses: [], started });
  }
}

function notProven(): PalyraError {
  return new PalyraError('SANDBOX_UNAVAILABLE', 'this sandbox is not proven on this machine', {
    help: '`palyra sandbox status` tries it and shows what holds',
  });
}

function notHere(platform: string): PalyraError {
  return new PalyraError('SANDBOX_UNAVAILABLE', `seatbelt sandboxes are not for ${platform}`, {
    help: 'use the sandbox of this platform; `palyra sandbox status` names it',
  });
}

function postureOf({ request }: SeatbeltOrder, weaknesses: readonly string[]): Posture {
  return {
    executor: EXECUTOR,
    namespaces: [],
    seccomp: '',
    memory: 'best-effort',
    egress: request.egress.mode,
    hosts: [],
    isWarm: false,
    weaknesses,
  };
}

function start(made: SeatbeltPlan): Waiting {
  const child = spawn(made.file, made.arguments, {
    env: {},
    stdio: ['pipe', 'pipe', 'pipe', 'pipe'],
    detached: true,
  });
  const { pid } = child;
  const stdin = child.stdio[3];
  if (pid === undefined || stdin === null || stdin === undefined || !('end' in stdin)) {
    throw new PalyraError('SANDBOX_UNAVAILABLE', `\`${made.file}\` did not start`);
  }
  const streams: { stdout: Readable; stderr: Readable; stdin: Writable } = {
    stdout: child.stdout,
    stderr: child.stderr,
    stdin,
  };
  const report = reportOf(child);
  child.stdin.on('error', () => {});
  return {
    ...streams,
    first: {
      pid,
      isDead: false,
      isStopped: false,
      parent: process.pid,
      cpuMs: 0,
      threads: 1,
      startedAt: '',
    },
    starter: pid,
    // There is nobody who would wait: the shell is there and becomes the command.
    begun: Promise.resolve(true),
    report,
    handOver: (script) => child.stdin.end(script),
    end: async () => {
      await endFamily(pid);
      await report;
    },
  };
}

/** The shell and the command are one process, so its end is told without a starter between. */
function reportOf(child: ChildProcess): Promise<Report | undefined> {
  return new Promise((resolve) => {
    child.once('error', () => resolve(undefined));
    child.once('exit', (code, signal) => {
      if (signal !== null) resolve({ kind: 'signalled', signal: constants.signals[signal] });
      else resolve(code === null ? undefined : { kind: 'exited', code });
    });
  });
}

const ROUNDS = 20;

/** Stops before it ends: what is stopped starts nothing new meanwhile. */
async function endFamily(first: number): Promise<void> {
  for (let round = 0; round < ROUNDS; round += 1) {
    const family = familyOf(await readProcesses(), first);
    if (family.length === 0) return;
    for (const signal of ['SIGSTOP', 'SIGKILL'] as const) {
      for (const { pid } of family) signalTo(pid, signal);
    }
  }
}

function signalTo(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch (error) {
    // It ended by itself meanwhile, which is all that was wanted.
    if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) throw error;
  }
}

const EVERY_MS = 500;

function startFootprintMeter(first: number, mostBytes: number): Meter {
  const { promise: overuse, resolve } = Promise.withResolvers<Overuse>();
  const timer = setInterval(() => {
    void readProcesses().then((rows) => {
      const used = familyOf(rows, first).reduce((sum, row) => sum + row.memoryBytes, 0);
      if (used > mostBytes) resolve('memory');
    });
  }, EVERY_MS);
  return { overuse, last: () => undefined, stop: () => clearInterval(timer) };
}
