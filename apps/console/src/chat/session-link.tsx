import { Link } from '@tanstack/react-router';
import { Archive, GitBranch } from 'lucide-react';
import type { Session } from '@palyra/protocol';
import { When, classes } from '@palyra/ui';
import { SessionMenu } from './session-menu.tsx';
import { titleOf } from './session-title.ts';

export interface SessionLinkProps {
  readonly session: Session;
  readonly isChosen: boolean;
}

export function SessionLink({ session, isChosen }: SessionLinkProps) {
  const { sessionId, changedAt, archivedAt, branchedFromRunId } = session;
  const title = titleOf(session);
  return (
    <div
      className={classes(
        'group flex items-center rounded-lg',
        isChosen ? 'bg-accent-tint text-accent' : 'hover:bg-raised',
      )}
    >
      <Link
        to="/chat/$sessionId"
        params={{ sessionId }}
        data-list-item
        aria-current={isChosen ? 'page' : undefined}
        className="min-w-0 flex-1 rounded-lg py-2 pl-3"
      >
        <span title={title} className="block truncate text-sm font-medium">
          {title}
        </span>
        <span className={classes('flex items-center gap-1.5 text-xs', isChosen ? '' : 'text-soft')}>
          {branchedFromRunId === '' ? null : <GitBranch size={12} aria-label="A branch" />}
          {archivedAt === '' ? null : <Archive size={12} aria-label="Archived" />}
          <When at={changedAt} />
        </span>
      </Link>
      <SessionMenu session={session} />
    </div>
  );
}
