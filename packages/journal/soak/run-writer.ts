import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { compiledFor } from './bundle-writer.ts';

export interface WriterOptions {
  readonly home: string;
  readonly writers?: number;
  readonly entries?: number;
  /** A program and its arguments that start the writer in trouble. */
  readonly through?: readonly [program: string, ...args: string[]];
  /** When it is ended with SIGKILL; without a moment, never. */
  readonly kill?: KillMoment;
  /** A bundled one instead of the source. */
  readonly writer?: string;
}

/** So many acknowledged entries, or so much time after it was started. */
export type KillMoment = { readonly acknowledged: number } | { readonly afterMs: number };

export interface WriterResult {
  /** Sequence number and hash of every entry whose append has resolved. */
  readonly acknowledged: ReadonlyMap<number, string>;
  /** The code of the error that ended it. */
  readonly failure: string | undefined;
  readonly opened: boolean;
  readonly isDone: boolean;
  readonly isKilled: boolean;
  readonly stderr: string;
}

const WRITER = fileURLToPath(new URL('writer.ts', import.meta.url));

/** Runs a writer until it ends or is killed, and tells what it had acknowledged by then. */
export async function runWriter(options: WriterOptions): Promise<WriterResult> {
  const { home, writers = 16, entries = 0, through = [], kill, writer } = options;
  const words = [writer ?? WRITER, home, `${writers}`, `${entries}`];
  const [program = '', ...args] = [...through, process.execPath, ...words];
  const child = spawn(program, args, {
    env: { ...process.env, ...(writer !== undefined && compiledFor(writer)) },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const die = () => child.kill('SIGKILL');
  const timer = kill !== undefined && 'afterMs' in kill ? setTimeout(die, kill.afterMs) : undefined;
  const limit = kill !== undefined && 'acknowledged' in kill ? kill.acknowledged : Infinity;
  const lines: string[] = [];
  let rest = '';
  let stderr = '';
  child.stderr.on('data', (chunk: Buffer) => (stderr += chunk.toString()));
  child.stdout.on('data', (chunk: Buffer) => {
    const parts = (rest + chunk.toString()).split('\n');
    rest = parts.pop() ?? '';
    lines.push(...parts);
    // The first line says that it is open.
    if (lines.length > limit) die();
  });
  await new Promise<void>((resolve, reject) => {
    child.on('error', reject);
    child.on('close', () => resolve());
  });
  clearTimeout(timer);
  return { ...readLines(lines), isKilled: child.signalCode === 'SIGKILL', stderr };
}

function readLines(lines: readonly string[]): Omit<WriterResult, 'isKilled' | 'stderr'> {
  const pairs = lines
    .map((line) => /^(\d+) ([0-9a-f]{64})$/.exec(line))
    .filter((match) => match !== null)
    .map(([, sequence, hash]) => [Number(sequence), hash ?? ''] as const);
  return {
    acknowledged: new Map(pairs),
    failure: lines.find((line) => line.startsWith('failed '))?.slice('failed '.length),
    opened: lines.includes('open'),
    isDone: lines.includes('done'),
  };
}
