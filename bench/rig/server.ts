import type { ChildProcess } from 'node:child_process';
import { closeSync, openSync, readFileSync } from 'node:fs';
import { request } from 'node:http';
import { connect } from 'node:net';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import { ROOT } from '../../tools/run.ts';
import { NODE, type Program, hasEnded, howItEnded, startProgram, stopProgram } from './child.ts';
import type { Home } from './home.ts';

/** A process that answers on a unix socket. */
export interface Server extends AsyncDisposable {
  readonly pid: number;
  readonly socketPath: string;
  /** From the start of its process to the first answer that counts. */
  readonly readyMs: number;
}

const READY_LIMIT_MS = 30_000;
const ASK_AGAIN_MS = 1;
const LOG_TAIL_CHARACTERS = 2_000;

/** Ready means the first 200 from /readyz. */
export function startDaemon(home: Home): Promise<Server> {
  const program: Program = {
    file: NODE,
    args: [join(ROOT, 'dist/palyrad.cjs')],
    environment: { PALYRA_HOME: home.path },
  };
  const { socketPath } = home.places;
  return startServer({ program, home, socketPath, isReady: () => isOk(socketPath, '/readyz') });
}

/** One of the baselines in `servers/`. They know no /readyz: to listen is to be ready. */
export function startBareServer(file: string, home: Home, ...words: string[]): Promise<Server> {
  const socketPath = join(home.path, `${words.join('-') || 'bare'}.sock`);
  const program: Program = {
    file: NODE,
    args: [join(ROOT, 'bench/servers', file), socketPath, ...words],
  };
  return startServer({ program, home, socketPath, isReady: () => isListening(socketPath) });
}

interface Start {
  readonly program: Program;
  readonly home: Home;
  readonly socketPath: string;
  readonly isReady: () => Promise<boolean>;
}

async function startServer(start: Start): Promise<Server> {
  const logFile = join(start.home.path, 'output.log');
  const log = openSync(logFile, 'a', 0o600);
  const startedAt = performance.now();
  const child = startProgram(start.program, ['ignore', log, log]);
  closeSync(log);
  try {
    await untilReady(start, child);
    return {
      pid: child.pid ?? 0,
      socketPath: start.socketPath,
      readyMs: performance.now() - startedAt,
      [Symbol.asyncDispose]: () => stopProgram(child),
    };
  } catch (cause) {
    await stopProgram(child);
    const output = readFileSync(logFile, 'utf8').slice(-LOG_TAIL_CHARACTERS);
    throw new Error(`\`${start.program.args.join(' ')}\` did not start: ${output}`, { cause });
  }
}

async function untilReady({ isReady }: Start, child: ChildProcess): Promise<void> {
  const giveUpAt = performance.now() + READY_LIMIT_MS;
  while (!(await isReady())) {
    if (hasEnded(child)) throw new Error(`it ended with ${howItEnded(child)}`);
    if (performance.now() > giveUpAt) throw new Error(`not ready after ${READY_LIMIT_MS} ms`);
    await sleep(ASK_AGAIN_MS);
  }
}

function isOk(socketPath: string, path: string): Promise<boolean> {
  return new Promise((resolve) => {
    const asked = request({ socketPath, path, agent: false }, (response) => {
      response.resume();
      resolve(response.statusCode === 200);
    });
    asked.once('error', () => resolve(false)).end();
  });
}

function isListening(socketPath: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(socketPath, () => {
      socket.destroy();
      resolve(true);
    });
    socket.once('error', () => resolve(false));
  });
}
