import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  chownSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { hostProgram } from '@palyra/testkit';
import { inOwnNamespace } from '../entry-namespace.ts';
import { whereCodeIsKept } from '../kept-code.fixture.ts';
import { DEFAULT_LIMITS } from '../limits.ts';
import type { Ending, Limits, SandboxRequest } from '../model.ts';
import type { Plan } from './plan.ts';
import { childrenOf } from './processes.ts';

export type ToHost =
  | {
      readonly kind: 'run' | 'prepare' | 'expect';
      readonly id: number;
      readonly request: SandboxRequest;
      readonly input?: readonly string[] | undefined;
    }
  | { readonly kind: 'cancel'; readonly id: number }
  | { readonly kind: PoolOrder; readonly id: number };
/** Until nothing is made warm any more, also after one life more; until nothing is warm, or until nothing ever will be. */
export type PoolOrder = 'settle' | 'age' | 'drain' | 'close';
export type FromHost =
  | { readonly kind: 'ready' }
  | { readonly kind: 'failed'; readonly reason: string }
  | { readonly kind: 'output'; readonly id: number; readonly stream: string; readonly text: string }
  | { readonly kind: 'done'; readonly id: number }
  | { readonly kind: 'prepared'; readonly id: number; readonly plan: Plan; readonly hash: string }
  | { readonly kind: 'ended'; readonly id: number; readonly ending: Ending };

/** As whom the host runs: everything is tried as each of them that this machine lets us be. */
export type Kind = 'root' | 'user';
const HOST = hostProgram(join(import.meta.dirname, 'host.fixture.ts'));
const IS_ROOT = process.geteuid?.() === 0;
export const KINDS: readonly Kind[] = IS_ROOT ? ['root', 'user'] : ['user'];
export const USER = IS_ROOT ? 65_534 : (process.geteuid?.() ?? 0);

/** Made when it is needed; made before; or kept as the product does, in a time that the test holds. */
export type Warmth = 'cold' | 'always' | 'pool';
/** Everything as every account, in sandboxes of both kinds. */
export const CAGES = KINDS.flatMap((kind) => [
  { kind, warmth: 'cold' as const },
  { kind, warmth: 'always' as const },
]);

export interface CageOptions {
  readonly kind: Kind;
  readonly mounts?: 'own' | 'shared';
  readonly warmth?: Warmth;
}

/** In the environment and in a descriptor of the host: no sandbox may see it. */
export const CANARY = 'canary-of-the-host';

export interface Run {
  readonly executable?: string;
  readonly arguments?: readonly string[];
  readonly workspace?: string;
  readonly directory?: string;
  readonly environment?: Readonly<Record<string, string>>;
  readonly stdin?: string;
  /** What follows, piece by piece. */
  readonly input?: readonly string[];
  readonly limits?: Partial<Limits>;
  readonly egress?: SandboxRequest['egress'];
  readonly principal?: string;
  readonly session?: string;
  readonly policySetHash?: string;
  /** Called with what comes, while it runs. */
  readonly onOutput?: (text: string, cancel: () => void) => void;
}

export type Ended = Omit<Ending, 'stdout' | 'stderr'> & {
  readonly stdout: string;
  readonly stderr: string;
};

function isStandIn(pid: number): boolean {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').startsWith('stand-in\0');
  } catch {
    // It has ended meanwhile.
    return false;
  }
}

export class Cage implements AsyncDisposable {
  readonly kind: Kind;
  readonly folder: string;
  readonly workspace: string;
  readonly #options: CageOptions;
  /** How many commands ran in a sandbox that was made before. */
  warmRuns = 0;
  #child: ChildProcess | undefined;
  readonly #listeners = new Map<number, (message: FromHost) => void>();
  #last = 0;

  static async start(options: CageOptions): Promise<Cage> {
    const { kind } = options;
    const folder = mkdtempSync(join(tmpdir(), 'palyra-cage-'));
    chmodSync(folder, 0o755);
    if (kind === 'user') chownSync(folder, USER, USER);
    writeFileSync(join(folder, 'outside.txt'), CANARY);
    const cage = new Cage(folder, options);
    await cage.restart();
    return cage;
  }

  /** Another host, in the same folder. */
  async restart(): Promise<void> {
    const child = this.#spawn();
    this.#child = child;
    await new Promise<void>((resolve, reject) => {
      child.on('message', (said: FromHost) => {
        if (said.kind === 'ready') resolve();
        else if (said.kind === 'failed') reject(new Error(said.reason));
        else this.#listeners.get(said.id)?.(said);
      });
    });
  }

  private constructor(folder: string, options: CageOptions) {
    this.kind = options.kind;
    this.#options = options;
    this.folder = folder;
    this.workspace = this.makeWorkspace('workspace');
  }

  /** Every bwrap that it has started, by number. */
  bwraps(): readonly number[] {
    return childrenOf(this.pid).filter((pid) => !isStandIn(pid));
  }

