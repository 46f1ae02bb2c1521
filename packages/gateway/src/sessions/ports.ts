import type { EntryDraft, RunId, SealedEntry, SessionId } from '@palyra/kernel';
import type { Session } from '@palyra/protocol';

/** What is known of each conversation beside what was said in it, which the journal tells. */
export interface SessionsPort {
  find(sessionId: SessionId): Promise<Session | undefined>;
  /** Newest first. */
  list(query: SessionQuery): Promise<readonly Session[]>;
  create(draft: SessionDraft, actor: string): Promise<Session>;
  /**
   * Writes the entry with which a run begins, goes on or begins to wait, together with the session's record,
   * which is made when there is none. Contract: rejects with SESSION_ARCHIVED; nothing is written
   * then. Resolves with that entry among others.
   */
  begin(run: BegunRun, opening: EntryDraft): Promise<readonly SealedEntry[]>;
  /** Contract: rejects with NOT_FOUND, or INVALID_INPUT for what is no title. */
  rename(sessionId: SessionId, title: string, actor: string): Promise<Session>;
  /** Contract: these two reject with NOT_FOUND; one that is so already stays as it is. */
  archive(sessionId: SessionId, actor: string): Promise<Session>;
  restore(sessionId: SessionId, actor: string): Promise<Session>;
}

export interface SessionQuery {
  readonly limit: number;
  /** Only those that were made before this one. */
  readonly before?: SessionId;
  readonly archived: 'included' | 'left-out';
  /** Only those of this one. */
  readonly principal?: string;
}

export interface SessionDraft {
  /** Empty: called after its first prompt. */
  readonly title: string;
  readonly principal: string;
  /** The folder that its runs work in. */
  readonly workspace: string;
  /** It remembers everything up to the end of this run. */
  readonly branchedFromRunId?: RunId;
}

export interface BegunRun {
  readonly sessionId: SessionId;
  readonly principal: string;
  /** What a session without a title is called after. */
  readonly prompt: string;
  /** Where a session that is made for it works. */
  readonly workspace: string;
}
