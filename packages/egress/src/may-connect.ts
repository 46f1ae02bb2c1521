/** Whom a connection would go to, once the name was looked up. */
export interface Connecting {
  /** In its one spelling, without brackets. */
  readonly host: string;
  readonly port: number;
  /** All that may be dialled for it. */
  readonly addresses: readonly [string, ...string[]];
}

/**
 * Whether the rules of the gateway let a call connect there, asked for each connection before it is dialled.
 * An allowlist has been asked before, so it can only take away. Contract: doubt is a no; one that rejects refuses.
 */
export type MayConnect = (to: Connecting) => Promise<boolean>;