  /** Whoever waits to become the next one; there is none where there are no groups. */
  standIns(): readonly number[] {
    return childrenOf(this.pid).filter(isStandIn);
  }

  #spawn(): ChildProcess {
    const { kind, folder } = this;
    const state = join(folder, 'state');
    const { warmth = 'cold', mounts = 'own' } = this.#options;
    const account = kind === 'user' ? [`${USER}`] : [];
    const words = ['--no-warnings', HOST, state, warmth, ...account];
    const command = { file: process.execPath, arguments: words };
    // Only root's is started in another way.
    const uid = kind === 'root' && mounts === 'own' ? 0 : 1;
    const { file, arguments: all } = inOwnNamespace(uid, command);
    return spawn(file, all, {
      env: { CANARY, ...whereCodeIsKept() },
      stdio: ['ignore', 'inherit', 'inherit', 'ipc', openSync(join(folder, 'outside.txt'), 'r')],
      serialization: 'advanced',
    });
  }

  get pid(): number {
    const pid = this.#child?.pid;
    // No number stands in for one: to kill -1 is to kill everybody.
    if (pid === undefined) throw new Error('it was not started');
    return pid;
  }

  /** Of whoever the host is, unless said otherwise. */
  makeWorkspace(name: string, owner = this.kind === 'root' ? 0 : USER): string {
    const path = join(this.folder, name);
    mkdirSync(path);
    if (IS_ROOT) chownSync(path, owner, owner);
    return path;
  }

  /** A file in the workspace that its owner made. */
  put(path: string, text: string, mode = 0o644): string {
    const full = join(this.workspace, path);
    writeFileSync(full, text);
    chmodSync(full, mode);
    if (IS_ROOT && this.kind === 'user') chownSync(full, USER, USER);
    return full;
  }

  putFolder(path: string): string {
    const full = join(this.workspace, path);
    mkdirSync(full);
    if (IS_ROOT && this.kind === 'user') chownSync(full, USER, USER);
    return full;
  }

  sh(script: string, run: Run = {}): Promise<Ended> {
    return this.run({ executable: 'sh', arguments: ['-c', script], ...run });
  }

  perl(script: string, run: Run = {}): Promise<Ended> {
    return this.run({ executable: 'perl', arguments: ['-e', script], ...run });
  }

  perlWords(script: string, words: readonly string[]): Promise<Ended> {
    return this.run({ executable: 'perl', arguments: ['-e', script, '--', ...words] });
  }

  run(run: Run): Promise<Ended> {
    const id = this.#next();
    return new Promise((resolve) => {
      this.#listeners.set(id, (message) => {
        if (message.kind === 'output') {
          run.onOutput?.(message.text, () => this.#say({ kind: 'cancel', id }));
        }
        if (message.kind !== 'ended') return;
        this.#listeners.delete(id);
        const { stdout, stderr, ...rest } = message.ending;
        if (rest.posture.isWarm) this.warmRuns += 1;
        const text = (bytes: Uint8Array) => Buffer.from(bytes).toString('utf8');
        resolve({ ...rest, stdout: text(stdout), stderr: text(stderr) });
      });
      this.#say({ kind: 'run', id, request: this.#request(run), input: run.input });
    });
  }

  prepare(run: Run): Promise<{ readonly plan: Plan; readonly hash: string }> {
    const id = this.#next();
    return new Promise((resolve) => {
      this.#listeners.set(id, (message) => {
        if (message.kind === 'prepared') resolve(message);
      });
      this.#say({ kind: 'prepare', id, request: this.#request(run) });
    });
  }

  async pool(kind: PoolOrder): Promise<void> {
    await this.#done((id) => this.#say({ kind, id }));
  }

  /** Until what such a command would run in is ready, or is not to be. */
  async expect(run: Run = {}): Promise<void> {
    await this.#done((id) => this.#say({ kind: 'expect', id, request: this.#request(run) }));
  }

  async #done(ask: (id: number) => void): Promise<void> {
    const id = this.#next();
    await new Promise<void>((resolve) => {
      this.#listeners.set(id, () => resolve());
      ask(id);
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
      stdin: Buffer.from(run.stdin ?? ''),
      limits: { ...DEFAULT_LIMITS, wallTimeMs: 60_000, ...run.limits },
      egress: run.egress ?? { mode: 'strict', hosts: [], secrets: [] },
      principal: run.principal ?? 'tester',
      session: run.session ?? 'test',
      policySetHash: run.policySetHash ?? '',
    };
  }

  #next(): number {
    this.#last += 1;
    return this.#last;
  }

  #say(message: ToHost): void {
    this.#child?.send(message);
  }

  async kill(): Promise<void> {
    const child = this.#child;
    if (child === undefined) return;
    const exited = once(child, 'exit');
    child.kill('SIGKILL');
    await exited;
    this.#child = undefined;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const child = this.#child;
    if (child !== undefined) {
      const exited = once(child, 'exit');
      child.disconnect();
      await exited;
    }
    rmSync(this.folder, { recursive: true, force: true });
  }
}
