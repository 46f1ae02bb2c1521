import { type ChildProcess, fork } from 'node:child_process';
import { getCompileCacheDir } from 'node:module';
import { dirname } from 'node:path';
import { PalyraError, isErrorCode } from '@palyra/kernel';
import type { BatchOf, InitOf, JobKind, ResultOf } from './jobs.ts';
import type { FromWorker, ToWorker } from './policy-job.ts';

export interface PolicyJobHandle<Kind extends JobKind> extends AsyncDisposable {
  /**
   * Contract: answers come in the order of the batches. At most `MAX_UNANSWERED` may be on their
   * way. Rejects with what the job rejected with, with the signal's reason, or with UNEXPECTED when
   * the process is gone; whatever was sent after that rejects too.
   */
  send(batch: BatchOf<Kind>): Promise<ResultOf<Kind>>;
}

export const MAX_UNANSWERED = 8;
/** Of JavaScript's heap, in megabytes. Cedar's own memory is beside it, and 4 GiB at the very most. */
const LIMITS = ['--max-old-space-size=512', '--max-semi-space-size=8'];

/** From source it runs source; in a bundle it has a file beside the program. */
function entry(): URL {
  const name = import.meta.url.endsWith('.ts') ? './entry.ts' : './policy-worker.cjs';
  return new URL(name, import.meta.url);
}

/** Nothing of ours but where compiled code is kept: reading it is half the time of a start. */
function environment(): Record<string, string> {
  const cache = getCompileCacheDir();
  return cache === undefined ? {} : { NODE_COMPILE_CACHE: dirname(cache) };
}

/** Runs one batch in a process that exists for it alone: what it took is given back. */
export async function runPolicyJob<Kind extends JobKind>(
  kind: Kind,
  { init, batch }: { readonly init: InitOf<Kind>; readonly batch: BatchOf<Kind> },
  signal?: AbortSignal,
): Promise<ResultOf<Kind>> {
  await using job = openPolicyJob(kind, init, signal);
  return await job.send(batch);
}

/** A process for many batches, until it is disposed of or the signal is aborted. */
export function openPolicyJob<Kind extends JobKind>(
  kind: Kind,
  init: InitOf<Kind>,
  signal?: AbortSignal,
): PolicyJobHandle<Kind> {
  return new JobHandle(kind, init, signal);
}

/**
 * A process, because a thread that has loaded Cedar leaves tens of megabytes behind in the daemon. It
 * gets no descriptor but the one that it is spoken to through.
 */
function startWorker(): ChildProcess {
  return fork(entry(), {
    env: environment(),
    execArgv: LIMITS,
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  });
}

function endOf(worker: ChildProcess): Promise<void> {
  const end = Promise.withResolvers<void>();
  worker.once('close', () => end.resolve());
  worker.once('error', () => {
    // One that could not be started may never close.
    if (worker.pid === undefined) end.resolve();
  });
  return end.promise;
}

class JobHandle<Kind extends JobKind> implements PolicyJobHandle<Kind> {
  readonly #worker = startWorker();
  readonly #exit = endOf(this.#worker);
  readonly #unanswered: PromiseWithResolvers<ResultOf<Kind>>[] = [];
  readonly #signal: AbortSignal | undefined;
  #ended: Error | undefined;

  constructor(kind: Kind, init: InitOf<Kind>, signal: AbortSignal | undefined) {
    this.#signal = signal;
    this.#worker.on('message', (message: FromWorker<ResultOf<Kind>>) => this.#hear(message));
    this.#worker.on('error', (error) => this.#end(gone(error)));
    this.#worker.on('close', (code, endedBy) => this.#end(gone({ code, endedBy })));
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
    this.#worker.kill('SIGKILL');
    await this.#exit;
  }

  #post(message: ToWorker): void {
    if (!this.#worker.connected) return;
    this.#worker.send(message, (error) => {
      if (error !== null) this.#end(gone(error));
    });
  }

  #hear(message: FromWorker<ResultOf<Kind>>): void {
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
    this.#worker.kill('SIGKILL');
  };

  #end(reason: Error): void {
    this.#ended ??= reason;
    for (const { reject } of this.#unanswered.splice(0)) reject(reason);
  }
}

function gone(cause: unknown): PalyraError {
  return new PalyraError('UNEXPECTED', 'the process that works on rules is gone', { cause });
}
