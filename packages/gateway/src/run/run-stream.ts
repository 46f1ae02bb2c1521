import { create } from '@bufbuild/protobuf';
import { PalyraError } from '@palyra/kernel';
import { type RunEvent, ToolOutputDeltaSchema } from '@palyra/protocol';
import type { AskedAgain, OutputChunk } from '../ports.ts';
import { Printed } from './printed.ts';
import {
  askedAgainEvent,
  reasoningDeltaEvent,
  textDeltaEvent,
  toolOutputEvent,
} from './run-event.ts';
import { Thoughts } from './thoughts.ts';

/**
 * The live half of a run: what happens now, to whoever watches now. What happened before is in the
 * journal. INVARIANT: an event with a sequence is published only after its entry is durable.
 */
export class RunStream {
  readonly #runId: string;
  readonly #bufferLimit: number;
  readonly #subscriptions = new Set<Subscription>();
  readonly #thoughts = new Thoughts();
  readonly #printed = new Printed();
  #spoken = '';
  /** All that there is of the run in the journal; empty as soon as there may be more. */
  #beginning: readonly RunEvent[] = [];
  /** Why there is nothing to hear: told to whoever comes while that lasts. */
  #delay: RunEvent | undefined;
  /** The last event, which is on record and not told yet. */
  #last: RunEvent | undefined;
  #end: { readonly fault: PalyraError | undefined } | undefined;

  constructor(runId: string, bufferLimit: number) {
    this.#runId = runId;
    this.#bufferLimit = bufferLimit;
  }

  /** For a run that begins here. Contract: once, before everything else, with all of its events. */
  begin(events: readonly RunEvent[]): void {
    for (const event of events) this.publish(event);
    this.#beginning = events;
  }

  /** What whoever watches from the start need not look for in the journal; empty when that knows more. */
  get beginning(): readonly RunEvent[] {
    return this.#beginning;
  }

