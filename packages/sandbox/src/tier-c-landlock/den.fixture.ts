import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  chownSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { hostProgram } from '@palyra/testkit';
import { whereCodeIsKept } from '../kept-code.fixture.ts';
import { DEFAULT_LIMITS } from '../limits.ts';
import type { Ending, Limits, SandboxRequest } from '../model.ts';

export interface HostOrder {
  readonly folder: string;
  readonly uid?: number;
  /** Present for a ladder instead of the one step. */
  readonly ladder?: { readonly bwrap?: string };
  /** Calls that this machine is to refuse. */
  readonly refuse?: readonly string[];
  /** The descriptor whose end is that of whoever started the host. */
  readonly lifeline?: number;
}
export const LIFELINE = 5;
export type ToHost =
  | { readonly kind: 'run'; readonly id: number; readonly request: SandboxRequest }
  | { readonly kind: 'cancel'; readonly id: number };
export type FromHost =
  | { readonly kind: 'ready'; readonly step: string }
  | { readonly kind: 'failed'; readonly reason: string }
  | { readonly kind: 'output'; readonly id: number; readonly text: string }
  | { readonly kind: 'ended'; readonly id: number; readonly ending: Ending };

/** As whom the host runs: everything is tried as each of them that this machine lets us be. */
export type Kind = 'root' | 'user';
const HOST = hostProgram(join(import.meta.dirname, 'host.fixture.ts'));
const IS_ROOT = process.geteuid?.() === 0;
export const KINDS: readonly Kind[] = IS_ROOT ? ['root', 'user'] : ['user'];
export const USER = IS_ROOT ? 65_534 : (process.geteuid?.() ?? 0);
/** In the environment, in a descriptor of the host, and in a file outside. */
export const CANARY = 'canary-of-the-host';

export interface Run {
  readonly executable?: string;
  readonly arguments?: readonly string[];
  readonly workspace?: string;
  readonly directory?: string;
  readonly environment?: Readonly<Record<string, string>>;
  readonly limits?: Partial<Limits>;
  readonly egress?: SandboxRequest['egress'];
  readonly onOutput?: (text: string, cancel: () => void) => void;
}

export type Ended = Omit<Ending, 'stdout' | 'stderr'> & {
  readonly stdout: string;
  readonly stderr: string;
};

/** A workspace of an ordinary user, with a folder `src` in it, and a host that runs commands there. */
export class Den implements AsyncDisposable {
  readonly folder: string;
  readonly workspace: string;
  /** Of the user, beside the workspace. */
  readonly outside: string;
  step = '';
  readonly #child: ChildProcess;
  readonly #listeners = new Map<number, (message: FromHost) => void>();
  #last = 0;

  static async open(kind: Kind, order: Partial<HostOrder> = {}): Promise<Den> {
    const folder = mkdtempSync(join(tmpdir(), 'palyra-den-'));
    chmodSync(folder, 0o755);
    if (IS_ROOT) chownSync(folder, USER, USER);
    const outside = join(folder, 'outside.txt');
    writeFileSync(outside, CANARY);
    if (IS_ROOT) chownSync(outside, USER, USER);
    const words = {
      folder: join(folder, 'state'),
      ...(kind === 'user' && { uid: USER }),
      ...order,
    };
    const child = spawn(process.execPath, ['--no-warnings', HOST], {
      env: { CANARY, ...whereCodeIsKept() },
      stdio: ['ignore', 'inherit', 'inherit', 'ipc', openSync(outside, 'r'), 'pipe'],
      serialization: 'advanced',
    });
    child.send(words);
    const den = new Den(child, folder, outside);
    await new Promise<void>((resolve, reject) => {
      child.on('message', (said: FromHost) => {
        if (said.kind === 'ready') {
          den.step = said.step;
          resolve();
        } else if (said.kind === 'failed') {
          child.disconnect();
          rmSync(folder, { recursive: true, force: true });
          reject(new Error(said.reason));
        } else den.#listeners.get(said.id)?.(said);
      });
    });
    return den;
  }

  private constructor(child: ChildProcess, folder: string, outside: string) {
    this.#child = child;
    this.folder = folder;
    this.outside = outside;
    this.workspace = join(folder, 'workspace');
    this.#own(this.workspace, () => mkdirSync(this.workspace));
    this.putFolder('src');
  }

  get pid(): number {
    const { pid } = this.#child;
    // No number stands in for one: to kill -1 is to kill everybody.
    if (pid === undefined) throw new Error('it was not started');
    return pid;
  }

  #own(path: string, make: () => void): string {
    make();
    if (IS_ROOT) chownSync(path, USER, USER);
    return path;
  }

  put(path: string, text: string, mode = 0o644): string {
    const full = join(this.workspace, path);
    if (dirname(path) !== '.') mkdirSync(dirname(full), { recursive: true });
    return this.#own(full, () => {
      writeFileSync(full, text);
      chmodSync(full, mode);
    });
  }

  putFolder(path: string): string {
    const full = join(this.workspace, path);
    return this.#own(full, () => mkdirSync(full, { recursive: true }));
  }

  sh(script: string, run: Run = {}): Promise<Ended> {
    return this.run({ executable: 'sh', arguments: ['-c', script], ...run });
  }

  perl(script: string, run: Run = {}): Promise<Ended> {
    return this.run({ executable: 'perl', arguments: ['-e', script], ...run });
  }

  run(run: Run): Promise<Ended> {
    this.#last += 1;
    const id = this.#last;
    return new Promise((resolve) => {
      this.#listeners.set(id, (message) => {
        if (message.kind === 'output') {
          run.onOutput?.(message.text, () => this.#say({ kind: 'cancel', id }));
        }
        if (message.kind !== 'ended') return;
        this.#listeners.delete(id);
        const { stdout, stderr, ...rest } = message.ending;
        const text = (bytes: Uint8Array) => Buffer.from(bytes).toString('utf8');
        resolve({ ...rest, stdout: text(stdout), stderr: text(stderr) });
      });
      this.#say({ kind: 'run', id, request: this.#request(run) });
    });
  }

  #request(run: Run): SandboxRequest {
    return {
      tier: 'C',
      executable: run.executable ?? 'true',
      arguments: run.arguments ?? [],
      workspace: run.workspace ?? this.workspace,
      directory: run.directory ?? '.',
      environment: run.environment ?? {},
      stdin: new Uint8Array(),
      limits: { ...DEFAULT_LIMITS, wallTimeMs: 60_000, ...run.limits },
      egress: run.egress ?? { mode: 'strict', hosts: [], secrets: [] },
      principal: 'tester',
      session: 'test',
      policySetHash: '',
    };
  }

  #say(message: ToHost): void {
    this.#child.send(message);
  }

  async kill(): Promise<void> {
    const exited = once(this.#child, 'exit');
    this.#child.kill('SIGKILL');
    await exited;
  }

  /** As when whoever started the host ends. Contract: the host was told of its lifeline. */
  async orphan(): Promise<void> {
    const exited = once(this.#child, 'exit');
    this.#child.stdio.at(LIFELINE)?.destroy();
    await exited;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (this.#child.exitCode === null && this.#child.signalCode === null) {
      const exited = once(this.#child, 'exit');
      this.#child.disconnect();
      await exited;
    }
    rmSync(this.folder, { recursive: true, force: true });
  }
}
