import { create } from '@bufbuild/protobuf';
import type { EntryDraft } from '@palyra/kernel';
import { type ModelMessage, ModelMessageSchema, ToolCallRequestSchema } from '@palyra/protocol';
import type { Keepsake, SaidEvent } from '../ports.ts';
import { record } from '../tool-call/6-journal.ts';
import type { ToolCallContext } from '../tool-call/tool-call.ts';
import { limitReached } from './limit-reached.ts';
import { type CountedRequest, TurnCount } from './model-usage.ts';
import { ACTORS, draftOf } from './run-note.ts';
import { spokenPiece } from './spoken.ts';

/** What was spoken this long after the last piece was recorded is recorded too. */
const KEEP_AFTER_MS = 5_000;
const KEEP_AFTER_BYTES = 65_536;

/**
 * One answer of a model from the moment it is asked for: what was said, and what that took. It comes to
 * an end once, as a whole or broken off. Broken off it is on record then; as a whole it goes there with
 * what follows from it.
 */
export class HeardAnswer {
  /** How many tokens it may have. */
  readonly maxOutputTokens: number;
  readonly #context: ToolCallContext;
  readonly #count: TurnCount;
  readonly #message: ModelMessage = create(ModelMessageSchema);
  #keepsake: Keepsake | undefined;
  #isOver = false;
  /** Of the text, in characters. */
  #kept = 0;
  #keptAt: number;

  private constructor(count: TurnCount, maxOutputTokens: number, context: ToolCallContext) {
    this.maxOutputTokens = maxOutputTokens;
    this.#context = context;
    this.#count = count;
    this.#keptAt = context.parts.clock.now().getTime();
  }

  /** Contract: throws LimitReached when nothing is left for another one. */
  static async begin(asked: CountedRequest, context: ToolCallContext): Promise<HeardAnswer> {
    const count = new TurnCount(asked, context.parts.model);
    const maxOutputTokens = await context.budget.reserveTurn(count);
    return new HeardAnswer(count, maxOutputTokens, context);
  }

  get message(): ModelMessage {
    return this.#message;
  }

  get keepsake(): Keepsake | undefined {
    return this.#keepsake;
  }

  /** Whether there is anything that has to be paid for. */
  get hasBegun(): boolean {
    return this.#count.hasBegun;
  }

  /** Who answers now. Contract: before anything was heard. */
  askOf(model: string): void {
    this.#count.askOf(model);
  }

  /** Nothing was heard, and it is asked for once more. */
  askAgain(): void {
    this.#count.askAgain();
  }

  /** It failed before it did anything. */
  useNothing(): void {
    this.#count.useNothing();
  }

  /** Counted also when nobody wants to hear it any more. */
  async hear(event: SaidEvent, signal: AbortSignal): Promise<void> {
    this.#count.hear(event);
    signal.throwIfAborted();
    const { max_turn_bytes: limit } = this.#context.parts.settings;
    if (this.#count.bytes > limit) throw limitReached('runs.max_turn_bytes', limit);
    this.#take(event);
    if (this.#isKeepingDue()) await this.#keep();
  }

  /** What is to be recorded of it. Contract: `undefined` when there is nothing to note. */
  complete(): EntryDraft | undefined {
    this.#settle();
    return this.#draft(this.#message);
  }

  /** What was heard is journaled as that. Contract: does nothing to one that is over. */
  async breakOff(): Promise<void> {
    if (this.#isOver) return;
    this.#settle();
    const draft = this.#draft({ ...this.#message, toolCalls: [], isPartial: true });
    if (draft === undefined) return;
    await record([draft], this.#context.parts.journal);
  }

  #settle(): void {
    this.#isOver = true;
    const { usage } = this.#count;
    if (usage !== undefined) this.#message.usage = usage;
    this.#context.budget.settleTurn(usage);
  }

  #draft(message: ModelMessage): EntryDraft | undefined {
    if (message.text === '' && message.toolCalls.length === 0) return undefined;
    return draftOf(this.#context.run, { kind: 'model.message', actor: ACTORS.agent, message });
  }

  #take(event: SaidEvent): void {
    const { parts, stream } = this.#context;
    switch (event.kind) {
      case 'text': {
        const text = event.text.toWellFormed();
        this.#message.text += text;
        stream.speak(text);
        return;
      }
      case 'reasoning':
        // Shown and not kept: nothing may rest on what was only thought.
        stream.think(event.text.toWellFormed());
        return;
      case 'keepsake':
        this.#keepsake = event.keepsake;
        return;
      case 'lost':
      case 'usage':
        return;
      case 'tool-call': {
        const callId = parts.ids.next<'call'>();
        const tool = event.tool.toWellFormed();
        const argumentsJson = event.argumentsJson.toWellFormed();
        this.#message.toolCalls.push(
          create(ToolCallRequestSchema, { callId, tool, argumentsJson }),
        );
      }
    }
  }

  #isKeepingDue(): boolean {
    const waiting = this.#message.text.length - this.#kept;
    if (waiting === 0) return false;
    const now = this.#context.parts.clock.now().getTime();
    return waiting >= KEEP_AFTER_BYTES || now - this.#keptAt >= KEEP_AFTER_MS;
  }

  async #keep(): Promise<void> {
    const { run, parts } = this.#context;
    const text = this.#message.text.slice(this.#kept);
    this.#kept = this.#message.text.length;
    this.#keptAt = parts.clock.now().getTime();
    await record([spokenPiece(run, text, this.#count.usage)], parts.journal);
  }
}
