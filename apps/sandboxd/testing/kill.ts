import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { setTimeout as pause } from 'node:timers/promises';
import { hostProgram } from '@palyra/testkit';
import { SANDBOXD } from './places.ts';
import { type ProcessFacts, below, everybody, readIfThere } from './processes.ts';

export const VICTIMS = ['daemon', 'sandboxd', 'bwrap'] as const;
export type Victim = (typeof VICTIMS)[number];

export interface Ground {
  /** Where the process that makes sandboxes works. */
  readonly folder: string;
  readonly workspace: string;
  /** Who it is started as; absent for whoever we are. */
  readonly account?: { readonly uid: number; readonly gid: number };
}

const STAND_IN = hostProgram(join(import.meta.dirname, 'stand-in.ts'));
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
    this.#child = spawn(process.execPath, [...flags, STAND_IN, SANDBOXD, folder, workspace], {
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

  get pid(): number {
    const { pid } = this.#child;
    // No number stands in for one: 0 and -1 mean many processes to whoever kills them.
    if (pid === undefined) throw new Error('the stand-in was not started');
    return pid;
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

  /**
   * Kills the outer half of the next bwrap as soon as it has made the other, which waits for its first
   * word then. Contract: false when none came in time.
   */
  killNewborn(mostMs: number): boolean {
    const old = new Set(this.#sandboxesNow());
    const started = performance.now();
    while (performance.now() - started < mostMs) {
      const pid = this.#sandboxesNow().find((each) => !old.has(each) && childrenOf(each) !== '');
      if (pid !== undefined) return process.kill(pid, 'SIGKILL');
    }
    return false;
  }

  /** Who the process that makes sandboxes has started. Looks at few: there is no time. */
  #sandboxesNow(): readonly number[] {
    const sandboxd = childrenOf(this.pid).split(' ')[0] ?? '';
    return childrenOf(Number(sandboxd)).split(' ').filter(Boolean).map(Number);
  }

  /** Everybody who lost their parent and lives, or after the daemon's end everybody at all. */
  leftovers(victim: Victim): readonly ProcessFacts[] {
    const all = everybody();
    const kept = new Set(this.#before);
    if (victim !== 'daemon') {
      // In one look: between two of them some would come and some would go.
      const daemon = this.pid;
      for (const { pid } of below(daemon, all)) kept.add(pid);
      kept.add(daemon);
    }
    return below(process.pid, all).filter(({ pid }) => !kept.has(pid));
  }

  /**
   * How long until nobody was left, at most: until the end of the first of some looks in a row that found
   * nobody. When the daemon lives, sandboxes come and go, so only those count who lost their parent
   * at once. Contract: `mostMs` or more when somebody is left.
   */
  async msUntilGone(victim: Victim, mostMs: number): Promise<number> {
    const started = performance.now();
    const lost = new Set<number>();
    let quiet: number[] = [];
    for (let looks = 0; quiet.length < LOOKS; looks += 1) {
      const found = this.leftovers(victim).map(({ pid }) => pid);
      const passedMs = performance.now() - started;
      if (victim === 'daemon' || looks < LOOKS) for (const pid of found) lost.add(pid);
      quiet = found.some((pid) => lost.has(pid)) ? [] : [...quiet, passedMs];
      if (passedMs >= mostMs) return passedMs;
      await pause(1);
    }
    return quiet[0] ?? mostMs;
  }

  #pidOf(victim: Victim): number | undefined {
    const daemon = this.pid;
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

function childrenOf(pid: number): string {
  return (readIfThere(`/proc/${pid}/task/${pid}/children`) ?? '').trim();
}
