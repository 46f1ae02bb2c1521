import type { Bytes, JsonObject } from '@palyra/kernel';

export interface ModelPort {
  readonly name: string;
  /** True for the embedded script, which must never be taken for a language model. */
  readonly isScript: boolean;
  /** Which model a run gets that asks for this one; empty asks for the default. Contract: pure. */
  choose(name: string): ModelChoice;
  /**
   * One turn of the model. Contract: the end of the iteration is the end of the turn; it throws
   * MODEL_FAILED when the model fails, and the signal's reason as soon as that is aborted. Nobody is
   * asked again before the listener wants to hear more.
   */
  reply(request: ModelRequest, signal: AbortSignal): AsyncIterable<ModelEvent>;
  /**
   * What so many tokens cost, in millionths of a US dollar; for when the provider does not tell how
   * many there were. Contract: pure; where several models may have answered, the dearest of them
   * counts; absent where none of them has a price.
   */
  price(tokens: PricedTokens): number | undefined;
}

export interface PricedTokens {
  /** As `choose` has given it. Absent: the default. */
  readonly model?: string;
  readonly inputTokens: number;
  readonly outputTokens: number;
}

export type ModelChoice =
  /** The full name, which `choose` gives back as it is. */
  | { readonly kind: 'chosen'; readonly name: string }
  | { readonly kind: 'unknown'; readonly choices: readonly string[] };

export interface ModelRequest {
  /** As `choose` has given it. Absent: the default. */
  readonly model?: string;
  readonly system: string;
  readonly conversation: readonly Turn[];
  readonly tools: readonly ToolSpec[];
  /**
   * The least of this and what the model's own settings say holds. Read anew before each attempt: one
   * that broke off has used up some.
   */
  readonly maxOutputTokens: number;
}

/** A tool as the model sees it. */
export interface ToolSpec {
  readonly name: string;
  readonly says: string;
  /** JSON Schema of the arguments. */
  readonly schema: JsonObject;
}

export type ModelEvent = SaidEvent | AskedAgain | NothingUsed;

export type SaidEvent =
  | { readonly kind: 'text'; readonly text: string }
  /** What it thinks aloud; it is no part of the answer. */
  | { readonly kind: 'reasoning'; readonly text: string }
  /** Said once a turn at most, before its tool calls. */
  | { readonly kind: 'keepsake'; readonly keepsake: Keepsake }
  | ModelUsage
  | { readonly kind: 'tool-call'; readonly tool: string; readonly argumentsJson: string }
  /** Bytes of calls that never became any, because the answer failed: told nobody, and to be paid for. */
  | { readonly kind: 'lost'; readonly bytes: number };

/**
 * The model failed and is asked anew, or another one is: what was said of this turn so far counts for
 * nothing. INVARIANT: never said once a tool call was.
 */
export interface AskedAgain {
  readonly kind: 'asked-again';
  /** The one that is asked now. */
  readonly model: string;
  /** How long it is left alone before that. */
  readonly waitMs: number;
  readonly why: string;
}

/**
 * The provider answered with nothing but an error, or was never reached: there is nothing to be paid
 * for. Said right before the model fails or is asked again, and never once an answer of the same attempt began.
 */
export interface NothingUsed {
  readonly kind: 'nothing-used';
}

export interface ModelUsage {
  readonly kind: 'usage';
  readonly inputTokens: number;
  readonly outputTokens: number;
  /** As much of the input as the provider had in its cache. */
  readonly cachedTokens: number;
  /** Absent where no prices are configured. */
  readonly costMicroUsd?: number;
}

export type Turn =
  | { readonly role: 'user'; readonly text: string; readonly images?: readonly ModelImage[] }
  | {
      readonly role: 'model';
      readonly text: string;
      readonly toolCalls: readonly ModelToolCall[];
      readonly keepsake?: Keepsake;
    }
  | { readonly role: 'tool'; readonly callId: string; readonly text: string };

export interface ModelImage {
  readonly mediaType: string;
  readonly bytes: Bytes;
}

/**
 * What a provider wants back with a turn of its model: thoughts that it signed or sealed. Only the
 * model reads it; it lives as long as the run and is never recorded, and a turn without is a turn.
 */
export interface Keepsake {
  readonly from: string;
  readonly items: readonly JsonObject[];
}

export interface ModelToolCall {
  readonly callId: string;
  readonly tool: string;
  readonly argumentsJson: string;
}
