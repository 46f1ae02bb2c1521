import { PalyraError, type RunId, type SessionId, parseId, quote } from '@palyra/kernel';
import { RunStatus, type Session } from '@palyra/protocol';
import type { Actor } from '../identity/caller.ts';
import type { RunsPort } from '../ports.ts';
import type { SessionQuery, SessionsPort } from './ports.ts';

export interface BranchSession {
  readonly runId: RunId;
  /** Empty: called after the session that it comes from. */
  readonly title: string;
}

/** Conversations as people keep them. Whoever may use sessions sees all of them, as they see all runs. */
export class SessionFlows {
  readonly #sessions: SessionsPort;
  readonly #runs: RunsPort;

  constructor({ sessions, runs }: { readonly sessions: SessionsPort; readonly runs: RunsPort }) {
    this.#sessions = sessions;
    this.#runs = runs;
  }

  async list(query: SessionQuery): Promise<readonly Session[]> {
    return await this.#sessions.list(query);
  }

  async get(sessionId: SessionId): Promise<Session> {
    const session = await this.#sessions.find(sessionId);
    if (session !== undefined) return session;
    throw new PalyraError('NOT_FOUND', `there is no session ${quote(sessionId)}`, {
      help: '`palyra sessions list` shows those that there are',
    });
  }

  async create(title: string, { principal, actor }: Actor): Promise<Session> {
    return await this.#sessions.create({ title, principal }, actor);
  }

  async rename(sessionId: SessionId, title: string, { actor }: Actor): Promise<Session> {
    return await this.#sessions.rename(sessionId, title, actor);
  }

  async archive(sessionId: SessionId, { actor }: Actor): Promise<Session> {
    return await this.#sessions.archive(sessionId, actor);
  }

  async restore(sessionId: SessionId, { actor }: Actor): Promise<Session> {
    return await this.#sessions.restore(sessionId, actor);
  }

  /** Contract: rejects with SESSION_BUSY while the run goes on: it has no end yet to remember. */
  async branch({ runId, title }: BranchSession, { principal, actor }: Actor): Promise<Session> {
    const run = await this.#runs.get(runId);
    if (run === undefined) throw new PalyraError('NOT_FOUND', `there is no run ${quote(runId)}`);
    if (run.status === RunStatus.ACTIVE || run.status === RunStatus.QUEUED) {
      throw new PalyraError('SESSION_BUSY', `run ${quote(runId)} has not ended yet`);
    }
    const originId = parseId<'session'>(run.sessionId);
    const origin = originId === undefined ? undefined : await this.#sessions.find(originId);
    const named = title.trim() || (origin?.title ?? '');
    return await this.#sessions.create(
      { title: named, principal, branchedFromRunId: runId },
      actor,
    );
  }
}
