/** Who can have caused a change; `new-workspace` when a workspace has rules that had none. */
export type ChangeSource = 'people' | 'workspace' | 'new-workspace';

/** Editors write in several steps. */
const PEOPLE_MS = 100;
/** A workspace may be changed by a program, and each change is a set that is kept for ever. */
const WORKSPACE_MS = 2000;
/** From one time that a workspace had files read to the next. */
const WORKSPACE_EVERY_MS = 10_000;

/** When to look at files of which something was told: soon for people, now and then for a workspace. */
export class Settling implements Disposable {
  readonly #look: () => void;
  #people: NodeJS.Timeout | undefined;
  #workspace: NodeJS.Timeout | undefined;
  #resting: NodeJS.Timeout | undefined;
  /** Set until the rest that follows it is over, so that nobody is looked at at once again and again. */
  #arrival: NodeJS.Timeout | undefined;
  #isMissed = false;
  #isDisposed = false;

  constructor(look: () => void) {
    this.#look = look;
  }

  /** Contract: the first that is told counts from then; who goes on changing things is not waited for. */
  tell(source: ChangeSource): void {
    if (this.#isDisposed) return;
    switch (source) {
      case 'people':
        this.#people ??= setTimeout(() => {
          this.#people = undefined;
          this.#look();
        }, PEOPLE_MS).unref();
        break;
      case 'new-workspace':
        if (this.#resting === undefined) {
          this.#arrival ??= setTimeout(() => this.#look(), PEOPLE_MS).unref();
        }
        // Not all of it may be there yet.
        this.#tellOfWorkspace();
        break;
      case 'workspace':
        this.#tellOfWorkspace();
        break;
    }
  }

  [Symbol.dispose](): void {
    this.#isDisposed = true;
    const timers = [this.#people, this.#workspace, this.#resting, this.#arrival];
    for (const timer of timers) clearTimeout(timer);
  }

  #tellOfWorkspace(): void {
    if (this.#resting !== undefined) {
      this.#isMissed = true;
      return;
    }
    this.#workspace ??= setTimeout(() => {
      this.#workspace = undefined;
      this.#rest();
      this.#look();
    }, WORKSPACE_MS).unref();
  }

  #rest(): void {
    this.#resting = setTimeout(() => {
      this.#resting = undefined;
      this.#arrival = undefined;
      const isMissed = this.#isMissed;
      this.#isMissed = false;
      if (isMissed) this.#tellOfWorkspace();
    }, WORKSPACE_EVERY_MS - WORKSPACE_MS).unref();
  }
}
