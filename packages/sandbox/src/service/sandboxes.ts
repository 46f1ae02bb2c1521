import type { Bytes, JsonObject } from '@palyra/kernel';
import type { Ending, Limits, SandboxRequest } from '../model.ts';
import type { TellStep } from '../proof/verdict-desk.ts';
import type { Verdict } from '../proof/verdict.ts';
import type { StreamName } from '../capture.ts';

/** Sandboxes as the daemon knows them: a process beside it makes them, and this speaks to that. */
export interface Sandboxes extends AsyncDisposable {
  /** Contract: never rejects; an ending that nobody saw is a fault in it. */
  run(request: SandboxRequest, watch: RunWatch): Promise<Ending>;
  /**
   * Such a request may come soon: what it would run in is made ready meanwhile, if there is room.
   * Contract: never throws, promises nothing, and no command is started.
   */
  expect(request: ExpectedRequest): void;
  /** What `run` would do now. Contract: starts nothing; rejects with what `run` would refuse for. */
  explain(request: SandboxRequest): Promise<Explanation>;
  /** Tries everything hostile now, in real sandboxes. Contract: rejects only when nobody could try. */
  prove(onStep?: TellStep): Promise<Verdict>;
  /** The kept verdict for this machine as it is now, or a new one. */
  verdict(): Promise<Verdict>;
  /** How much is under way. Contract: starts nothing. */
  load(): Promise<SandboxLoad>;
}

/** All that what a command runs in depends on; none of its words. */
export type ExpectedRequest = Pick<
  SandboxRequest,
  'tier' | 'workspace' | 'egress' | 'limits' | 'principal' | 'session' | 'policySetHash'
>;

export interface SandboxLoad {
  /** Ready made, for the next commands. */
  readonly warm: number;
  /** Commands that run, and that wait for a place. */
  readonly busy: number;
  readonly waiting: number;
}

/** Whoever keeps the secrets. Contract: rejects for one that there is not, or that may not be used. */
export interface SecretPort {
  reveal(name: string): Promise<string>;
}

export interface RunWatch {
  readonly signal: AbortSignal;
  /** What follows the request's own input; the next piece is asked for when the last was taken. */
  readonly input?: AsyncIterable<Bytes>;
  readonly onOutput: (stream: StreamName, bytes: Uint8Array<ArrayBuffer>) => void;
  /** Each connection through the proxy when it has ended, as the journal keeps it. */
  readonly onConnection: (record: JsonObject) => void;
  /** Whether one may be made, asked before it is dialled. Contract: doubt is a no; one that rejects is one. */
  readonly mayConnect: (to: Connecting) => Promise<boolean>;
}

/** Whom a connection would go to, once the name was looked up. */
export interface Connecting {
  readonly host: string;
  readonly port: number;
  /** All that may be dialled for it. */
  readonly addresses: readonly string[];
}

/** A plan, in words, before anything runs. */
export interface Explanation {
  readonly executor: string;
  /** SHA-256, in hex, of the plan: what is approved is what runs. */
  readonly planHash: string;
  readonly options: readonly string[];
  readonly guarded: readonly { readonly path: string; readonly how: string }[];
  readonly filterHash: string;
  readonly limits: Limits;
  /** Entries in their one spelling. */
  readonly hosts: readonly string[];
  readonly weaknesses: readonly string[];
}
