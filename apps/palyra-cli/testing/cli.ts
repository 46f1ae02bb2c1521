import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { join } from 'node:path';
import { Readable } from 'node:stream';

/** As people have it: built from these sources when the test run began. */
export const MAIN = join(import.meta.dirname, '../../../dist/palyra.cjs');

export interface Ended {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface CliOptions {
  readonly environment?: Readonly<Record<string, string>>;
  readonly input?: string | Uint8Array | Readable;
  /** Another path to the same program. */
  readonly main?: string;
}

/** Runs the CLI as a program of its own, in a home that does not exist. */
export function cli(words: readonly string[], options: CliOptions = {}): Promise<Ended> {
  return endOf(startCli(words, options));
}

export function startCli(
  words: readonly string[],
  options: CliOptions = {},
): ChildProcessWithoutNullStreams {
  const home = { HOME: '/nonexistent/home', PATH: process.env['PATH'] ?? '' };
  const child = spawn(process.execPath, [options.main ?? MAIN, ...words], {
    env: { ...home, ...options.environment },
  });
  // A program that refuses its command line ends without reading.
  child.stdin.on('error', () => child.stdin.destroy());
  if (options.input instanceof Readable) options.input.pipe(child.stdin);
  else child.stdin.end(options.input ?? '');
  return child;
}

export function endOf(child: ChildProcessWithoutNullStreams): Promise<Ended> {
  return new Promise((resolve, reject) => {
    const [stdout, stderr]: [Buffer[], Buffer[]] = [[], []];
    child.stdout.on('data', (chunk: Buffer) => stdout.push(chunk));
    child.stderr.on('data', (chunk: Buffer) => stderr.push(chunk));
    child.once('error', reject);
    child.once('close', (code) =>
      resolve({
        code,
        stdout: Buffer.concat(stdout).toString('utf8'),
        stderr: Buffer.concat(stderr).toString('utf8'),
      }),
    );
  });
}
