import { PalyraError, type RunId, type SessionId, parseId, quote } from '@palyra/kernel';
import { RunStatus, type Session } from '@palyra/protocol';
import type { Actor } from '../identity/caller.ts';
import type { PolicyPort, RunsPort, Toucher, WorkspacePort } from '../ports.ts';
import { MayTouch } from '../run/may-touch.ts';
import type { SessionQuery, SessionsPort } from './ports.ts';

export interface BranchSession {
  readonly runId: RunId;
  /** Empty: called after the session that it comes from. */
  readonly title: string;
}

export interface SessionWish {
  /** Empty: called after its first prompt. */
  readonly title: string;
  /** Empty: the gateway's own. */
  readonly workspace: string;
}

export interface SessionParts {
  readonly sessions: SessionsPort;
  readonly runs: RunsPort;
  readonly policy: PolicyPort;
  readonly workspace: WorkspacePort;
  /** A run in it is active, or waits. */
  readonly isBusy: (sessionId: SessionId) => boolean;
}

/** Who changes a session, and for whom that is on record. */
type Changer = Actor & Toucher;

/** Conversations as people keep them; whose they may see and change is as with runs. */
export class SessionFlows {
  readonly #sessions: SessionsPort;
  readonly #runs: RunsPort;
  readonly #mayTouch: MayTouch;
  readonly #workspace: WorkspacePort;
  readonly #isBusy: SessionParts['isBusy'];

  constructor({ sessions, runs, policy, workspace, isBusy }: SessionParts) {
    this.#sessions = sessions;
    this.#runs = runs;
    this.#mayTouch = new MayTouch(policy);
    this.#workspace = workspace;
    this.#isBusy = isBusy;
  }

  /** Those that the caller sees. */
  async list(query: Omit<SessionQuery, 'principal'>, caller: Toucher): Promise<readonly Session[]> {
    return await this.#mayTouch.list(query.limit, caller, async ({ after, ...part }) =>
      after === undefined
        ? await this.#sessions.list({ ...query, ...part })
        : await this.#sessions.list({ ...query, ...part, before: idOf(after) }),
    );
  }

  async get(sessionId: SessionId, caller: Toucher): Promise<Session> {
    const session = await this.#find(sessionId);
    await this.#mayTouch.check(session, 'work.see', caller);
    return session;
  }

  async create(wish: SessionWish, asker: Changer): Promise<Session> {
    const { principal, actor } = asker;
    const workspace = this.#workspace.choose(wish.workspace);
    await this.#mayTouch.open(workspace, asker);
    return await this.#sessions.create({ title: wish.title, principal, workspace }, actor);
  }

  async rename(sessionId: SessionId, title: string, asker: Changer): Promise<Session> {
    await this.#mayTouch.check(await this.#find(sessionId), 'work.speak', asker);
    return await this.#sessions.rename(sessionId, title, asker.actor);
  }

  /** Contract: rejects with SESSION_BUSY while a run in it is active or waits: that would go on in it. */
  async archive(sessionId: SessionId, asker: Changer): Promise<Session> {
    await this.#mayTouch.check(await this.#find(sessionId), 'work.speak', asker);
    if (this.#isBusy(sessionId)) {
      throw new PalyraError(
        'SESSION_BUSY',
        `a run in session ${quote(sessionId)} is active or waits`,
        {
          help: `wait for its end, or stop it with \`palyra runs cancel RUN\`; \`palyra runs list --session ${sessionId}\` has its runs`,
        },
      );
    }
    return await this.#sessions.archive(sessionId, asker.actor);
  }

  async restore(sessionId: SessionId, asker: Changer): Promise<Session> {
    await this.#mayTouch.check(await this.#find(sessionId), 'work.speak', asker);
    return await this.#sessions.restore(sessionId, asker.actor);
  }

  /** Contract: rejects with SESSION_BUSY while the run goes on: it has no end yet to remember. */
  async branch({ runId, title }: BranchSession, asker: Changer): Promise<Session> {
    const run = await this.#runs.get(runId);
    if (run === undefined) throw new PalyraError('NOT_FOUND', `there is no run ${quote(runId)}`);
    await this.#mayTouch.check(run, 'work.speak', asker);
    if (run.status === RunStatus.ACTIVE || run.status === RunStatus.QUEUED) {
      throw new PalyraError('SESSION_BUSY', `run ${quote(runId)} has not ended yet`);
    }
    const originId = parseId<'session'>(run.sessionId);
    const origin = originId === undefined ? undefined : await this.#sessions.find(originId);
    if (origin !== undefined) await this.#mayTouch.check(origin, 'work.speak', asker);
    const { principal, actor } = asker;
    const named = title.trim() || (origin?.title ?? '');
    // What it remembers was done there.
    const workspace = this.#workspace.choose(origin?.workspace ?? '');
    await this.#mayTouch.open(workspace, asker);
    return await this.#sessions.create(
      { title: named, principal, workspace, branchedFromRunId: runId },
      actor,
    );
  }

  async #find(sessionId: SessionId): Promise<Session> {
    const session = await this.#sessions.find(sessionId);
    if (session !== undefined) return session;
    throw new PalyraError('NOT_FOUND', `there is no session ${quote(sessionId)}`, {
      help: '`palyra sessions list` shows those that there are',
    });
  }
}

function idOf(session: Session): SessionId {
  const sessionId = parseId<'session'>(session.sessionId);
  if (sessionId !== undefined) return sessionId;
  throw new PalyraError('JOURNAL_CORRUPT', 'a session has no valid id');
}
