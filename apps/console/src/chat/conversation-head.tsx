import { Link } from '@tanstack/react-router';
import { ArrowLeft, GitBranch } from 'lucide-react';
import type { Session } from '@palyra/protocol';
import { Badge } from '@palyra/ui';
import { titleOf } from './session-title.ts';
import { SessionMenu } from './session-menu.tsx';

export function ConversationHead({ session }: { readonly session: Session }) {
  const { archivedAt, branchedFromRunId } = session;
  const title = titleOf(session);
  return (
    <header className="flex min-h-12 items-center gap-2 border-b border-line px-4 py-1.5">
      <Link
        to="/chat"
        aria-label="Sessions"
        className="-ml-2 rounded-lg p-2 text-soft hover:bg-raised md:hidden"
      >
        <ArrowLeft size={17} aria-hidden="true" />
      </Link>
      <h2 title={title} className="min-w-0 truncate text-sm font-semibold">
        {title}
      </h2>
      {archivedAt === '' ? null : <Badge tone="wait">archived</Badge>}
      {branchedFromRunId === '' ? null : (
        <Link
          to="/runs/$runId"
          params={{ runId: branchedFromRunId }}
          title="The run that it was branched from"
          className="inline-flex items-center gap-1 rounded-md bg-raised px-1.5 py-0.5 text-xs font-medium whitespace-nowrap text-soft hover:text-ink"
        >
          <GitBranch size={12} aria-hidden="true" />
          branch
        </Link>
      )}
      <span className="ml-auto">
        <SessionMenu session={session} />
      </span>
    </header>
  );
}
