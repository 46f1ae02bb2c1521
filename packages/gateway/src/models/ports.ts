import type { ModelRequest, SaidEvent } from './model-port.ts';

/** What people ask about models, beside having them answer. */
export interface ModelDesk {
  /** Every model that is configured, the default first. Contract: at hand; nobody is asked for it. */
  list(): readonly ModelStanding[];
  /**
   * Names of models that the provider of the default says it has.
   * Contract: rejects with MODEL_FAILED, or the signal's reason.
   */
  offered(signal: AbortSignal): Promise<readonly string[]>;
  /**
   * Asks just this one, just once; empty for the default.
   * Contract: as `reply`; throws NOT_FOUND for a name that is not in the list.
   */
  ask(name: string, request: ModelRequest, signal: AbortSignal): AsyncIterable<SaidEvent>;
}

export interface ModelStanding {
  readonly name: string;
  readonly provider: string;
  /** Empty where its provider has one only. */
  readonly api: '' | 'chat' | 'responses';
  /** Empty for the script. */
  readonly baseUrl: string;
  readonly isDefault: boolean;
  readonly isScript: boolean;
  /** Whether a run may ask for it. */
  readonly isChoice: boolean;
  /** From 1; 0 for what is not in the order of failover. */
  readonly failoverRank: number;
  readonly breaker: 'closed' | 'open' | 'half-open';
  /** Absent unless the breaker is open. */
  readonly askedAgainAt?: Date;
  /** US dollars for a million tokens; absent where none are configured. */
  readonly prices?: { readonly input: number; readonly output: number };
  /** In words; empty where there is to be no key. Never the key. */
  readonly keySource: string;
  readonly hasKey: boolean;
}
