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
import { join } from 'node:path';
import { hostProgram } from '@palyra/testkit';
import { whereCodeIsKept } from '../kept-code.fixture.ts';
import { DEFAULT_LIMITS } from '../limits.ts';
import type { Ending, Limits, SandboxRequest } from '../model.ts';
import type { Verdict } from './probe.ts';
import type { TierBOptions } from './workshop.ts';

export interface ToHost {
  readonly id: number;
  readonly request: SandboxRequest;
}
export type FromHost =
  | { readonly kind: 'ready'; readonly verdict: Verdict }
  | { readonly kind: 'failed'; readonly reason: string }
  | { readonly kind: 'ended'; readonly id: number; readonly ending: Ending };

/** As whom the host runs: everything is tried as each of them that this machine lets us be. */
export type Kind = 'root' | 'user';
const HOST = hostProgram(join(import.meta.dirname, 'host.fixture.ts'));
const IS_ROOT = process.geteuid?.() === 0;
export const KINDS: readonly Kind[] = IS_ROOT ? ['root', 'user'] : ['user'];
export const USER = IS_ROOT ? 65_534 : (process.geteuid?.() ?? 0);
/** In the environment and in a descriptor of the host: no command may see it. */
export const CANARY = 'canary-of-the-host';

export interface Run {
  readonly executable: string;
  readonly arguments?: readonly string[];
  readonly workspace?: string;
  readonly directory?: string;
  readonly environment?: Readonly<Record<string, string>>;
  readonly stdin?: string;
  readonly limits?: Partial<Limits>;
  readonly egress?: SandboxRequest['egress'];
}

export type Ended = Omit<Ending, 'stdout' | 'stderr'> & {
  readonly stdout: string;
  readonly stderr: string;
};

/** A workspace of an ordinary user, and a host that runs commands in it. */
export class Booth implements AsyncDisposable {
  readonly folder: string;
  readonly workspace: string;
  readonly verdict: Verdict;
  readonly #child: ChildProcess;
  readonly #endings = new Map<number, (ending: Ending) => void>();
  #last = 0;

  static async open(kind: Kind, options: TierBOptions = {}): Promise<Booth> {
    const folder = mkdtempSync(join(tmpdir(), 'palyra-booth-'));
    chmodSync(folder, 0o755);
    writeFileSync(join(folder, 'outside.txt'), CANARY);
    const uid = kind === 'user' ? `${USER}` : '';
    const words = ['--no-warnings', HOST, uid];
    const child = spawn(process.execPath, words, {
      env: { CANARY, ...whereCodeIsKept() },
      stdio: ['ignore', 'inherit', 'inherit', 'ipc', openSync(join(folder, 'outside.txt'), 'r')],
      serialization: 'advanced',
    });
    child.send(options);
    const message = await new Promise<FromHost>((resolve) => child.once('message', resolve));
    if (message.kind !== 'ready') throw new Error(JSON.stringify(message));
    return new Booth({ child, folder, verdict: message.verdict });
  }

  private constructor(parts: {
    readonly child: ChildProcess;
    readonly folder: string;
    readonly verdict: Verdict;
  }) {
    this.folder = parts.folder;
    this.verdict = parts.verdict;
    this.#child = parts.child;
    this.workspace = this.makeFolder(join(this.folder, 'workspace'));
    parts.child.on('message', (message: FromHost) => {
      if (message.kind === 'ended') this.#endings.get(message.id)?.(message.ending);
    });
  }

  makeFolder(path: string, owner = USER): string {
    mkdirSync(path);
    if (IS_ROOT) chownSync(path, owner, owner);
    return path;
  }

  put(name: string, text: string | Buffer, mode = 0o644): string {
    const path = join(this.workspace, name);
    writeFileSync(path, text);
    chmodSync(path, mode);
    if (IS_ROOT) chownSync(path, USER, USER);
    return path;
  }

  async run(run: Run): Promise<Ended> {
    this.#last += 1;
    const id = this.#last;
    const ended = new Promise<Ending>((resolve) => this.#endings.set(id, resolve));
    this.#child.send({ id, request: this.#request(run) });
    const { stdout, stderr, ...rest } = await ended;
    const text = (bytes: Uint8Array) => Buffer.from(bytes).toString('utf8');
    return { ...rest, stdout: text(stdout), stderr: text(stderr) };
  }

  #request(run: Run): SandboxRequest {
    return {
      tier: 'B',
      arguments: [],
      workspace: this.workspace,
      directory: '.',
      environment: {},
      egress: { mode: 'none' },
      principal: 'tester',
      session: 'test',
      policySetHash: '',
      ...run,
      stdin: Buffer.from(run.stdin ?? ''),
      limits: { ...DEFAULT_LIMITS, wallTimeMs: 60_000, ...run.limits },
    };
  }

  kill(): Promise<unknown> {
    const exited = once(this.#child, 'exit');
    this.#child.kill('SIGKILL');
    return exited;
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
