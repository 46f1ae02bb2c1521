import type { ChildProcess } from 'node:child_process';
import { closeSync, openSync, readFileSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { request } from 'node:http';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import { DAEMON_ENVIRONMENT, DAEMON_FLAGS } from '../../apps/palyra-cli/src/daemon-program.ts';
import { ROOT } from '../../tools/run.ts';
import { NODE, type Program, hasEnded, howItEnded, startProgram, stopProgram } from './child.ts';
import type { Home } from './home.ts';
import { HOST, freePort, isListening } from './ports.ts';

/** A process that answers on a port of this machine. */
export interface Server extends AsyncDisposable {
  readonly pid: number;
  readonly port: number;
  /** From the start of its process to the first answer that counts. */
  readonly readyMs: number;
}

const READY_LIMIT_MS = 30_000;
const ASK_AGAIN_MS = 1;
const LOG_TAIL_CHARACTERS = 2_000;

export interface DaemonChoice {
  /** More of palyra.toml. */
  readonly settings?: string;
  readonly workspace?: string;
}

/** Ready means the first 200 from /readyz. `port` is that of the console. */
export async function startDaemon(home: Home, choice: DaemonChoice = {}): Promise<Server> {
  const { settings = '', workspace } = choice;
  const port = await freePort();
  const program: Program = {
    file: NODE,
    args: [...DAEMON_FLAGS, join(ROOT, 'dist/palyrad.cjs')],
    environment: { ...DAEMON_ENVIRONMENT, PALYRA_HOME: home.path },
    ...(workspace !== undefined && { folder: workspace }),
  };
  await writeSettings(home, port, settings);
  return startServer({ program, home, port, isReady: () => isOk(port, '/readyz') });
}

/** In the operator's own file, where ports usually stand. */
async function writeSettings({ places }: Home, consolePort: number, more: string): Promise<void> {
  await mkdir(places.configDir, { recursive: true, mode: 0o700 });
  const ports = `listen = "127.0.0.1:0"\nconsole = "localhost:${consolePort}"`;
  await writeFile(places.configFile, `[transport]\n${ports}\n${more}`, { mode: 0o600 });
}

/** One of the baselines in `servers/`. They know no /readyz: to listen is to be ready. */
export async function startBareServer(
  file: string,
  home: Home,
  ...words: string[]
): Promise<Server> {
  const port = await freePort();
  const program: Program = {
    file: NODE,
    args: [join(ROOT, 'bench/servers', file), String(port), ...words],
  };
  return startServer({ program, home, port, isReady: () => isListening(port) });
}

interface Start {
  readonly program: Program;
  readonly home: Home;
  readonly port: number;
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
      port: start.port,
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

function isOk(port: number, path: string): Promise<boolean> {
  return new Promise((resolve) => {
    const asked = request(
      { host: HOST, port, path, agent: false, headers: { host: `localhost:${port}` } },
      (response) => {
        response.resume();
        resolve(response.statusCode === 200);
      },
    );
    asked.once('error', () => resolve(false)).end();
  });
}
