import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Door, readDoor } from '@palyra/client';
import { type TempHome, tempHome } from '@palyra/testkit';

export const ROOT = join(import.meta.dirname, '../..');
export const DAEMON = join(ROOT, 'dist/palyrad.cjs');
/** As people have it: built from these sources when the test run began. */
export const CLI = join(ROOT, 'dist/palyra.cjs');

export interface Ended {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Only what a person's shell would give: nothing of the test run's own settings leaks in. */
export function environment(home: string): Record<string, string> {
  return {
    PALYRA_HOME: home,
    PATH: process.env['PATH'] ?? '',
    NO_COLOR: '1',
    // Ports of its own for each daemon, so that tests do not meet.
    PALYRA_TRANSPORT_LISTEN: '127.0.0.1:0',
    PALYRA_TRANSPORT_CONSOLE: 'localhost:0',
  };
}

/** The CLI as a child process. */
export class Palyra {
  readonly child: ChildProcess;
  /** Later than its end: what it has said is read then. */
  readonly #closed: Promise<unknown>;
  #isClosed = false;
  #stdout = '';
  #stderr = '';

  constructor(home: string, args: readonly string[]) {
    this.child = spawn(process.execPath, [CLI, ...args], {
      env: environment(home),
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    this.child.stdout?.setEncoding('utf8').on('data', (text: string) => (this.#stdout += text));
    this.child.stderr?.setEncoding('utf8').on('data', (text: string) => (this.#stderr += text));
    this.#closed = once(this.child, 'close').finally(() => (this.#isClosed = true));
  }

  get stdout(): string {
    return this.#stdout;
  }

  async says(words: string | RegExp): Promise<void> {
    const said = () =>
      typeof words === 'string' ? this.#stdout.includes(words) : words.test(this.#stdout);
    while (!said()) {
      if (this.#isClosed)
        throw new Error(`ended without saying it: ${this.#stdout}${this.#stderr}`);
      await sleep(10);
    }
  }

  async end(): Promise<Ended> {
    await this.#closed;
    return { code: this.child.exitCode, stdout: this.#stdout, stderr: this.#stderr };
  }
}

export async function palyra(home: string, ...args: readonly string[]): Promise<Ended> {
  return await new Palyra(home, args).end();
}

export async function waitFor(isSo: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await isSo())) await sleep(20);
}

/** The daemon as a child process, in a home of its own. */
export class Daemon implements AsyncDisposable {
  readonly home: string;
  readonly child: ChildProcess;
  #log = '';

  /** Its workspace is the folder that it is started in. */
  constructor(home: string, workspace = process.cwd(), console = 'localhost:0') {
    this.home = home;
    this.child = spawn(process.execPath, [DAEMON], {
      cwd: workspace,
      env: { ...environment(home), PALYRA_TRANSPORT_CONSOLE: console },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const keep = (text: string) => (this.#log += text);
    this.child.stdout?.setEncoding('utf8').on('data', keep);
    this.child.stderr?.setEncoding('utf8').on('data', keep);
  }

  get log(): string {
    return this.#log;
  }

  /** Where it listens, as it has told programs of its own user. */
  async door(): Promise<Door> {
    const door = await readDoor(join(this.home, 'state/door'));
    if (door === undefined) throw new Error(`the daemon has opened no door: ${this.#log}`);
    return door;
  }

  async ready(): Promise<this> {
    while (!/^ready /m.test(this.#log)) {
      if (this.child.exitCode !== null) throw new Error(`the daemon ended: ${this.#log}`);
      await sleep(20);
    }
    return this;
  }

  async stop(signal: NodeJS.Signals = 'SIGTERM'): Promise<number | null> {
    if (this.child.exitCode === null && this.child.signalCode === null) {
      this.child.kill(signal);
      await once(this.child, 'exit');
    }
    return this.child.exitCode;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.stop('SIGKILL');
  }
}

export interface Step {
  readonly text?: string;
  readonly tool?: string;
  readonly arguments?: Record<string, unknown>;
}

export interface ScriptedHome {
  readonly paceMs?: number;
  /** More of palyra.toml. */
  readonly settings?: string;
}

/** A home whose model plays the given script. */
export async function homeWithScript(
  turns: readonly (readonly Step[])[],
  { paceMs = 0, settings = '' }: ScriptedHome = {},
): Promise<TempHome> {
  const home = await tempHome();
  const config = join(home.path, 'config');
  await mkdir(config, { mode: 0o700 });
  const script = join(config, 'script.json');
  const text = JSON.stringify({ format: 'palyra.script.v1', pace_ms: paceMs, turns });
  await writeFile(script, text, { mode: 0o600 });
  const toml = `[models]\nscript = ${JSON.stringify(script)}\n${settings}`;
  await writeFile(join(config, 'palyra.toml'), toml, { mode: 0o600 });
  return home;
}
