import { type ChildProcess, type StdioOptions, spawn } from 'node:child_process';
import { once } from 'node:events';
import { delimiter, join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { ROOT } from '../../tools/run.ts';

export interface Program {
  readonly file: string;
  readonly args: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
  /** The folder it is started in; the repository without it. */
  readonly folder?: string;
}

/** The Node that everything here is compared with: the one that runs this. */
export const NODE = process.execPath;
const END_MS = 20_000;

/** From the start of the process to its end. Contract: rejects unless it ends with exit code 0. */
export async function timeProgram(program: Program): Promise<number> {
  const startedAt = performance.now();
  const child = startProgram(program, 'ignore');
  await once(child, 'exit');
  const elapsedMs = performance.now() - startedAt;
  if (child.exitCode !== 0) throw new Error(`\`${program.file}\` ended with ${howItEnded(child)}`);
  return elapsedMs;
}

/**
 * Everybody gets the same short environment. The compile cache of the tools is left out of it: it
 * would speed up exactly those subjects that do not bring one of their own.
 */
export function startProgram(program: Program, stdio: StdioOptions): ChildProcess {
  return spawn(program.file, program.args, {
    cwd: program.folder ?? ROOT,
    env: {
      PATH: [join(ROOT, 'node_modules/.bin'), process.env['PATH'] ?? ''].join(delimiter),
      HOME: process.env['HOME'] ?? '/',
      ...program.environment,
    },
    stdio,
  });
}

/** Contract: resolves once the process is gone; one that ignores the request is killed, and that is an error. */
export async function stopProgram(child: ChildProcess): Promise<void> {
  if (hasEnded(child)) return;
  const ended = once(child, 'exit');
  child.kill('SIGTERM');
  let isStubborn = false;
  const timer = setTimeout(() => {
    isStubborn = true;
    child.kill('SIGKILL');
  }, END_MS);
  await ended;
  clearTimeout(timer);
  if (isStubborn) throw new Error(`a process did not end within ${END_MS} ms of being asked to`);
}

export function hasEnded(child: ChildProcess): boolean {
  return child.exitCode !== null || child.signalCode !== null;
}

export function howItEnded({ exitCode, signalCode }: ChildProcess): string {
  return signalCode ?? `exit code ${exitCode ?? 'none'}`;
}
