import { PalyraError } from '@palyra/kernel';
import type { Ending, SandboxRequest } from '../model.ts';
import { refused } from '../refused.ts';
import type { TellStep } from '../proof/verdict-desk.ts';
import type { Verdict } from '../proof/verdict.ts';
import { MAX_RUNS, MAX_WAITING } from './bounds.ts';
import type { Link } from './link.ts';
import type { Opening } from './messages.ts';
import type {
  ExpectedRequest,
  Explanation,
  RunWatch,
  SandboxLoad,
  Sandboxes,
  SecretPort,
} from './sandboxes.ts';
import { endStragglers } from './stragglers.ts';
import { Turnstile } from './turnstile.ts';

export interface SandboxdOptions {
  /** The file of the process that makes sandboxes. */
  readonly program: string;
  readonly opening: Opening;
  /** Absent: there are no secrets, and each is refused. */
  readonly secrets?: SecretPort;
  /** Told of each end that nobody asked for. Contract: must not throw. */
  readonly onEnd?: (fault: PalyraError) => void;
  /** Told what that process says of itself, for the log. Contract: must not throw. */
  readonly onWords?: (words: string) => void;
}

/** Between two starts after failures; doubled each time. */
const FIRST_PAUSE_MS = 100;
const LONGEST_PAUSE_MS = 10_000;
/** After the end of that process. */
const SWEEP_MS = 50;

/**
 * Sandboxes that another process makes. It is started at the first use, and anew at the next after it
 * has ended; what it owed then has failed. Contract: nothing is started here but that process.
 */
export function startSandboxd(options: SandboxdOptions): Sandboxes {
  return new SandboxdClient(options);
}

const NO_SECRETS: SecretPort = {
  reveal: () => Promise.reject(new PalyraError('NOT_BUILT', 'there is no vault yet')),
};

class SandboxdClient implements Sandboxes {
  readonly #options: SandboxdOptions;
  readonly #turnstile = new Turnstile({ inside: MAX_RUNS, waiting: MAX_WAITING });
  readonly #stop = new AbortController();
  #link: Link | undefined;
  #starting: Promise<Link> | undefined;
  #failures = 0;

  constructor(options: SandboxdOptions) {
    this.#options = options;
  }

  async run(request: SandboxRequest, watch: RunWatch): Promise<Ending> {
    const started = performance.now();
    const refuse = (reason: unknown) =>
      refused(reason, request, { executor: 'none', weaknesses: [], started });
    const signal = AbortSignal.any([watch.signal, this.#stop.signal]);
    try {
      using _place = await this.#turnstile.enter(signal);
      const link = await this.#started();
      if (signal.aborted) return refuse(cancelled());
      return await link.run(request, watch);
    } catch (reason) {
      return refuse(signal.aborted ? cancelled() : reason);
    }
  }

  expect(request: ExpectedRequest): void {
    // A process that is not there yet is started by who needs it.
    this.#link?.expect(request);
  }

  async explain(request: SandboxRequest): Promise<Explanation> {
    return await (await this.#started()).explain(request);
  }

  async prove(onStep?: TellStep): Promise<Verdict> {
    return await (await this.#started()).proof('prove', onStep);
  }

  async verdict(): Promise<Verdict> {
    return await (await this.#started()).proof('verdict');
  }

  async load(): Promise<SandboxLoad> {
    const { inside: busy, waiting } = this.#turnstile.taken;
    const link = this.#link;
    const isThere = link !== undefined && link.fault === undefined;
    const warm = isThere ? (await link.load()).warm : 0;
    return { warm, busy, waiting };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#stop.abort();
    // A start that is under way notices by itself, and closes what it has started.
    await this.#starting?.catch(() => {});
    await this.#link?.close();
  }

  /** Contract: one start at a time; rejects with why there is none. */
  async #started(): Promise<Link> {
    if (this.#link !== undefined && this.#link.fault === undefined) return this.#link;
    this.#starting ??= this.#start().finally(() => {
      this.#starting = undefined;
    });
    return await this.#starting;
  }

  async #start(): Promise<Link> {
    await this.#pause();
    // Loaded here: a daemon starts without a sandbox, and its start is measured.
    const { Link } = await import('./link.ts');
    if (this.#stop.signal.aborted) throw stopping();
    const { program, opening, secrets = NO_SECRETS, onWords = () => {} } = this.#options;
    this.#failures += 1;
    const link = new Link({ program, opening, secrets, onWords });
    this.#link = link;
    this.#watch(link);
    await link.ready;
    this.#failures = 0;
    return link;
  }

  #watch(link: Link): void {
    void link.ended.then((fault) => {
      if (this.#stop.signal.aborted) return;
      // One that keeps ending while it works is not started without a pause either.
      this.#failures = Math.max(this.#failures, 1);
      this.#sweep();
      this.#options.onEnd?.(fault);
    });
  }

  /** What it was just making may wait for it for ever. Twice: what dies with it may not be dead yet. */
  #sweep(): void {
    const { folder } = this.#options.opening;
    endStragglers(folder);
    setTimeout(() => endStragglers(folder), SWEEP_MS).unref();
  }

  async #pause(): Promise<void> {
    if (this.#failures === 0) return;
    const pause = Math.min(FIRST_PAUSE_MS * 2 ** (this.#failures - 1), LONGEST_PAUSE_MS);
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, pause);
      this.#stop.signal.addEventListener(
        'abort',
        () => {
          clearTimeout(timer);
          resolve();
        },
        { once: true },
      );
    });
  }
}

function cancelled(): PalyraError {
  return new PalyraError('CANCELLED', 'the command was cancelled before it started');
}

function stopping(): PalyraError {
  return new PalyraError('SHUTTING_DOWN', 'the gateway makes no more sandboxes');
}
