import { create } from '@bufbuild/protobuf';
import type { Json, JsonObject } from '@palyra/kernel';
import { type EgressConnection, EgressConnectionSchema } from '@palyra/protocol';

/** A record of the proxy as the journal keeps it; what it does not say is empty. */
export function connectionOf(callId: string, record: JsonObject): EgressConnection {
  const { secrets } = record;
  return create(EgressConnectionSchema, {
    callId,
    door: text(record['door']),
    host: text(record['host']),
    port: count(record['port']),
    address: text(record['address']),
    bytesUp: BigInt(count(record['bytesUp'])),
    bytesDown: BigInt(count(record['bytesDown'])),
    decision: text(record['decision']),
    rule: text(record['rule']),
    reason: text(record['reason']),
    request: text(record['request']),
    secrets: Array.isArray(secrets) ? secrets.filter((name) => typeof name === 'string') : [],
    startedAt: text(record['startedAt']),
    durationMs: count(record['durationMs']),
  });
}

function text(value: Json | undefined): string {
  return typeof value === 'string' ? value : '';
}

function count(value: Json | undefined): number {
  return typeof value === 'number' && Number.isSafeInteger(value) ? Math.max(0, value) : 0;
}
