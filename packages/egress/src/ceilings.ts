/** What one sandbox may use of the proxy. Whatever is reached, only that sandbox feels it. */
export interface Ceilings {
  /** At once. More are closed as they come. */
  readonly connections: number;
  /** In its whole life, which bounds what it can write to the journal. */
  readonly connectionsTotal: number;
  /** The head of a request, and of an answer. */
  readonly headBytes: number;
  readonly headerFields: number;
  readonly helloBytes: number;
  /** From the first moment to a complete head, hello or handshake, each. */
  readonly helloMs: number;
  /** To find the address and to reach it, together. */
  readonly dialMs: number;
  readonly idleMs: number;
  /** Of all connections together. */
  readonly bytesUp: number;
  readonly bytesDown: number;
}

const KIB = 1024;
const GIB = KIB ** 3;

export const DEFAULT_CEILINGS: Ceilings = {
  connections: 128,
  connectionsTotal: 10_000,
  headBytes: 32 * KIB,
  headerFields: 128,
  helloBytes: 64 * KIB,
  helloMs: 10_000,
  dialMs: 10_000,
  idleMs: 120_000,
  bytesUp: GIB,
  bytesDown: 4 * GIB,
};
