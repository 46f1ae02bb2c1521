import { flushCompileCache } from 'node:module';
import { PalyraError } from '@palyra/kernel';
import { POLICY_JOBS } from './jobs.ts';
import type { FromWorker, OpenedJob, PolicyJob, ToWorker } from './policy-job.ts';

const JOBS: Readonly<Record<string, PolicyJob<unknown, unknown, unknown>>> = POLICY_JOBS;

/** The program of the process: opens one job, then takes one batch after the other. */
class JobWorker {
  #opened: OpenedJob<unknown, unknown> | undefined;
  #last: Promise<void> = Promise.resolve();

  hear(message: ToWorker): void {
    switch (message.kind) {
      case 'open':
        this.#last = this.#last.then(() => this.#open(message));
        break;
      case 'batch':
        this.#last = this.#last.then(() => this.#take(message.batch));
        break;
    }
  }

  /** What goes wrong here goes wrong again with each batch, whose sender is told. */
  #open({ job, init }: ToWorker & { readonly kind: 'open' }): void {
    try {
      this.#opened = JOBS[job]?.open(init);
    } catch (error) {
      this.#opened = { take: () => Promise.reject(PalyraError.from(error)) };
    }
  }

  async #take(batch: unknown): Promise<void> {
    try {
      if (this.#opened === undefined) throw new PalyraError('UNEXPECTED', 'there is no such job');
      answer({ kind: 'result', result: await this.#opened.take(batch) });
    } catch (error) {
      const { code, message, help } = PalyraError.from(error);
      answer({ kind: 'failed', code, message, help });
    }
  }
}

function answer(message: FromWorker<unknown>): void {
  process.send?.(message);
}

const worker = new JobWorker();
// Whoever started this kills it as soon as it has answered; the next start would find nothing kept.
flushCompileCache();
process.on('message', (message: ToWorker) => worker.hear(message));
// Nobody is left to answer to; what is being worked on ends with it.
process.on('disconnect', () => process.exit());
