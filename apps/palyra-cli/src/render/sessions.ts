import type { Session } from '@palyra/protocol';
import type { Terminal } from '../terminal.ts';
import { type Field, printFields, printTable } from './layout.ts';
import { inline, inlineWithoutSecrets, shortTime } from './words.ts';

export function printSessions(terminal: Terminal, sessions: readonly Session[]): void {
  const rows = sessions.map((session) => [
    inline(session.sessionId),
    shortTime(session.changedAt).slice(0, -3),
    session.archivedAt === '' ? '' : 'archived',
    titleOf(session),
  ]);
  printTable(terminal, ['session', 'last used (UTC)', '', 'title'], rows);
}

export function printSession(terminal: Terminal, session: Session): void {
  terminal.print(`${terminal.paint('strong', `session ${inline(session.sessionId)}`)}\n`);
  const { branchedFromRunId, archivedAt, workspace } = session;
  const branched: readonly Field[] =
    branchedFromRunId === '' ? [] : [['remembers', `up to run ${inline(branchedFromRunId)}`]];
  const archived: readonly Field[] =
    archivedAt === '' ? [] : [['archived', `${shortTime(archivedAt)} UTC`]];
  const worksIn: readonly Field[] = workspace === '' ? [] : [['works in', inline(workspace)]];
  printFields(terminal, [
    ['title', titleOf(session)],
    ['by', inline(session.principal)],
    ['made', `${shortTime(session.createdAt)} UTC`],
    ['last used', `${shortTime(session.changedAt)} UTC`],
    ...worksIn,
    ...branched,
    ...archived,
  ]);
}

function titleOf({ title }: Session): string {
  return title === '' ? '(called after its first prompt)' : inlineWithoutSecrets(title);
}
