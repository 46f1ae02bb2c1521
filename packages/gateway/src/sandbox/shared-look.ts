import { equals } from '@bufbuild/protobuf';
import { type Clock, PalyraError } from '@palyra/kernel';
import { type Sandbox, SandboxSchema } from '@palyra/protocol';
import type { SandboxDesk } from './ports.ts';

/** Between two looks for those who watch: sandboxes come and go in milliseconds, and people read. */
const LOOK_MS = 500;

/** More than a team has windows open. */
const MOST_WATCHERS = 256;

interface Look {
  readonly seen: Promise<Sandbox>;
  /** Absent while it is under way. */
  endedMs: number | undefined;
}

/**
 * One look at the sandboxes for all who watch: a look goes to another process, whose line is the one that
 * runs wait in. Nobody looks while nobody watches.
 */
export class SharedLook {
  readonly #desk: Pick<SandboxDesk, 'show'>;
  readonly #clock: Clock;
  readonly #watchers = new Set<symbol>();
  #look: Look | undefined;

  constructor(desk: Pick<SandboxDesk, 'show'>, clock: Clock) {
    this.#desk = desk;
    this.#clock = clock;
  }

  /**
   * As they are, and again whenever that has changed. Contract: ends with the signal alone; throws
   * OVERLOADED when 256 watch already.
   */
  async *watch(signal: AbortSignal): AsyncGenerator<Sandbox> {
    signal.throwIfAborted();
    using _place = this.#enter(signal);
    let told: Sandbox | undefined;
    for (;;) {
      const seen = await this.#newest();
      signal.throwIfAborted();
      if (told === undefined || !isSame(told, seen)) yield seen;
      told = seen;
      await this.#clock.sleep(LOOK_MS, signal);
    }
  }

  /** The place is given back with the signal, too: nobody asks a stream that is cut off for its end. */
  #enter(signal: AbortSignal): Disposable {
    if (this.#watchers.size >= MOST_WATCHERS) throw tooMany();
    const watcher = Symbol('watcher');
    const leave = () => void this.#watchers.delete(watcher);
    this.#watchers.add(watcher);
    signal.addEventListener('abort', leave, { once: true });
    return {
      [Symbol.dispose]: () => {
        signal.removeEventListener('abort', leave);
        leave();
      },
    };
  }

  /** What somebody else has just seen, or sees now, is as good as a look of one's own. */
  async #newest(): Promise<Sandbox> {
    if (this.#look === undefined || this.#isOld(this.#look)) this.#look = this.#begin();
    return await this.#look.seen;
  }

  /** A clock that was set back makes it old, too. */
  #isOld({ endedMs }: Look): boolean {
    return endedMs !== undefined && Math.abs(this.#clock.now().getTime() - endedMs) >= LOOK_MS;
  }

  #begin(): Look {
    const look: Look = {
      endedMs: undefined,
      seen: this.#desk.show().finally(() => {
        look.endedMs = this.#clock.now().getTime();
      }),
    };
    return look;
  }
}

function isSame(told: Sandbox, seen: Sandbox): boolean {
  return told === seen || equals(SandboxSchema, told, seen);
}

function tooMany(): PalyraError {
  return new PalyraError('OVERLOADED', `${MOST_WATCHERS} watch the sandboxes already`, {
    help: 'close a page that shows them, and try again',
  });
}
