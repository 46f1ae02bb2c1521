import { hash } from 'node:crypto';
import { constants } from 'node:os';
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
  order: {
    readonly request: SandboxRequest;
    readonly script: Order;
    readonly startMeter: () => Meter;
  },
  watch: Pick<RunWatch, 'signal' | 'onOutput' | 'input'>,
): Promise<Outcome> {
  const { request, script } = order;
  const started = performance.now();
  using over = callOff(request, watch.signal);
  waiting.handOver(script);
  // Whoever waits inside may have to wake up where we are at work: nothing else is done before it has begun.
  await Promise.race([waiting.begun, over.called]);
  const captured = capture(waiting, {
    maxBytes: request.limits.outputBytes,
    onOutput: watch.onOutput,
  });
  void feed(waiting, request.stdin, watch.input);
  const meter = order.startMeter();
  const ended = ownEndOf(captured, waiting);
  const stop = await Promise.race([over.called, ended, meter.overuse]);
  meter.stop();
  const overuse = stop === 'ended' ? meter.last() : undefined;
  await waiting.end();
  waiting.stdin.destroy();
  // Nobody is left to write: what is still in the pipes comes now, and may be too much.
  const how = await captured.ended;
  const report = await waiting.report;
  return {
    ...endOf(overuse ?? (stop === 'ended' ? how : stop), report, request),
    ...outputOf(captured),
    durationMs: performance.now() - started,
  };
}

/** Contract: never rejects; a command need not read what it is given. */
async function feed(
  { stdin, begun }: Pick<Waiting, 'stdin' | 'begun'>,
  first: Bytes,
  more: RunWatch['input'],
): Promise<void> {
  stdin.on('error', () => stdin.destroy());
  if (more === undefined) return void stdin.end(first);
  stdin.write(first);
  // It can be asked for once: a command that never begins is run elsewhere, and needs all of it there.
  if (!(await begun)) return;
  await pipeline(more, stdin).catch(() => stdin.destroy());
}

/** What `tee` has still to say behind a script is there by then; what was started to stay is not waited for. */
const LAST_WORDS_MS = 250;

/**
 * By its report, if there is one: it may close what it writes to and go on. What it started may hold that after
 * its end, and has a moment to say the rest. It may also end whoever would report.
 */
function ownEndOf(
  { ended }: Capture,
  { report }: Pick<Waiting, 'report'>,
): Promise<'ended' | 'full'> {
  const told = report.then((what) => (what === undefined ? ended : lastWords(ended)));
  return Promise.race([told, ended.then((how) => (how === 'full' ? how : told))]);
}

async function lastWords(ended: Capture['ended']): Promise<'ended' | 'full'> {
  const over = Promise.withResolvers<'ended'>();
  const timer = setTimeout(() => over.resolve('ended'), LAST_WORDS_MS);
  try {
    return await Promise.race([ended, over.promise]);
  } finally {
    clearTimeout(timer);
  }
}

interface CallOff extends Disposable {
  readonly called: Promise<'late' | 'cancelled'>;
}

function callOff({ limits }: SandboxRequest, signal: AbortSignal): CallOff {
  const { promise: called, resolve } = Promise.withResolvers<'late' | 'cancelled'>();
  const timer = setTimeout(() => resolve('late'), limits.wallTimeMs);
  const cancel = () => resolve('cancelled');
  signal.addEventListener('abort', cancel, { once: true });
  if (signal.aborted) cancel();
  const dispose = () => {
    clearTimeout(timer);
    signal.removeEventListener('abort', cancel);
  };
  return { called, [Symbol.dispose]: dispose };
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
