import type { DescMessage } from '@bufbuild/protobuf';
import {
  DaemonStartedSchema,
  DaemonStoppedSchema,
  ModelMessageSchema,
  RunEndedSchema,
  RunInterruptedSchema,
  RunResumedSchema,
  RunStartedSchema,
  ToolAttestationSchema,
  ToolDecisionSchema,
  ToolProposalSchema,
  ToolResultSchema,
  ToolStartedSchema,
} from '@palyra/protocol';
import { canonicalJson, type JsonObject } from './canonical-json.ts';
import type { EntryId, RunId, SessionId } from './ids.ts';
import type { Bytes } from './sha256.ts';

/** Which shape the payload of each kind of entry has. */
export const JOURNAL_KINDS = {
  'daemon.started': DaemonStartedSchema,
  'daemon.stopped': DaemonStoppedSchema,
  'run.started': RunStartedSchema,
  'run.resumed': RunResumedSchema,
  'run.interrupted': RunInterruptedSchema,
  'run.ended': RunEndedSchema,
  'model.message': ModelMessageSchema,
  'tool.proposed': ToolProposalSchema,
  'tool.decided': ToolDecisionSchema,
  'tool.started': ToolStartedSchema,
  'tool.finished': ToolResultSchema,
  'tool.attested': ToolAttestationSchema,
} as const satisfies Record<string, DescMessage>;

export type JournalKind = keyof typeof JOURNAL_KINDS;

export function isJournalKind(text: string): text is JournalKind {
  return Object.hasOwn(JOURNAL_KINDS, text);
}

/** What a caller wants written. The journal adds id, sequence, time and the link to the entry before. */
export interface EntryDraft {
  readonly kind: JournalKind;
  readonly actor: string;
  readonly runId?: RunId;
  readonly sessionId?: SessionId;
  /** The JSON form of the kind's message. */
  readonly payload: JsonObject;
}

/** An entry that is on disk. `canonical` is what was hashed; everything else was read from it. */
export interface SealedEntry extends EntryDraft {
  readonly id: EntryId;
  readonly sequence: number;
  readonly time: string;
  readonly previousHash: string;
  readonly hash: string;
  readonly canonical: Bytes;
}

export const ENTRY_FORMAT = 'palyra.journal.v1';
/** What the first entry names as the one before it. */
export const GENESIS_HASH = '0'.repeat(64);

const encoder = new TextEncoder();

/**
 * The bytes that are hashed: the RFC 8785 form of the entry's JSON.
 * Written out by hand, keys in canonical order, because every append pays for it;
 * the test compares it with `canonicalJson` of the whole.
 */
export function encodeEntry(entry: Omit<SealedEntry, 'hash' | 'canonical'>): Bytes {
  const run = entry.runId === undefined ? '' : `"runId":${canonicalJson(entry.runId)},`;
  const session =
    entry.sessionId === undefined ? '' : `"sessionId":${canonicalJson(entry.sessionId)},`;
  return encoder.encode(
    `{"actor":${canonicalJson(entry.actor)},"format":"${ENTRY_FORMAT}","id":"${entry.id}",` +
      `"kind":"${entry.kind}","payload":${canonicalJson(entry.payload)},` +
      `"previousHash":"${entry.previousHash}",${run}"sequence":"${entry.sequence}",` +
      `${session}"time":"${entry.time}"}`,
  );
}
