import { type Bytes, PalyraError, sha256Hex } from '@palyra/kernel';
import { faultOf } from '../faults.ts';
import type { Ending, SandboxRequest } from '../model.ts';
import type { TellStep } from '../proof/verdict-desk.ts';
import type { Verdict } from '../proof/verdict.ts';
import { MAX_INPUT_BYTES } from './bounds.ts';
import type { ToldEnding, ToldFault } from './messages.ts';
import type { Explanation, RunWatch, SandboxLoad } from './sandboxes.ts';

/** What the other process was asked for and has not answered yet. */
export type Task =
  | RunTask
  | { readonly kind: 'explain'; readonly answer: PromiseWithResolvers<Explanation> }
  | {
      readonly kind: 'proof';
      readonly answer: PromiseWithResolvers<Verdict>;
      readonly onStep: TellStep;
    }
  | {
      readonly kind: 'load';
      readonly answer: PromiseWithResolvers<Pick<SandboxLoad, 'warm' | 'busy'>>;
    };

/** A run while it is under way elsewhere: its output is put together here. */
export class RunTask {
  readonly kind = 'run';
  readonly request: SandboxRequest;
  readonly watch: RunWatch;
  readonly ended: Promise<Ending>;
  readonly #settle: (ending: Ending) => void;
  readonly #pieces: Readonly<Record<'stdout' | 'stderr', Bytes[]>> = { stdout: [], stderr: [] };
  readonly #input: AsyncIterator<Bytes, undefined>;
  readonly #started = performance.now();
  #room: number;

  constructor(request: SandboxRequest, watch: RunWatch) {
    this.request = request;
    this.watch = watch;
    this.#input = piecesOf(watch.input);
    this.#room = request.limits.outputBytes;
    const { promise, resolve } = Promise.withResolvers<Ending>();
    this.ended = promise;
    this.#settle = resolve;
  }

  /** Contract: false for more than the request allows, which the other side should have held back. */
  add(stream: 'stdout' | 'stderr', bytes: Bytes): boolean {
    this.#room -= bytes.length;
    if (this.#room < 0) return false;
    this.#pieces[stream].push(bytes);
    this.watch.onOutput(stream, bytes);
    return true;
  }

  /** Contract: `undefined` when there is no more, or none can be had. */
  async nextInput(): Promise<Bytes | undefined> {
    try {
      const { value, done } = await this.#input.next();
      return done === true ? undefined : value;
    } catch {
      // To the command its input has ended; whoever gave it knows why.
      return undefined;
    }
  }

  end(told: ToldEnding): void {
    this.#settle({ ...withoutAbsent(told), ...this.#output() });
  }

  /** Nobody saw how it ended. */
  lose(reason: PalyraError): void {
    const { stdout, stderr } = this.#output();
    const all = Buffer.concat([stdout, stderr]);
    this.#settle({
      kind: 'killed',
      fault: faultOf(reason),
      stdout,
      stderr,
      truncated: { stdout: true, stderr: true },
      outputSha256: sha256Hex(new Uint8Array(all)),
      durationMs: performance.now() - this.#started,
      posture: unseen(this.request),
    });
  }

  #output() {
    const joined = (stream: 'stdout' | 'stderr') =>
      new Uint8Array(Buffer.concat(this.#pieces[stream]));
    return { stdout: joined('stdout'), stderr: joined('stderr') };
  }
}

async function* piecesOf(input: RunWatch['input']): AsyncGenerator<Bytes, undefined> {
  for await (const bytes of input ?? []) {
    for (let at = 0; at < bytes.length; at += MAX_INPUT_BYTES) {
      yield bytes.subarray(at, at + MAX_INPUT_BYTES);
    }
  }
  return undefined;
}

/** Optional fields that are absent, as the model has them: zod's may hold `undefined`. */
function withoutAbsent({ code, signal, fault, ...rest }: ToldEnding) {
  return {
    ...rest,
    ...(code !== undefined && { code }),
    ...(signal !== undefined && { signal }),
    ...(fault !== undefined && { fault: faultFrom(fault) }),
  };
}

function faultFrom({ isMissing, ...fault }: NonNullable<ToldEnding['fault']>) {
  return isMissing === undefined ? fault : { ...fault, isMissing };
}

function unseen({ egress }: SandboxRequest): Ending['posture'] {
  return {
    executor: 'none',
    namespaces: [],
    seccomp: '',
    memory: 'best-effort',
    egress: egress.mode,
    hosts: [],
    isWarm: false,
    weaknesses: ['nobody saw how the command ended'],
  };
}

export function toError({ code, reason, help }: ToldFault): PalyraError {
  return new PalyraError(code, reason, help === '' ? {} : { help });
}
