import type { JsonObject } from '@palyra/kernel';
import type { ModelFailure } from './failure.ts';
import type { SaidEvent, ModelRequest } from './model-port.ts';
import type { ToolOf } from './names.ts';
import type { TokenCounts } from './price.ts';

/** How one provider's API is spoken. A folder each; pure but for the reader's own memory. */
export interface Wire {
  /** Contract: throws a ModelFailure for what the provider cannot be told. */
  post(request: ModelRequest, to: Addressee): WirePost;
  /** The header that proves who is asking. */
  keyHeader(key: string): Readonly<Record<string, string>>;
  reader(toolOf: ToolOf): WireReader;
  /** Where the provider tells which models it has. */
  readonly offered: WireList;
}

export interface WireList {
  /** Added to the base URL; may have a query. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Contract: empty for a document that is no such list. */
  names(document: unknown): readonly string[];
}

export interface Addressee {
  readonly model: string;
  readonly baseUrl: URL;
  readonly reasoning: Reasoning;
}

/** How much a model shall think. Each wire has a word or a number for it, or neither. */
export interface Reasoning {
  /** `default`: nothing is asked for. */
  readonly effort: 'default' | 'low' | 'medium' | 'high';
  /** For models that take a number instead of a word. */
  readonly tokens: number | undefined;
}

export interface WirePost {
  /** Added to the base URL; may have a query. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: JsonObject;
}

/** Reads one answer. */
export interface WireReader {
  /**
   * What one event of the stream says at once: text and reasoning.
   * Contract: throws a ModelFailure for an error in the stream.
   */
  read(event: unknown, name: string): readonly SaidEvent[];
  /** Asked once, when the stream has ended, in whatever way. */
  end(): WireEnding;
}

export interface WireEnding {
  /** Absent when the provider has not counted. */
  readonly counts?: TokenCounts;
  /** Contract: complete calls of a complete turn; none when there is a failure. */
  readonly toolCalls: readonly SaidEvent[];
  /** Of calls that a failure leaves untold; absent when none had begun. */
  readonly lostBytes?: number;
  /** Absent when there is nothing to give back. */
  readonly keepsake?: readonly JsonObject[];
  readonly failure?: ModelFailure;
}
