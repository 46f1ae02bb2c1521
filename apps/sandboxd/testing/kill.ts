import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Readable } from 'node:stream';
import { setTimeout as pause } from 'node:timers/promises';
import { STAND_IN } from './places.ts';
import { type ProcessFacts, below, everybody } from './processes.ts';

export const VICTIMS = ['daemon', 'sandboxd', 'bwrap'] as const;
export type Victim = (typeof VICTIMS)[number];

export interface Ground {
  /** Where the process that makes sandboxes works. */
  readonly folder: string;
  readonly workspace: string;
  /** Who it is started as; absent for whoever we are. */
  readonly account?: { readonly uid: number; readonly gid: number };
}

const LOOKS = 5;

/** A daemon's stand-in with its sandboxes at work. Contract: we adopt orphans already. */
export class Scene implements AsyncDisposable {
  readonly #child: ChildProcessByStdio<null, Readable, null>;
  readonly #before = new Set(below(process.pid).map(({ pid }) => pid));
  readonly #endings: string[] = [];
  #heard = Promise.withResolvers<void>();
  #isOver = false;

  constructor({ folder, workspace, account }: Ground) {
    const flags = ['--disable-warning=ExperimentalWarning'];
    this.#child = spawn(process.execPath, [...flags, STAND_IN, folder, workspace], {
      stdio: ['ignore', 'pipe', 'inherit'],
      ...account,
    });
    this.#child.stdout.setEncoding('utf8').on('data', (text: string) => {
      this.#endings.push(...text.split('\n').filter((line) => line !== ''));
      this.#heard.resolve();
      this.#heard = Promise.withResolvers();
    });
    this.#child.stdout.once('close', () => {
      this.#isOver = true;
      this.#heard.resolve();
    });
  }

  /** How commands ended so far, in order. */
  get endings(): readonly string[] {
    return this.#endings;
  }

  /** Contract: rejects when it ends before. */
  async until(isEnough: (endings: readonly string[]) => boolean): Promise<void> {
    while (!isEnough(this.#endings)) {
      if (this.#isOver) throw new Error(`the stand-in has ended after ${this.#endings.join(' ')}`);
      await this.#heard.promise;
    }
  }

  /** Contract: false when there is none just now. */
  kill(victim: Victim): boolean {
    const pid = this.#pidOf(victim);
    try {
      return pid !== undefined && process.kill(pid, 'SIGKILL');
    } catch {
      // It has ended since.
      return false;
    }
  }

  /** Everybody who lost their parent and lives, or after the daemon's end everybody at all. */
  leftovers(victim: Victim): readonly ProcessFacts[] {
    const all = everybody();
    const kept = new Set(this.#before);
    if (victim !== 'daemon') {
      // In one look: between two of them some would come and some would go.
      const daemon = this.#child.pid ?? 0;
      for (const { pid } of below(daemon, all)) kept.add(pid);
      kept.add(daemon);
    }
    return below(process.pid, all).filter(({ pid }) => !kept.has(pid));
  }

  /**
   * How long until nobody was left of those who lost their parent. A look at everybody takes a moment, so
   * several count; those who come later belong to what goes on, where sandboxes end all the time.
   * Contract: `mostMs` or more when somebody is left.
   */
  async msUntilGone(victim: Victim, mostMs: number): Promise<number> {
    const started = performance.now();
    const left = new Set<number>();
    for (let looks = 0; looks < LOOKS; looks += 1) {
      for (const { pid } of this.leftovers(victim)) left.add(pid);
      await pause(1);
    }
    let seen = started;
    while (seen - started < mostMs) {
      if (!this.leftovers(victim).some(({ pid }) => left.has(pid))) return seen - started;
      seen = performance.now();
      await pause(1);
    }
    return seen - started;
  }

  #pidOf(victim: Victim): number | undefined {
    const daemon = this.#child.pid ?? 0;
    if (victim === 'daemon') return daemon;
    const all = below(daemon);
    if (victim === 'sandboxd') return all.find(({ parent }) => parent === daemon)?.pid;
    return all.find(({ name }) => name === 'bwrap')?.pid;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (this.#child.exitCode !== null || this.#child.signalCode !== null) return;
    const closed = once(this.#child, 'close');
    this.#child.kill('SIGKILL');
    await closed;
  }
}
