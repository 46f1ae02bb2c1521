import type { SandboxRequest } from '../sandbox-process.ts';

/** What a cage is made of, whoever it is for: nothing of a command is kept. */
export type UsualCage = Pick<SandboxRequest, 'tier' | 'workspace' | 'egress' | 'limits'>;

interface Habit {
  readonly cage: UsualCage;
  /** Whether a command came since the last run began. */
  isUsed: boolean;
}

const MAX_HABITS = 256;

/**
 * Whose last run in a folder has run a command there will do so again in the next. One run that did not
 * is enough to expect nothing any more, so of two cages in a row at most one is made for nobody.
 */
export class Habits {
  /** The one that is oldest comes first. */
  readonly #habits = new Map<string, Habit>();

  /** A command runs. Those that reach somebody are not foreseen: who that is differs too much. */
  note({ tier, workspace, egress, limits, principal }: SandboxRequest): void {
    const isAlone = egress.mode === 'none' || egress.hosts.length === 0;
    if (tier !== 'C' || !isAlone) return;
    const key = keyOf({ principal, workspace });
    this.#habits.delete(key);
    this.#habits.set(key, { cage: { tier, workspace, egress, limits }, isUsed: true });
    const [oldest] = this.#habits.keys();
    if (this.#habits.size > MAX_HABITS && oldest !== undefined) this.#habits.delete(oldest);
  }

  /** A run begins. Gives what its command would run in; `undefined` unless the one before had one. */
  begin(run: Pick<SandboxRequest, 'principal' | 'workspace'>): UsualCage | undefined {
    const key = keyOf(run);
    const habit = this.#habits.get(key);
    if (habit?.isUsed !== true) {
      this.#habits.delete(key);
      return undefined;
    }
    habit.isUsed = false;
    return habit.cage;
  }
}

function keyOf({ principal, workspace }: Pick<SandboxRequest, 'principal' | 'workspace'>): string {
  return JSON.stringify([principal, workspace]);
}
