import type { JsonObject } from '@palyra/kernel';
import type { ModelFailure } from './failure.ts';
import type { ModelEvent, ModelRequest } from './model-port.ts';
import type { ToolOf } from './names.ts';
import type { TokenCounts } from './price.ts';

/** How one provider's API is spoken. A folder each; pure but for the reader's own memory. */
export interface Wire {
  /** Contract: throws a ModelFailure for what the provider cannot be told. */
  post(request: ModelRequest, to: Addressee): WirePost;
  /** The header that proves who is asking. */
  keyHeader(key: string): Readonly<Record<string, string>>;
  reader(toolOf: ToolOf): WireReader;
}

export interface Addressee {
  readonly model: string;
  readonly baseUrl: URL;
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
  read(event: unknown, name: string): readonly ModelEvent[];
  /** Asked once, when the stream has ended. */
  end(): WireEnding;
}

export interface WireEnding {
  /** Absent when the provider has not counted. */
  readonly counts?: TokenCounts;
  /** Contract: complete calls of a complete turn; none when there is a failure. */
  readonly toolCalls: readonly ModelEvent[];
  readonly failure?: ModelFailure;
}
