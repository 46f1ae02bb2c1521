import { PalyraError } from '@palyra/kernel';
import type { Compiled } from '../model.ts';
import type { CompileTask } from '../worker/jobs.ts';
import { type PolicyJobHandle, openPolicyJob } from '../worker/run-job.ts';

export interface WarmCompilerOptions {
  /** Of one compilation; the process hangs after that, or somebody meant it to. */
  readonly limitMs: number;
  /** How long it waits for the next one. */
  readonly idleMs: number;
}

/**
 * A process that stays for a while: whoever types asks again in a moment, and to start one takes longer
 * than everything that it does.
 */
export class WarmCompiler implements AsyncDisposable {
  readonly #options: WarmCompilerOptions;
  #job: PolicyJobHandle<'compile'> | undefined;
  #idle: NodeJS.Timeout | undefined;
  #underWay = 0;

  constructor(options: WarmCompilerOptions) {
    this.#options = options;
  }

  /** Contract: OVERLOADED when it takes too long; what others have asked meanwhile is lost with it. */
  async compile(task: CompileTask): Promise<Compiled> {
    clearTimeout(this.#idle);
    const job = (this.#job ??= openPolicyJob('compile', undefined));
    this.#underWay += 1;
    const late = Promise.withResolvers<never>();
    const timer = setTimeout(() => late.reject(tooLong()), this.#options.limitMs);
    try {
      return await Promise.race([job.send(task), late.promise]);
    } catch (reason) {
      await this.#end(job);
      throw reason;
    } finally {
      clearTimeout(timer);
      this.#underWay -= 1;
      if (this.#underWay === 0) this.#waitForNext();
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    clearTimeout(this.#idle);
    if (this.#job !== undefined) await this.#end(this.#job);
  }

  #waitForNext(): void {
    this.#idle = setTimeout(() => void this[Symbol.asyncDispose](), this.#options.idleMs).unref();
  }

  async #end(job: PolicyJobHandle<'compile'>): Promise<void> {
    if (this.#job === job) this.#job = undefined;
    await job[Symbol.asyncDispose]();
  }
}

function tooLong(): PalyraError {
  return new PalyraError('OVERLOADED', 'it took too long to look at the rules', {
    help: 'make them fewer and simpler: fewer brackets, shorter conditions',
  });
}
