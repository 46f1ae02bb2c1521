import { PalyraError, type RunId, type SessionId, parseId, quote } from '@palyra/kernel';
import { RunStatus, type Session } from '@palyra/protocol';
import type { Actor } from '../identity/caller.ts';
import type { RunsPort } from '../ports.ts';
import { type Toucher, checkIsOwn, checkMaySee, sightOf } from '../run/may-touch.ts';
import type { SessionQuery, SessionsPort } from './ports.ts';

export interface BranchSession {
  readonly runId: RunId;
  /** Empty: called after the session that it comes from. */
  readonly title: string;
}

/** Conversations as people keep them; whose they may see and change is as with runs. */
export class SessionFlows {
  readonly #sessions: SessionsPort;
  readonly #runs: RunsPort;

  constructor({ sessions, runs }: { readonly sessions: SessionsPort; readonly runs: RunsPort }) {
    this.#sessions = sessions;
    this.#runs = runs;
  }

  /** Those that the caller sees. */
  async list(query: Omit<SessionQuery, 'principal'>, caller: Toucher): Promise<readonly Session[]> {
    return await this.#sessions.list({ ...query, ...sightOf(caller) });
  }

  async get(sessionId: SessionId, caller: Toucher): Promise<Session> {
    const session = await this.#find(sessionId);
    checkMaySee(session, caller);
    return session;
  }

  async create(title: string, { principal, actor }: Actor): Promise<Session> {
    return await this.#sessions.create({ title, principal }, actor);
  }

  async rename(sessionId: SessionId, title: string, asker: Actor): Promise<Session> {
    checkIsOwn(await this.#find(sessionId), asker);
    return await this.#sessions.rename(sessionId, title, asker.actor);
  }

  async archive(sessionId: SessionId, asker: Actor): Promise<Session> {
    checkIsOwn(await this.#find(sessionId), asker);
    return await this.#sessions.archive(sessionId, asker.actor);
  }

  async restore(sessionId: SessionId, asker: Actor): Promise<Session> {
    checkIsOwn(await this.#find(sessionId), asker);
    return await this.#sessions.restore(sessionId, asker.actor);
  }

  /** Contract: rejects with SESSION_BUSY while the run goes on: it has no end yet to remember. */
  async branch({ runId, title }: BranchSession, asker: Actor): Promise<Session> {
    const run = await this.#runs.get(runId);
    if (run === undefined) throw new PalyraError('NOT_FOUND', `there is no run ${quote(runId)}`);
    checkIsOwn(run, asker);
    if (run.status === RunStatus.ACTIVE || run.status === RunStatus.QUEUED) {
      throw new PalyraError('SESSION_BUSY', `run ${quote(runId)} has not ended yet`);
    }
    const originId = parseId<'session'>(run.sessionId);
    const origin = originId === undefined ? undefined : await this.#sessions.find(originId);
    if (origin !== undefined) checkIsOwn(origin, asker);
    const { principal, actor } = asker;
    const named = title.trim() || (origin?.title ?? '');
    return await this.#sessions.create(
      { title: named, principal, branchedFromRunId: runId },
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