  /** Text while it is being spoken; it comes again, whole and durable, as a model message. */
  speak(text: string): void {
    this.#spoken += text;
    this.publish(textDeltaEvent(this.#runId, text));
  }

  /** What the model thinks while it does: for whoever watches before the run ends, and never again. */
  think(text: string): void {
    this.#thoughts.think(text);
    this.publish(reasoningDeltaEvent(this.#runId, text));
  }

  /** What was thought before the message with this sequence; absent when nothing was. */
  thoughtBefore(sequence: bigint): RunEvent | undefined {
    const thought = this.#thoughts.before(sequence);
    return thought === '' ? undefined : reasoningDeltaEvent(this.#runId, thought);
  }

  /** Why the model is silent: for whoever watches until it speaks. */
  delay(asked: AskedAgain): void {
    const event = askedAgainEvent(this.#runId, asked);
    this.#thoughts.drop();
    this.publish(event);
    this.#delay = event;
  }

  /** What a command prints while it runs: for whoever watches until it ends; it comes again with the result. */
  print(callId: string, chunk: OutputChunk): void {
    this.#printed.print(callId, chunk);
    if (this.#subscriptions.size === 0) return;
    const { isErrorOutput, bytes } = chunk;
    for (let start = 0; start < bytes.length; start += MAX_PRINTED) {
      const data = bytes.slice(start, start + MAX_PRINTED);
      const output = create(ToolOutputDeltaSchema, { callId, isErrorOutput, data });
      this.publish(toolOutputEvent(this.#runId, output));
    }
  }

  /** The end of the run is kept until `end`: who hears of it finds that it has let go of its session. */
  publish(event: RunEvent): void {
    if (event.sequence > 0n) this.#beginning = [];
    if (event.event.case === 'runEnded' || event.event.case === 'runInterrupted') {
      this.#last = event;
      return;
    }
    if (event.event.case === 'modelMessage') {
      this.#spoken = '';
      this.#thoughts.speak(event.sequence);
    }
    if (event.event.case === 'toolFinished') this.#printed.finish(event.event.value.callId);
    this.#delay = undefined;
    for (const subscription of this.#subscriptions) subscription.push(event);
  }

  /** With a fault, watchers are told that the run's end could not be recorded. */
  end(fault?: PalyraError): void {
    this.#end = { fault };
    for (const subscription of this.#subscriptions) {
      if (this.#last !== undefined) subscription.push(this.#last);
      subscription.end(fault);
    }
    this.#subscriptions.clear();
  }

  /** Contract: starts with what has been thought and spoken of the current message, so that no word is missed. */
  subscribe(): Subscription {
    const subscription = new Subscription(this.#bufferLimit, () => {
      this.#subscriptions.delete(subscription);
    });
    if (this.#delay !== undefined) subscription.push(this.#delay);
    const { now } = this.#thoughts;
    if (now !== '') subscription.push(reasoningDeltaEvent(this.#runId, now));
    if (this.#spoken !== '') subscription.push(textDeltaEvent(this.#runId, this.#spoken));
    if (this.#end === undefined) this.#subscriptions.add(subscription);
    else subscription.end(this.#end.fault);
    return subscription;
  }

  /**
   * For a watcher who has read the journal up to this sequence: forgets what that has told, and tells
   * what the calls that run have printed so far. Contract: once, before its events are heard.
   */
  catchUp(subscription: Subscription, sequence: bigint): void {
    subscription.skipThrough(sequence);
    for (const { callId, chunks, leftOutBytes } of this.#printed.now()) {
      for (const [place, { isErrorOutput, bytes: data }] of chunks.entries()) {
        const start = place === 0 ? { leftOutBytes: BigInt(leftOutBytes) } : {};
        const output = create(ToolOutputDeltaSchema, { callId, isErrorOutput, data, ...start });
        subscription.push(toolOutputEvent(this.#runId, output));
      }
    }
  }
}

/** Bytes of one event. */
const MAX_PRINTED = 65_536;
/** Bytes of output that wait for one watcher; what comes beyond is left out. */
const MAX_WAITING_OUTPUT = 1_048_576;

/** One watcher's queue. Bounded: a watcher that falls behind is cut off and may resume by sequence. */
export class Subscription implements Disposable {
  readonly #limit: number;
  readonly #release: () => void;
  #queue: RunEvent[] = [];
  #outputBytes = 0;
  /** A replay of the journal has told everything up to here. */
  #replayed = 0n;
  #closed: { readonly fault: PalyraError | undefined } | undefined;
  #wake: (() => void) | undefined;

  constructor(limit: number, release: () => void) {
    this.#limit = limit;
    this.#release = release;
  }

  push(event: RunEvent): void {
    if (event.sequence > 0n && event.sequence <= this.#replayed) return;
    if (this.#closed !== undefined || !this.#hasRoomFor(event)) return;
    if (this.#joins(event)) return;
    if (this.#queue.length < this.#limit) {
      this.#queue.push(event);
      this.#wake?.();
      return;
    }
    this.#queue = [];
    this.end(fellBehind());
    this.#release();
  }

  end(fault?: PalyraError): void {
    this.#closed ??= { fault };
    this.#wake?.();
  }

  /** What a command prints never cuts a watcher off: it is left out for whoever is slow. */
  #hasRoomFor({ event }: RunEvent): boolean {
    if (event.case !== 'toolOutput') return true;
    if (this.#queue.length >= this.#limit / 2) return false;
    if (this.#outputBytes + event.value.data.length > MAX_WAITING_OUTPUT) return false;
    this.#outputBytes += event.value.data.length;
    return true;
  }

  /** Words never cut a watcher off either: for whoever is slow they are told together, as far as a turn is long. */
  #joins({ runId, event }: RunEvent): boolean {
    if (this.#queue.length < this.#limit / 2) return false;
    const last = this.#queue.at(-1)?.event;
    if (event.case === 'textDelta' && last?.case === 'textDelta') {
      this.#queue.splice(-1, 1, textDeltaEvent(runId, last.value.text + event.value.text));
      return true;
    }
    if (event.case === 'reasoningDelta' && last?.case === 'reasoningDelta') {
      this.#queue.splice(-1, 1, reasoningDeltaEvent(runId, last.value.text + event.value.text));
      return true;
    }
    return false;
  }

  /**
   * Forgets what a replay of the journal has already told: everything up to the last event with a
   * sequence that was replayed, spoken text before it included; and all output, which is told anew.
   */
  skipThrough(sequence: bigint): void {
    const last = this.#queue.findLastIndex((e) => e.sequence > 0n && e.sequence <= sequence);
    this.#queue = this.#queue.slice(last + 1).filter(({ event }) => event.case !== 'toolOutput');
    this.#outputBytes = 0;
    this.#replayed = sequence;
  }

  /** Contract: ends when the run does; throws for a watcher that fell behind or a lost end. */
  async *events(signal: AbortSignal): AsyncGenerator<RunEvent> {
    const onAbort = () => this.#wake?.();
    signal.addEventListener('abort', onAbort);
    try {
      for (;;) {
        signal.throwIfAborted();
        const batch = this.#queue;
        if (batch.length > 0) {
          this.#queue = [];
          this.#outputBytes = 0;
          // Delegating to a list costs several promises, and there is an event for each word.
          for (const event of batch) yield event;
          continue;
        }
        // Nothing is awaited between here and the wait: what came meanwhile would wake nobody.
        if (this.#closed?.fault !== undefined) throw this.#closed.fault;
        if (this.#closed !== undefined) return;
        await new Promise<void>((resolve) => {
          this.#wake = resolve;
        });
      }
    } finally {
      signal.removeEventListener('abort', onAbort);
    }
  }

  [Symbol.dispose](): void {
    this.#release();
  }
}

function fellBehind(): PalyraError {
  return new PalyraError('OVERLOADED', 'the watcher was slower than the run and was cut off', {
    help: 'watch again from the last sequence that was seen',
  });
}
