import { create } from '@bufbuild/protobuf';
import {
  type Clock,
  type EntryDraft,
  type Ids,
  PalyraError,
  type RunId,
  type SealedEntry,
  type SessionId,
  quote,
} from '@palyra/kernel';
import { type Session, SessionNoteSchema, SessionSchema } from '@palyra/protocol';
import { type RecordsPort, type Row, Table, jsonOf, retryOnConflict } from '@palyra/records';
import { checkTitle, titleFrom } from './title.ts';

/** What is known of each conversation beside what was said in it. */
export interface Sessions {
  find(sessionId: SessionId): Promise<Session | undefined>;
  /** Newest first. */
  list(query: SessionQuery): Promise<readonly Session[]>;
  create(draft: SessionDraft, actor: string): Promise<Session>;
  /**
   * Writes the entry with which a run begins or goes on together with the session's record, which is
   * made when there is none, and called after the prompt when it has no title.
   * Contract: rejects with SESSION_ARCHIVED; nothing is written then.
   */
  begin(run: BeginRun, opening: EntryDraft): Promise<readonly SealedEntry[]>;
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
  readonly branchedFromRunId?: RunId;
}

export interface BeginRun {
  readonly sessionId: SessionId;
  readonly principal: string;
  readonly prompt: string;
  /** Where a session that is made for it works. */
  readonly workspace: string;
}

export interface SessionParts {
  readonly records: RecordsPort;
  readonly clock: Clock;
  readonly ids: Ids;
}

export function createSessions({ records, clock, ids }: SessionParts): Sessions {
  const table = new Table(records, 'sessions', () => SessionSchema);
  const books: Books = { records, table, now: () => clock.now().toISOString() };
  return {
    find: async (sessionId) => (await table.get(sessionId))?.value,
    list: (query) => list(books, query),
    create: (draft, actor) => make(books, { ...draft, sessionId: ids.next<'session'>() }, actor),
    begin: (run, opening) => retryOnConflict(() => begin(books, run, opening)),
    rename: async (sessionId, title, actor) => {
      const named = checkTitle(title);
      if (named === '') throw new PalyraError('INVALID_INPUT', 'the title is empty');
      return await change(books, sessionId, {
        kind: 'session.renamed',
        actor,
        fields: { title: named },
      });
    },
    archive: (sessionId, actor) => {
      const fields = { archivedAt: books.now() };
      return change(books, sessionId, { kind: 'session.archived', actor, fields });
    },
    restore: (sessionId, actor) =>
      change(books, sessionId, { kind: 'session.restored', actor, fields: { archivedAt: '' } }),
  };
}

interface Books {
  readonly records: RecordsPort;
  readonly table: Table<typeof SessionSchema>;
  readonly now: () => string;
}

/** No id sorts after it. */
const AFTER_ALL = '~';
/** Read at once at least: of many, few may be wanted. */
const LEAST_PAGE = 100;

async function list({ table }: Books, query: SessionQuery): Promise<readonly Session[]> {
  const { limit, before, archived, principal } = query;
  const size = Math.max(limit, LEAST_PAGE);
  const isWanted = (session: Session) =>
    (archived === 'included' || session.archivedAt === '') &&
    (principal === undefined || session.principal === principal);
  const found: Session[] = [];
  let end: string = before ?? AFTER_ALL;
  for (;;) {
    const page = await table.before(end, size);
    found.push(...page.map(({ value }) => value).filter(isWanted));
    end = page.at(-1)?.id ?? '';
    if (found.length >= limit || page.length < size) return found.slice(0, limit);
  }
}

async function make(
  { records, table, now }: Books,
  draft: SessionDraft & { readonly sessionId: SessionId },
  actor: string,
): Promise<Session> {
  const session = newSession({ ...draft, title: checkTitle(draft.title) }, now());
  const kind = session.branchedFromRunId === '' ? 'session.created' : 'session.branched';
  await records.transact({
    writes: [table.put(session.sessionId, session, 0)],
    entries: [noteOf(kind, session, actor)],
  });
  return session;
}

async function begin(
  { records, table, now }: Books,
  { sessionId, principal, prompt, workspace }: BeginRun,
  opening: EntryDraft,
): Promise<readonly SealedEntry[]> {
  const row = await table.get(sessionId);
  if (row === undefined) {
    const title = titleFrom(prompt);
    const session = newSession({ sessionId, principal, workspace, title }, now());
    return await records.transact({
      writes: [table.put(sessionId, session, 0)],
      entries: [noteOf('session.created', session, opening.actor), opening],
    });
  }
  refuseArchived(row.value);
  const title = row.value.title || titleFrom(prompt);
  // One of before there were workspaces works where it goes on, from now on.
  const place = { workspace: row.value.workspace || workspace };
  const session = { ...row.value, ...place, title, changedAt: now() };
  const isNamed = title !== row.value.title;
  return await records.transact({
    writes: [table.put(sessionId, session, row.version)],
    entries: [...(isNamed ? [noteOf('session.renamed', session, opening.actor)] : []), opening],
  });
}

interface Change {
  readonly kind: 'session.renamed' | 'session.archived' | 'session.restored';
  readonly actor: string;
  readonly fields: Partial<Pick<Session, 'title' | 'archivedAt'>>;
}

async function change(
  { records, table, now }: Books,
  sessionId: SessionId,
  { kind, actor, fields }: Change,
): Promise<Session> {
  return await retryOnConflict(async () => {
    const row = await table.get(sessionId);
    if (row === undefined) throw unknown(sessionId);
    if (isSo(row, kind)) return row.value;
    const session = { ...row.value, ...fields, changedAt: now() };
    await records.transact({
      writes: [table.put(sessionId, session, row.version)],
      entries: [noteOf(kind, session, actor)],
    });
    return session;
  });
}

function isSo({ value }: Row<Session>, kind: Change['kind']): boolean {
  switch (kind) {
    case 'session.renamed':
      return false;
    case 'session.archived':
      return value.archivedAt !== '';
    case 'session.restored':
      return value.archivedAt === '';
  }
}

function newSession(draft: SessionDraft & { readonly sessionId: SessionId }, now: string): Session {
  const { branchedFromRunId = '', ...told } = draft;
  const times = { createdAt: now, changedAt: now };
  return create(SessionSchema, { ...told, branchedFromRunId, ...times });
}

function noteOf(
  kind: 'session.created' | 'session.branched' | Change['kind'],
  session: Session,
  actor: string,
): EntryDraft {
  const payload = jsonOf(SessionNoteSchema, create(SessionNoteSchema, { session }));
  return { kind, actor, payload };
}

function refuseArchived({ sessionId, archivedAt }: Session): void {
  if (archivedAt === '') return;
  throw new PalyraError('SESSION_ARCHIVED', `session ${quote(sessionId)} is archived`);
}

function unknown(sessionId: SessionId): PalyraError {
  return new PalyraError('NOT_FOUND', `there is no session ${quote(sessionId)}`, {
    help: '`palyra sessions list` shows those that there are',
  });
}
