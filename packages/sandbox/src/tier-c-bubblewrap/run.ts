import { hash } from 'node:crypto';
import { constants } from 'node:os';
import type { Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { type Bytes, PalyraError } from '@palyra/kernel';
import { type Capture, capture } from '../capture.ts';
import { faultOf } from '../faults.ts';
import type { Ending, Limits, SandboxRequest } from '../model.ts';
import type { RunWatch } from '../service/sandboxes.ts';
import type { Report } from '../starter/starter-elf.ts';
import { spawnFault } from './executable.ts';
import type { Meter, Overuse } from './meter.ts';
import type { Waiting } from './waiting.ts';

/** What stops a command before it ends by itself. */
type Stop = 'full' | 'late' | 'cancelled' | Overuse;

export type Outcome = Omit<Ending, 'posture'>;

/** Hands the command to a waiting sandbox and stays until nothing of it is left. */
export async function runIn<Order>(
  waiting: Waiting<Order>,
  order: { readonly request: SandboxRequest; readonly script: Order; readonly meter: Meter },
  watch: Pick<RunWatch, 'signal' | 'onOutput' | 'input'>,
): Promise<Outcome> {
  const { request, script, meter } = order;
  const started = performance.now();
  // First of all: everything else is made ready while whoever waits inside wakes up.
  waiting.handOver(script);
  const captured = capture(waiting, {
    maxBytes: request.limits.outputBytes,
    onOutput: watch.onOutput,
  });
  void feed(waiting.stdin, request.stdin, watch.input);
  const stop = await firstOf(captured, order, watch.signal);
  meter.stop();
  const overuse = stop === 'ended' ? meter.last() : undefined;
  await waiting.end();
  waiting.stdin.destroy();
  // Nobody is left to write: what is still in the pipes comes now.
  await captured.ended;
  const report = await waiting.report;
  return {
    ...endOf(overuse ?? stop, report, request),
    ...outputOf(captured),
    durationMs: performance.now() - started,
  };
}

/** Contract: never rejects; a command need not read what it is given. */
async function feed(stdin: Writable, first: Bytes, more: RunWatch['input']): Promise<void> {
  stdin.on('error', () => stdin.destroy());
  if (more === undefined) return void stdin.end(first);
  stdin.write(first);
  await pipeline(more, stdin).catch(() => stdin.destroy());
}

async function firstOf(
  captured: Capture,
  { request, meter }: { readonly request: SandboxRequest; readonly meter: Meter },
  signal: AbortSignal,
): Promise<Stop | 'ended'> {
  const stop = Promise.withResolvers<Stop>();
  const timer = setTimeout(() => stop.resolve('late'), request.limits.wallTimeMs);
  const cancel = () => stop.resolve('cancelled');
  signal.addEventListener('abort', cancel, { once: true });
  if (signal.aborted) cancel();
  try {
    return await Promise.race([stop.promise, captured.ended, meter.overuse]);
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', cancel);
  }
}

type End = Pick<Ending, 'kind' | 'code' | 'signal' | 'fault'>;

function endOf(stop: Stop | 'ended', report: Report | undefined, request: SandboxRequest): End {
  if (stop === 'ended') return ownEnd(report, request);
  return { kind: 'killed', signal: 'SIGKILL', fault: faultOf(stopped(stop, request.limits)) };
}

function ownEnd(report: Report | undefined, { executable, limits }: SandboxRequest): End {
  switch (report?.kind) {
    case undefined:
      return { kind: 'killed', signal: 'SIGKILL', fault: faultOf(vanished()) };
    case 'not-started':
      return { kind: 'refused', fault: faultOf(spawnFault(executable, report.errno)) };
    case 'exited':
      return { kind: 'exited', code: report.code };
    case 'signalled': {
      const signal = signalName(report.signal);
      const cause = causeOf(signal, limits);
      return { kind: 'killed', signal, ...(cause && { fault: faultOf(cause) }) };
    }
  }
}

function signalName(number: number): string {
  const named = Object.entries(constants.signals).find(([, value]) => value === number);
  return named?.[0] ?? `SIG${number}`;
}

/** Two signals say themselves which limit was reached. */
function causeOf(signal: string, limits: Limits): PalyraError | undefined {
  if (signal === 'SIGXCPU') return stopped('cpu', limits);
  if (signal !== 'SIGXFSZ') return undefined;
  return exceeded(`the command wrote a file of more than ${limits.fileBytes} bytes`);
}

function stopped(stop: Stop, limits: Limits): PalyraError {
  switch (stop) {
    case 'full':
      return exceeded(`the command wrote more than ${limits.outputBytes} bytes of output`);
    case 'memory':
      return exceeded(`the command used more than ${limits.memoryBytes} bytes of memory`);
    case 'cpu':
      return exceeded(`the command used more than ${limits.cpuTimeMs} ms of processor time`);
    case 'processes':
      return exceeded(`the command had more than ${limits.processes} processes at once`);
    case 'late':
      return new PalyraError(
        'SANDBOX_TIMED_OUT',
        `the command was still running after ${limits.wallTimeMs} ms`,
      );
    case 'cancelled':
      return new PalyraError('CANCELLED', 'the command was cancelled');
  }
}

function exceeded(what: string): PalyraError {
  return new PalyraError('SANDBOX_QUOTA_EXCEEDED', what);
}

function vanished(): PalyraError {
  return new PalyraError(
    'SANDBOX_FAILED',
    'the sandbox ended without telling how its command did',
    { help: 'somebody killed it from outside, or the machine ran out of memory' },
  );
}

function outputOf(captured: Capture) {
  const { stdout, stderr } = captured.take();
  return {
    stdout: stdout.bytes,
    stderr: stderr.bytes,
    truncated: { stdout: stdout.isTruncated, stderr: stderr.isTruncated },
    outputSha256: hash('sha256', Buffer.concat([stdout.bytes, stderr.bytes]), 'hex'),
  };
}
