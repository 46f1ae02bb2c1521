export {
  type BeginRun,
  type SessionDraft,
  type SessionParts,
  type SessionQuery,
  type Sessions,
  createSessions,
} from './sessions.ts';
