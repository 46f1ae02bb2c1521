import { PalyraError } from '@palyra/kernel';
import type { Compiled } from '../model.ts';
import type { CompileTask } from '../worker/jobs.ts';
import { type PolicyJobHandle, openPolicyJob } from '../worker/run-job.ts';

/**
 * A process that stays for a while: whoever changes rules does so again in a moment, and to start one
 * takes longer than everything that it does.
 */
export class WarmCompiler implements AsyncDisposable {
  readonly #idleMs: number;
  #job: PolicyJobHandle<'compile'> | undefined;
  #idle: NodeJS.Timeout | undefined;
  #underWay = 0;

  /** How long it waits for the next one. */
  constructor(idleMs: number) {
    this.#idleMs = idleMs;
  }

  /**
   * Contract: rejects with the reason of the signal once that is aborted; what others have asked
   * meanwhile is lost with it.
   */
  async compile(task: CompileTask, signal: AbortSignal): Promise<Compiled> {
    signal.throwIfAborted();
    clearTimeout(this.#idle);
    const job = (this.#job ??= openPolicyJob('compile', undefined));
    this.#underWay += 1;
    const late = Promise.withResolvers<never>();
    const stop = () => late.reject(PalyraError.from(signal.reason));
    signal.addEventListener('abort', stop, { once: true });
    try {
      const compiled = await Promise.race([job.send(task), late.promise]);
      // Nothing that Cedar says after it broke down counts.
      if (compiled.kind === 'refused' && compiled.hasBroken === true) await this.#end(job);
      return compiled;
    } catch (reason) {
      await this.#end(job);
      throw reason;
    } finally {
      signal.removeEventListener('abort', stop);
      this.#underWay -= 1;
      if (this.#underWay === 0) this.#waitForNext();
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    clearTimeout(this.#idle);
    if (this.#job !== undefined) await this.#end(this.#job);
  }

  #waitForNext(): void {
    this.#idle = setTimeout(() => void this[Symbol.asyncDispose](), this.#idleMs).unref();
  }

  async #end(job: PolicyJobHandle<'compile'>): Promise<void> {
    if (this.#job === job) this.#job = undefined;
    await job[Symbol.asyncDispose]();
  }
}
