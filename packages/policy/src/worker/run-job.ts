import { getCompileCacheDir } from 'node:module';
import { dirname } from 'node:path';
import { Worker } from 'node:worker_threads';
import { PalyraError, isErrorCode } from '@palyra/kernel';
import type { BatchOf, InitOf, JobKind, ResultOf } from './jobs.ts';
import type { FromThread, ToThread } from './policy-job.ts';

export interface PolicyJobHandle<Kind extends JobKind> extends AsyncDisposable {
  /**
   * Contract: answers come in the order of the batches. At most `MAX_UNANSWERED` may be on their
   * way. Rejects with what the job rejected with, with the signal's reason, or with UNEXPECTED when
   * the thread is gone; whatever was sent after that rejects too.
   */
  send(batch: BatchOf<Kind>): Promise<ResultOf<Kind>>;
}

export const MAX_UNANSWERED = 8;
/** Of JavaScript's heap. Cedar's own memory is beside it, and 4 GiB at the very most. */
const LIMITS = { maxOldGenerationSizeMb: 512, maxYoungGenerationSizeMb: 16, stackSizeMb: 4 };

/** From source the thread runs source; in a bundle it has a file beside the program. */
function entry(): URL {
  const name = import.meta.url.endsWith('.ts') ? './entry.ts' : './policy-worker.cjs';
  return new URL(name, import.meta.url);
}

/** Nothing of ours but where compiled code is kept: it takes a thread half its time to start. */
function environment(): Readonly<Record<string, string>> {
  const cache = getCompileCacheDir();
  return cache === undefined ? {} : { NODE_COMPILE_CACHE: dirname(cache) };
}

/** Runs one batch in a thread that exists for it alone: what it took is given back. */
export async function runPolicyJob<Kind extends JobKind>(
  kind: Kind,
  { init, batch }: { readonly init: InitOf<Kind>; readonly batch: BatchOf<Kind> },
  signal?: AbortSignal,
): Promise<ResultOf<Kind>> {
  await using job = openPolicyJob(kind, init, signal);
  return await job.send(batch);
}

/** A thread for many batches, until it is disposed of or the signal is aborted. */
export function openPolicyJob<Kind extends JobKind>(
  kind: Kind,
  init: InitOf<Kind>,
  signal?: AbortSignal,
): PolicyJobHandle<Kind> {
  return new JobHandle(kind, init, signal);
}

class JobHandle<Kind extends JobKind> implements PolicyJobHandle<Kind> {
  readonly #worker = new Worker(entry(), {
    name: 'policy',
    env: environment(),
    execArgv: [],
    resourceLimits: LIMITS,
  });
  readonly #unanswered: PromiseWithResolvers<ResultOf<Kind>>[] = [];
  readonly #signal: AbortSignal | undefined;
  #ended: Error | undefined;

  constructor(kind: Kind, init: InitOf<Kind>, signal: AbortSignal | undefined) {
    this.#signal = signal;
    this.#worker.on('message', (message: FromThread<ResultOf<Kind>>) => this.#hear(message));
    this.#worker.on('messageerror', (error) => this.#end(gone(error)));
    this.#worker.on('error', (error) => this.#end(gone(error)));
    this.#worker.on('exit', () => this.#end(gone()));
    signal?.addEventListener('abort', this.#abort, { once: true });
    if (signal?.aborted === true) this.#abort();
    this.#post({ kind: 'open', job: kind, init });
  }

  send(batch: BatchOf<Kind>): Promise<ResultOf<Kind>> {
    const answer = Promise.withResolvers<ResultOf<Kind>>();
    if (this.#ended !== undefined) return Promise.reject(this.#ended);
    if (this.#unanswered.length >= MAX_UNANSWERED) {
      return Promise.reject(
        new PalyraError('OVERLOADED', `more than ${MAX_UNANSWERED} batches are on their way`),
      );
    }
    this.#unanswered.push(answer);
    this.#post({ kind: 'batch', batch });
    return answer.promise;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#signal?.removeEventListener('abort', this.#abort);
    this.#end(new PalyraError('CANCELLED', 'the job was ended'));
    await this.#worker.terminate();
  }

  #post(message: ToThread): void {
    this.#worker.postMessage(message, []);
  }

  #hear(message: FromThread<ResultOf<Kind>>): void {
    const answer = this.#unanswered.shift();
    switch (message.kind) {
      case 'result':
        answer?.resolve(message.result);
        break;
      case 'failed': {
        const { code, message: text, help } = message;
        answer?.reject(new PalyraError(isErrorCode(code) ? code : 'UNEXPECTED', text, { help }));
        break;
      }
    }
  }

  readonly #abort = (): void => {
    const reason: unknown = this.#signal?.reason;
    this.#end(reason instanceof Error ? reason : PalyraError.from(reason));
    void this.#worker.terminate();
  };

  #end(reason: Error): void {
    this.#ended ??= reason;
    for (const { reject } of this.#unanswered.splice(0)) reject(reason);
  }
}

function gone(cause?: unknown): PalyraError {
  return new PalyraError('UNEXPECTED', 'the thread that works on rules is gone', { cause });
}
