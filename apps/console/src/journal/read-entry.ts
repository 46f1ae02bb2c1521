import { create } from '@bufbuild/protobuf';
import { type JsonObject, isJsonObject } from '@palyra/kernel';
import { type JournalEntry, JournalEntrySchema } from '@palyra/protocol';

/**
 * What an entry says. The bytes stay what they are: what is verified is never read from here. Read by
 * hand, because a list reads many of them between two frames. Contract: throws for what is no entry.
 */
export function readEntry({ canonical }: { readonly canonical: Uint8Array }): JournalEntry {
  const fields: unknown = JSON.parse(new TextDecoder().decode(canonical));
  if (!isJsonObject(fields)) throw new TypeError('an entry is an object');
  const payload = fields['payload'];
  return create(JournalEntrySchema, {
    format: textOf(fields, 'format'),
    id: textOf(fields, 'id'),
    sequence: BigInt(textOf(fields, 'sequence')),
    time: textOf(fields, 'time'),
    kind: textOf(fields, 'kind'),
    actor: textOf(fields, 'actor'),
    runId: textOf(fields, 'runId'),
    sessionId: textOf(fields, 'sessionId'),
    payload: isJsonObject(payload) ? payload : {},
    previousHash: textOf(fields, 'previousHash'),
  });
}

/** Contract: empty where it is absent, as everywhere on the wire. */
function textOf(fields: JsonObject, name: string): string {
  const value = fields[name];
  return typeof value === 'string' ? value : '';
}
