import type { Server, Socket } from 'node:net';
import { getCACertificates } from 'node:tls';
import { type Clock, type Log, PalyraError } from '@palyra/kernel';
import { type Ceilings, DEFAULT_CEILINGS } from '../ceilings.ts';
import { type Dial, dialOnSystem } from '../dial.ts';
import type { HostRules } from '../host-rule.ts';
import { createSandboxAuthority, type SandboxAuthority } from '../interception/authority.ts';
import { type OnRecord, RecordDraft } from '../record.ts';
import { type Lookup, lookupOnSystem } from '../resolve.ts';
import type { BoundSecret, SecretPort } from '../secrets.ts';
import { serveConnection } from './connection.ts';
import { type EgressParts, Meter, type Running } from './sandbox-egress.ts';

/** What one sandbox may do. Kept as it is at the start: a later policy is for later sandboxes. */
export interface EgressOrder {
  /** Names the sandbox in its records. */
  readonly id: string;
  readonly rules: HostRules;
  readonly secrets?: readonly BoundSecret[];
  /** Where they are left out, DEFAULT_CEILINGS hold. */
  readonly ceilings?: Partial<Ceilings>;
  /** One for each connection when it has ended. Contract: does not throw. */
  readonly onRecord: OnRecord;
}

export interface ServeOptions {
  readonly clock: Clock;
  /** For faults of the proxy itself; what sandboxes do wrong is in the records. */
  readonly log: Log;
  /** Without one, no secret can be used. */
  readonly secretPort?: SecretPort;
  readonly lookup?: Lookup;
  readonly dial?: Dial;
  /** Authorities that upstream hosts are trusted by, as PEM; the system's unless given. */
  readonly trusted?: readonly string[];
}

/** The proxy of one sandbox while it runs. */
export interface ServedEgress extends AsyncDisposable {
  /** What the sandbox has to trust where requests are read inside TLS, as PEM. */
  authorityPem(): Promise<string | undefined>;
  totals(): EgressTotals;
  /** Ends the listener and every connection; their records have been made when it resolves. */
  close(): Promise<void>;
}

export interface EgressTotals {
  readonly connections: number;
  /** Closed as they came, because there were too many. */
  readonly dropped: number;
  readonly bytesUp: number;
  readonly bytesDown: number;
}

/** Contract: the server listens already, for this sandbox alone, with LISTENER_OPTIONS. */
export function serveEgress(
  server: Server,
  order: EgressOrder,
  options: ServeOptions,
): ServedEgress {
  const running = start(order, options);
  const { ceilings } = running.sandbox;
  const live = new Map<Socket, Promise<void>>();
  let connections = 0;
  let dropped = 0;

  const drop = (socket: Socket) => {
    socket.on('error', () => {}).resetAndDestroy();
    dropped += 1;
    // The first tells the journal; ten thousand of them would only fill it.
    if (dropped === 1) running.sandbox.onRecord(tooMany(running));
  };
  const accept = (socket: Socket) => {
    if (live.size >= ceilings.connections || connections >= ceilings.connectionsTotal) {
      return drop(socket);
    }
    connections += 1;
    live.set(
      socket,
      serveConnection(socket, running).finally(() => live.delete(socket)),
    );
  };
  const close = async () => {
    server.off('connection', accept);
    if (server.listening) server.close();
    const ended = [...live.values()];
    for (const socket of live.keys()) socket.destroy();
    await Promise.all(ended);
  };
  server.on('connection', accept);
  return {
    authorityPem: async () =>
      isAnythingRead(order) ? (await running.authority()).certificatePem : undefined,
    totals: () => ({ connections, dropped, ...bytesOf(running.meter) }),
    close,
    [Symbol.asyncDispose]: close,
  };
}

/** How a listener for `serveEgress` is made: a side that has said all may still listen. */
export const LISTENER_OPTIONS = { allowHalfOpen: true, noDelay: true } as const;

function start(order: EgressOrder, options: ServeOptions): Running {
  const parts: EgressParts = {
    clock: options.clock,
    log: options.log,
    lookup: oneAtATime(options.lookup ?? lookupOnSystem),
    dial: options.dial ?? dialOnSystem,
    secretPort: options.secretPort ?? NO_SECRETS,
    trusted: once(() => options.trusted ?? trustedBySystem()),
  };
  const sandbox = {
    id: order.id,
    rules: order.rules,
    secrets: order.secrets ?? [],
    ceilings: Object.freeze({ ...DEFAULT_CEILINGS, ...order.ceilings }),
    onRecord: order.onRecord,
  };
  const authority = once<Promise<SandboxAuthority>>(() => createSandboxAuthority(options.clock));
  return { ...parts, sandbox, authority, meter: new Meter() };
}

const NO_SECRETS: SecretPort = {
  reveal: () => Promise.reject(new PalyraError('NOT_FOUND', 'there are no secrets here')),
};

function isAnythingRead({ rules, secrets = [] }: EgressOrder): boolean {
  return secrets.length > 0 || rules.some(({ requests }) => requests !== undefined);
}

/** The system has two threads for lookups; a sandbox that keeps one waiting leaves the other. */
function oneAtATime(lookup: Lookup): Lookup {
  let turn: Promise<unknown> = Promise.resolve();
  return (name) => {
    const mine = turn.then(() => lookup(name));
    turn = mine.catch(() => {});
    return mine;
  };
}

/** A machine without a store of its own gets what Node brings. */
function trustedBySystem(): readonly string[] {
  const system = getCACertificates('system');
  return system.length > 0 ? system : getCACertificates('bundled');
}

function once<Value>(make: () => Value): () => Value {
  let made: { readonly value: Value } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}

function tooMany({ sandbox, clock }: Running) {
  const draft = new RecordDraft(sandbox.id, clock);
  draft.end('too-many-connections');
  return draft.close();
}

function bytesOf({ bytesUp, bytesDown }: Meter) {
  return { bytesUp, bytesDown };
}
