import { type ChildProcess, spawn } from 'node:child_process';
import { basename, dirname, join } from 'node:path';
import {
  type JsonObject,
  PalyraError,
  type PalyraErrorOptions,
  isErrorCode,
  isJsonObject,
} from '@palyra/kernel';
import type { Shell } from './command.ts';
import { NoSuchKey } from './no-such-key.ts';

/** An answer longer than this is not one of ours. */
const MAX_ANSWER_BYTES = 16 * 1024 * 1024;

/** The daemon that belongs to this program: next to its bundle, or in the source tree beside it. */
export function daemonProgram(entryFile: string): string {
  const folder = dirname(entryFile);
  return basename(entryFile).endsWith('.ts')
    ? join(folder, '..', '..', 'palyrad', 'src', 'main.ts')
    : join(folder, 'palyrad.cjs');
}

/**
 * Megabytes of a young generation: what a start leaves behind would otherwise stay resident for as
 * long as the daemon has nothing to do. It has room for what many calls at once hold while they last,
 * or all of that would be carried into the old one. It is as large from the beginning: while it grows,
 * a start would carry over what it needs for a moment, again and again, and wait for that.
 */
export const DAEMON_FLAGS = ['--min-semi-space-size=4', '--max-semi-space-size=4'];

/**
 * Every thread would get a heap of the C library to itself, and keep what a start has left in it. Few
 * of them ask for memory at the same time.
 */
export const DAEMON_ENVIRONMENT = { MALLOC_ARENA_MAX: '2' } as const;

export interface DaemonStart {
  readonly log: 'inherit' | 'pipe';
  /** `section.key=value`, for this start only. */
  readonly settings: readonly string[];
  /** Its workspace; the folder of this program without it. */
  readonly folder?: string;
}

/**
 * Starts the daemon, which says `ready …` and `health …` on its output and logs to our standard error, or to a
 * pipe. It leads its own group, so that Ctrl-C reaches it once: through us. We hold its standard
 * input and write nothing to it: the system closes it when we end, however that happens.
 */
export function startDaemon(shell: Shell, start: DaemonStart): ChildProcess {
  const settings = start.settings.flatMap((setting) => ['--set', setting]);
  const words = [daemonProgram(shell.entryFile), '--until-stdin-ends', ...settings];
  return spawn(process.execPath, [...DAEMON_FLAGS, ...words], {
    // What somebody has chosen themselves counts.
    env: { ...DAEMON_ENVIRONMENT, ...shell.environment },
    stdio: ['pipe', 'pipe', start.log],
    detached: true,
    ...(start.folder === undefined ? {} : { cwd: start.folder }),
  });
}

/**
 * Starts the daemon's program for one sandbox. It leads its own group and holds no terminal; we hold
 * its standard input, and it ends what it runs when that closes, however we ended.
 */
export function startSandbox(shell: Shell): ChildProcess {
  return spawn(process.execPath, [daemonProgram(shell.entryFile), '--', 'sandbox', 'run'], {
    env: shell.environment,
    stdio: ['pipe', 'pipe', 'inherit'],
    detached: true,
  });
}

/**
 * Asks the daemon's program, which needs no running daemon for this, and takes its JSON answer.
 * Contract: what it reports as an error is thrown with its code; the answer may still say `no`.
 */
export async function askDaemonProgram(
  shell: Shell,
  words: readonly string[],
  input = '',
): Promise<JsonObject> {
  const answer = await rawAnswer(shell, words, input);
  const error = answer['error'];
  if (isJsonObject(error)) throw toError(error);
  return answer;
}

/**
 * Contract: an error that the program reports is an answer here, in `error`. The input is for what
 * nobody may read in a list of processes.
 */
export async function rawAnswer(
  shell: Shell,
  words: readonly string[],
  input = '',
): Promise<JsonObject> {
  const program = daemonProgram(shell.entryFile);
  const child = spawn(process.execPath, [program, '--', ...words], {
    env: shell.environment,
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  // One that ends without reading says why in its answer.
  child.stdin?.on('error', () => {});
  child.stdin?.end(input);
  const ended = new Promise<void>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', () => resolve());
  });
  const [text] = await Promise.all([readAnswer(child), ended]);
  return parseAnswer(text);
}

export function toError(error: JsonObject): PalyraError {
  const { code, message, help, problems } = error;
  const known = typeof code === 'string' && isErrorCode(code) ? code : 'UNEXPECTED';
  const words = typeof message === 'string' ? message : 'palyrad failed';
  const options: PalyraErrorOptions = typeof help === 'string' && help !== '' ? { help } : {};
  // What is wrong with the configuration itself comes as a list of problems.
  const isAsked = known === 'CONFIG_UNKNOWN_KEY' && problems === undefined;
  return isAsked ? new NoSuchKey(words, options) : new PalyraError(known, words, options);
}

async function readAnswer(child: ChildProcess): Promise<string> {
  const output: AsyncIterable<Uint8Array> | undefined = child.stdout ?? undefined;
  if (output === undefined) throw noAnswer();
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const bytes of output) {
    size += bytes.length;
    if (size > MAX_ANSWER_BYTES) {
      child.kill('SIGKILL');
      throw noAnswer();
    }
    chunks.push(bytes);
  }
  return Buffer.concat(chunks).toString('utf8');
}

function parseAnswer(text: string): JsonObject {
  let answer: unknown;
  try {
    answer = JSON.parse(text);
  } catch (cause) {
    throw noAnswer(cause);
  }
  if (!isJsonObject(answer)) throw noAnswer();
  return answer;
}

function noAnswer(cause?: unknown): PalyraError {
  return new PalyraError('UNEXPECTED', 'palyrad gave no answer that can be read', {
    cause,
    help: 'what it wrote above says why; `./palyra` builds it again when its sources change',
  });
}
