import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  chownSync,
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Ceilings } from '@palyra/egress';
import type { JsonObject } from '@palyra/kernel';
import { DEFAULT_LIMITS, type Ending, inOwnNamespace, type SandboxRequest } from '@palyra/sandbox';
import { hostProgram } from '@palyra/testkit';

const HOST = hostProgram(join(import.meta.dirname, 'host.fixture.ts'));

export interface HostOptions {
  readonly folder: string;
  readonly warmth: 'cold' | 'warm';
  readonly uid?: number;
  readonly addresses: Readonly<Record<string, readonly string[]>>;
  readonly trusted: readonly string[];
  readonly ceilings: Partial<Ceilings>;
  readonly secrets: Readonly<Record<string, string>>;
  /** Hosts that the rules of the gateway refuse, whatever a call names. */
  readonly refused: readonly string[];
}

export interface ToHost {
  readonly id: number;
  readonly request: SandboxRequest;
}

export type FromHost =
  | { readonly kind: 'ready' }
  | { readonly kind: 'logged'; readonly line: string }
  | { readonly kind: 'revealed'; readonly name: string }
  | { readonly kind: 'dialled'; readonly to: string }
  | { readonly kind: 'output'; readonly id: number; readonly text: string }
  | { readonly kind: 'connection'; readonly id: number; readonly record: JsonObject }
  | { readonly kind: 'ended'; readonly id: number; readonly ending: Ending };

const IS_ROOT = process.geteuid?.() === 0;
const NOBODY = 65_534;

export interface BoxKind {
  readonly account: 'root' | 'user';
  readonly warmth: 'cold' | 'warm';
}

/** Everything as every account that this machine lets us be, in sandboxes of both kinds. */
export const BOXES: readonly BoxKind[] = (
  IS_ROOT ? (['root', 'user'] as const) : (['user'] as const)
).flatMap(
  (account) =>
    [
      { account, warmth: 'cold' },
      { account, warmth: 'warm' },
    ] as const,
);

export interface Run {
  readonly executable?: string;
  readonly arguments?: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
  readonly stdin?: string;
  readonly hosts?: readonly string[];
  readonly secrets?: readonly { variable: string; name: string; use: string }[];
  readonly egress?: SandboxRequest['egress'];
  readonly onOutput?: (text: string) => void;
}

export interface Seen {
  readonly ending: Ending;
  readonly stdout: string;
  readonly stderr: string;
  readonly records: readonly JsonObject[];
}

/** Sandboxes of tier C with their way out, in a process of their own as in the product. */
export class Box implements AsyncDisposable {
  readonly folder: string;
  readonly workspace: string;
  /** Of all runs together. */
  readonly dialled: string[] = [];
  readonly revealed: string[] = [];
  readonly logged: string[] = [];
  readonly #kind: BoxKind;
  readonly #child: ChildProcess;
  readonly #listeners = new Map<number, (message: FromHost) => void>();
  #last = 0;

  static async start(kind: BoxKind, options: Partial<HostOptions> = {}): Promise<Box> {
    const box = new Box(kind, options);
    await new Promise<void>((resolve, reject) => {
      box.#child.once('exit', () => reject(new Error('the host of the sandboxes has ended')));
      box.#child.on('message', (message: FromHost) => {
        if (message.kind === 'ready') resolve();
        else box.#hear(message);
      });
    });
    return box;
  }

  private constructor(kind: BoxKind, options: Partial<HostOptions>) {
    this.#kind = kind;
    this.folder = mkdtempSync(join(tmpdir(), 'palyra-way-out-'));
    this.#hand(this.folder, 0o755);
    this.workspace = join(this.folder, 'workspace');
    mkdirSync(this.workspace);
    this.#hand(this.workspace, 0o755);
    const all: HostOptions = {
      folder: join(this.folder, 'state'),
      warmth: kind.warmth,
      addresses: {},
      trusted: [],
      ceilings: {},
      secrets: {},
      refused: [],
      ...(IS_ROOT && kind.account === 'user' ? { uid: NOBODY } : {}),
      ...options,
    };
    const words = ['--no-warnings', HOST];
    const command = { file: process.execPath, arguments: words };
    const { file, arguments: given } = inOwnNamespace(kind.account === 'root' ? 0 : 1, command);
    this.#child = spawn(file, given, {
      // Where compiled code is kept: a start takes half as long with it.
      env: { NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'] },
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
      serialization: 'advanced',
    });
    this.#child.send(all);
  }

  /** A file in the workspace that its owner made. */
  put(name: string, content: string | Uint8Array, mode = 0o644): void {
    const path = join(this.workspace, name);
    writeFileSync(path, content);
    this.#hand(path, mode);
  }

  /** The Node that runs this: a machine's own may be none, or too old to know of proxies. */
  putNode(): void {
    const path = join(this.workspace, 'node');
    copyFileSync(process.execPath, path);
    this.#hand(path, 0o755);
  }

  sh(script: string, run: Run = {}): Promise<Seen> {
    return this.run({ executable: 'sh', arguments: ['-c', script], ...run });
  }

  perl(script: string, run: Run = {}): Promise<Seen> {
    return this.run({ executable: 'perl', arguments: ['-e', script], ...run });
  }

  run(run: Run): Promise<Seen> {
    this.#last += 1;
    const id = this.#last;
    const records: JsonObject[] = [];
    const { promise, resolve } = Promise.withResolvers<Seen>();
    this.#listeners.set(id, (message) => {
      if (message.kind === 'output') run.onOutput?.(message.text);
      if (message.kind === 'connection') records.push(message.record);
      if (message.kind !== 'ended') return;
      this.#listeners.delete(id);
      const { ending } = message;
      const text = (bytes: Uint8Array) => Buffer.from(bytes).toString('utf8');
      resolve({ ending, records, stdout: text(ending.stdout), stderr: text(ending.stderr) });
    });
    const said: ToHost = { id, request: this.#request(run) };
    this.#child.send(said);
    return promise;
  }

  #request(run: Run): SandboxRequest {
    const { hosts = [], secrets = [] } = run;
    return {
      tier: 'C',
      executable: run.executable ?? 'true',
      arguments: run.arguments ?? [],
      workspace: this.workspace,
      directory: '.',
      environment: run.environment ?? {},
      stdin: Buffer.from(run.stdin ?? ''),
      limits: { ...DEFAULT_LIMITS, wallTimeMs: 100_000 },
      egress: run.egress ?? { mode: 'strict', hosts, secrets },
      principal: 'tester',
      session: 'test',
      policySetHash: '',
    };
  }

  #hear(message: FromHost): void {
    if (message.kind === 'dialled') this.dialled.push(message.to);
    else if (message.kind === 'revealed') this.revealed.push(message.name);
    else if (message.kind === 'logged') this.logged.push(message.line);
    else if (message.kind !== 'ready') this.#listeners.get(message.id)?.(message);
  }

  #hand(path: string, mode: number): void {
    chmodSync(path, mode);
    if (IS_ROOT && this.#kind.account === 'user') chownSync(path, NOBODY, NOBODY);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (this.#child.exitCode === null && this.#child.connected) {
      const exited = once(this.#child, 'exit');
      this.#child.disconnect();
      await exited;
    }
    rmSync(this.folder, { recursive: true, force: true });
  }
}
