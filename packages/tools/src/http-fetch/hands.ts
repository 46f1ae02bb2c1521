import type { Duplex } from 'node:stream';

/** All that a fetch can touch. */
export interface FetchHands {
  readonly web: WebPort;
  readonly readableText: ReadableText;
  readonly limits: FetchLimits;
}

export interface FetchLimits {
  /** Of one answer, after it was decompressed. */
  readonly maxBytes: number;
  /** Of the whole call. */
  readonly timeoutMs: number;
}

/** The one way to a host, which checks where it leads. */
export interface WebPort {
  /** Contract: rejects with a PalyraError for whom it may not or cannot reach; ends with the signal. */
  reach(to: WebTarget, signal: AbortSignal): Promise<WebConnection>;
}

export interface WebTarget {
  /** As it stands before a port: an IPv6 address is bracketed. */
  readonly host: string;
  readonly port: number;
  readonly scheme: 'http' | 'https';
  /** `GET /v1/users`, for the record. */
  readonly request: string;
}

export interface WebConnection {
  readonly stream: Duplex;
  /** Contract: called once, after the last byte that is wanted. */
  end(ending: 'fine' | 'malformed'): void;
}

/** What a page says, for one who cannot see it. Contract: rejects with a PalyraError when it takes too long or too much. */
export type ReadableText = (page: HtmlPage, signal: AbortSignal) => Promise<string>;

export interface HtmlPage {
  readonly html: string;
  /** Where links that start with `/` lead. */
  readonly origin: string;
}
