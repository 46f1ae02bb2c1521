import type { SandboxRequest } from '@palyra/gateway';
import {
  type HostRules,
  REFUSALS,
  type ReachOutcome,
  type Refusal,
  type ServeOptions,
  reach,
} from '@palyra/egress';
import { PalyraError, quote } from '@palyra/kernel';
import type { WebPort, WebTarget } from '@palyra/tools';
import { connectingTo } from '../connecting.ts';
import { connectionOf } from '../sandbox-port/connection.ts';

export interface WebParts extends ServeOptions {
  readonly listed: HostRules;
}

/** The way out of sandboxes, for a call that the gateway carries out itself; each connection is told. */
export function webFor(request: SandboxRequest, parts: WebParts): WebPort {
  const { callId, mayConnect, onConnection } = request;
  return {
    reach: async (to, signal) => {
      const order = {
        ...to,
        id: callId,
        listed: parts.listed,
        mayConnect: (dialled: Parameters<typeof connectingTo>[0]) =>
          mayConnect(connectingTo(dialled, parts.listed)),
        onRecord: (record: Parameters<Parameters<typeof reach>[0]['onRecord']>[0]) =>
          onConnection(connectionOf(callId, { ...record, secrets: [...record.secrets] })),
      };
      const outcome = await reach(order, parts, signal);
      signal.throwIfAborted();
      return connected(outcome, to);
    },
  };
}

function connected(outcome: ReachOutcome, to: WebTarget) {
  if (outcome.kind === 'refused') throw refused(outcome.reason, to);
  return {
    stream: outcome.stream,
    end: (ending: 'fine' | 'malformed') =>
      outcome.end(ending === 'fine' ? undefined : 'upstream-malformed'),
  };
}

/** What only went wrong may go well another time. */
const MISHAPS: ReadonlySet<Refusal> = new Set([
  'host-unresolved',
  'upstream-unreachable',
  'upstream-untrusted',
  'handshake-failed',
  'fault',
]);

function refused(reason: Refusal, { host, port }: WebTarget): PalyraError {
  const code = MISHAPS.has(reason) ? 'TOOL_FAILED' : 'SANDBOX_EGRESS_DENIED';
  return new PalyraError(code, `${quote(`${host}:${port}`)}: ${REFUSALS[reason]}`, {
    help: HELP[reason] ?? 'look at another address',
  });
}

const LISTING = 'whoever runs the gateway can list the address in `http.private_addresses`';
const HELP: Readonly<Partial<Record<Refusal, string>>> = {
  'address-forbidden': LISTING,
  'address-not-listed': LISTING,
  'port-not-listed': LISTING,
  'rules-refuse':
    'the journal has it as `access.refused`; `palyra policy explain` with that entry tells why',
};
