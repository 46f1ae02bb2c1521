import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { getCompileCacheDir } from 'node:module';
import { dirname } from 'node:path';
import { type Invocation, inOwnNamespace } from '../entry-namespace.ts';
import { checkProgram } from './program-check.ts';

export interface StartedProcess {
  readonly child: ChildProcess;
  /** The end of what it wrote to its standard error. */
  said(): string;
}

/** It holds output for a moment and little else; a young generation of megabytes would only fill up. */
const FLAGS = [
  // The one that calls the C library; its stability is ours to watch, not the user's.
  '--disable-warning=ExperimentalWarning',
  '--max-semi-space-size=1',
  // Outputs lie beside it; a leak ends this process, which is started anew, and not the machine.
  '--max-old-space-size=256',
];
/** Where the process that makes sandboxes finds a stream on which nothing comes but its end, with ours. */
export const LIFELINE = 4;
const MAX_SAID = 4096;
/** Of util-linux; other systems have none. */
const SETPRIV = '/usr/bin/setpriv';

/**
 * Starts the process that makes sandboxes: nothing of our environment but where compiled code is kept,
 * no descriptor but the channel and the lifeline, as root with mounts of its own, and in a session of
 * its own, so that a terminal's Ctrl-C reaches it through us alone.
 * Contract: throws SANDBOX_UNAVAILABLE for a program that must not be started.
 */
export function startProcess(program: string, onWords: (words: string) => void): StartedProcess {
  const uid = process.geteuid?.() ?? -1;
  checkProgram(program, 'ours');
  const node = { file: process.execPath, arguments: [...FLAGS, program] };
  const inside = inOwnNamespace(uid, node);
  if (inside.file !== process.execPath) checkProgram(inside.file, "root's");
  // First of all: whatever is started on the way there dies with us, too.
  const { file, arguments: words } = dyingWithUs(inside);
  const child = spawn(file, words, {
    cwd: '/',
    env: environment(),
    stdio: ['ignore', 'ignore', 'pipe', 'ipc', 'pipe'],
    serialization: 'advanced',
    detached: true,
  });
  let said = '';
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    said = `${said}${text}`.slice(-MAX_SAID);
    onWords(text.slice(0, MAX_SAID));
  });
  child.stderr?.on('error', () => child.stderr?.destroy());
  // Held, and nothing else; that it has ended is told elsewhere.
  child.stdio[LIFELINE]?.on('error', () => {});
  return { child, said: () => said.trim() };
}

/** It says so itself when it runs; until then, while it is being loaded, it would outlive us. */
function dyingWithUs(command: Invocation): Invocation {
  if (!existsSync(SETPRIV)) return command;
  checkProgram(SETPRIV, "root's");
  const { file, arguments: words } = command;
  return { file: SETPRIV, arguments: ['--pdeathsig', 'KILL', '--', file, ...words] };
}

/** One arena: the C library gives each thread its own, megabytes that nobody here is in a hurry for. */
const ARENAS = { MALLOC_ARENA_MAX: '1' } as const;

function environment(): Record<string, string> {
  const cache = getCompileCacheDir();
  return { ...ARENAS, ...(cache !== undefined && { NODE_COMPILE_CACHE: dirname(cache) }) };
}
