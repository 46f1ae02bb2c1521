import type { PalyraClient } from '@palyra/client';
import { type Clock, type ErrorCode, PalyraError } from '@palyra/kernel';
import type { Shell } from '../command.ts';
import { PROBE, daemonOf } from '../daemon.ts';

export interface ConnectionParts {
  readonly shell: Shell;
  readonly clock: Clock;
  /** Ends with the chat. */
  readonly signal: AbortSignal;
  readonly onAway: (why: string) => void;
  readonly onBack: () => void;
}

/** The gateway that a chat speaks to, also after it was away: it may listen elsewhere then. */
export class Connection implements AsyncDisposable {
  readonly #parts: ConnectionParts;
  #ending = new AsyncDisposableStack();
  #client: PalyraClient;
  #returning: Promise<void> | undefined;

  constructor(parts: ConnectionParts) {
    this.#parts = parts;
    this.#client = this.#open();
  }

  get client(): PalyraClient {
    return this.#client;
  }

  /**
   * Waits until the gateway answers again; one wait for all who ask. Contract: rejects when it
   * answers that we may not speak to it, or the chat ends.
   */
  comeBack(): Promise<void> {
    this.#returning ??= this.#return().finally(() => {
      this.#returning = undefined;
    });
    return this.#returning;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#ending.disposeAsync();
  }

  async #return(): Promise<void> {
    const { clock, signal, onAway, onBack } = this.#parts;
    for (let attempt = 0; ; attempt += 1) {
      const waitMs = backoffMs(attempt);
      onAway(`the gateway does not answer; trying again every ${secondWords(waitMs)}`);
      await clock.sleep(waitMs, signal);
      if (await this.#answers()) return onBack();
    }
  }

  async #answers(): Promise<boolean> {
    await this.#ending.disposeAsync();
    this.#ending = new AsyncDisposableStack();
    this.#client = this.#open();
    try {
      await this.#client.health.getHealth({}, PROBE);
      return true;
    } catch (reason) {
      if (isAway(PalyraError.from(reason))) return false;
      throw reason;
    }
  }

  #open(): PalyraClient {
    return daemonOf({ ...this.#parts.shell, ending: this.#ending });
  }
}

const AWAY: ReadonlySet<ErrorCode> = new Set(['DAEMON_UNREACHABLE', 'SHUTTING_DOWN', 'OVERLOADED']);

/** The gateway is not there right now; it may be again. */
export function isAway({ code }: PalyraError): boolean {
  return AWAY.has(code);
}

const FIRST_WAIT_MS = 250;
const LONGEST_WAIT_MS = 5000;

export function backoffMs(attempt: number): number {
  return Math.min(FIRST_WAIT_MS * 2 ** Math.min(attempt, 10), LONGEST_WAIT_MS);
}

function secondWords(ms: number): string {
  return ms < 1000 ? `${ms} ms` : `${ms / 1000} s`;
}
