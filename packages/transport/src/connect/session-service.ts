import type { ServiceImpl } from '@connectrpc/connect';
import type { SessionFlows } from '@palyra/gateway';
import type { SessionService } from '@palyra/protocol';
import { callerIn } from '../auth/context.ts';
import { optionalId, requireId, toCount } from './wire-words.ts';

const LIST_BOUNDS = { field: 'limit', whenZero: 50, most: 500 } as const;

export function sessionService(sessions: SessionFlows): ServiceImpl<typeof SessionService> {
  return {
    async createSession({ title, workspace }, { values }) {
      return { session: await sessions.create({ title, workspace }, callerIn(values)) };
    },
    async listSessions(request, { values }) {
      const limit = toCount(request.limit, LIST_BOUNDS);
      const before = optionalId<'session'>(request.beforeSessionId, 'before_session_id');
      const archived = request.withArchived ? 'included' : 'left-out';
      const query = { limit, archived } as const;
      const wanted = before === undefined ? query : { ...query, before };
      const found = await sessions.list(wanted, callerIn(values));
      return { sessions: [...found] };
    },
    async getSession({ sessionId }, { values }) {
      const id = requireId<'session'>(sessionId, 'session_id');
      return { session: await sessions.get(id, callerIn(values)) };
    },
    async renameSession({ sessionId, title }, { values }) {
      const id = requireId<'session'>(sessionId, 'session_id');
      return { session: await sessions.rename(id, title, callerIn(values)) };
    },
    async archiveSession({ sessionId, isArchived }, { values }) {
      const id = requireId<'session'>(sessionId, 'session_id');
      const caller = callerIn(values);
      const session = isArchived ? sessions.archive(id, caller) : sessions.restore(id, caller);
      return { session: await session };
    },
    async branchSession({ runId, title }, { values }) {
      const branch = { runId: requireId<'run'>(runId, 'run_id'), title };
      return { session: await sessions.branch(branch, callerIn(values)) };
    },
  };
}
