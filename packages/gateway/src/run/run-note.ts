import { type MessageShape, toJson } from '@bufbuild/protobuf';
import {
  type EntryDraft,
  JOURNAL_KINDS,
  type JournalKind,
  PalyraError,
  type RunId,
  type SessionId,
  isJsonObject,
} from '@palyra/kernel';

export interface RunIdentity {
  readonly runId: RunId;
  readonly sessionId: SessionId;
}

/** A run on behalf of somebody: the one whose rights its tool calls have. */
export interface PrincipalRun extends RunIdentity {
  readonly principal: string;
}

/** The same with what it was asked for through. */
export interface AskedRun extends PrincipalRun {
  /** The door through which it was asked for. */
  readonly channel: string;
  /** The device through which it was asked for; empty for a token. */
  readonly deviceId: string;
  /** The model that answers in it, by its full name. */
  readonly model: string;
  /** The folder that its calls work in. */
  readonly workspace: string;
}

/** Who an entry is about. A person is named with what they act through (`Actor`). */
export const ACTORS = { agent: 'agent', gateway: 'gateway' } as const;

/** One thing worth remembering about a run, in the shape that its kind demands. */
export interface Note<Kind extends JournalKind = JournalKind> {
  readonly kind: Kind;
  readonly actor: string;
  readonly message: MessageShape<(typeof JOURNAL_KINDS)[Kind]>;
}

export function draftOf<Kind extends JournalKind>(run: RunIdentity, note: Note<Kind>): EntryDraft {
  const payload = toJson(JOURNAL_KINDS[note.kind], note.message);
  if (!isJsonObject(payload)) throw new PalyraError('UNEXPECTED', 'a payload is not an object');
  return {
    kind: note.kind,
    actor: note.actor,
    runId: run.runId,
    sessionId: run.sessionId,
    payload,
  };
}
