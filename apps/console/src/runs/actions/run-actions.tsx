import { useState } from 'react';
import { Link, useNavigate } from '@tanstack/react-router';
import { ExternalLink, GitBranch, Play, Undo2, X } from 'lucide-react';
import { Button } from '@palyra/ui';
import { gateway } from '../../wire/gateway.ts';
import { useAct } from '../../wire/use-act.ts';
import { firstOf } from '../feed/first-of.ts';
import { useReadAgain } from '../feed/read-again.ts';
import type { RunStory } from '../story/run-story.ts';
import { mayResume } from '../story/words.ts';
import { useMayAct } from './may-act.ts';
import { UndoDialog } from './undo-dialog.tsx';
import { useCancel } from './use-cancel.ts';

/** What can be done with a run that has ended, or was cut off. */
export function RunActions({ story }: { readonly story: RunStory }) {
  const { runId } = story;
  const { owns, mayStop } = useMayAct(story.about?.principal ?? '');
  const readAgain = useReadAgain();
  const resume = useAct({
    act: () => firstOf((signal) => gateway.runs.resumeRun({ runId }, { signal })),
    changes: ['runs'],
    after: () => readAgain(runId),
  });
  return (
    <div className="-ml-2.5 flex flex-wrap items-center gap-1">
      {owns && canResume(story) ? (
        <Button size="small" isBusy={resume.isPending} onClick={() => resume.mutate()}>
          <Play size={14} aria-hidden="true" />
          Resume
        </Button>
      ) : null}
      {mayStop && story.phase === 'interrupted' ? <CancelButton runId={runId} /> : null}
      {owns ? <BranchButton runId={runId} /> : null}
      {mayStop && hasChanges(story) ? <UndoButton runId={runId} /> : null}
      <Link
        to="/runs/$runId"
        params={{ runId }}
        className="flex h-8 items-center gap-1.5 rounded-lg px-2.5 text-sm font-medium text-soft hover:bg-raised hover:text-ink"
      >
        <ExternalLink size={14} aria-hidden="true" />
        Details
      </Link>
    </div>
  );
}

/** It ends for good, and nobody is asked for it any more. */
function CancelButton({ runId }: { readonly runId: string }) {
  const readAgain = useReadAgain();
  const cancel = useCancel(() => readAgain(runId));
  return (
    <Button size="small" isBusy={cancel.isPending} onClick={() => cancel.mutate(runId)}>
      <X size={14} aria-hidden="true" />
      Cancel
    </Button>
  );
}

function BranchButton({ runId }: { readonly runId: string }) {
  const navigate = useNavigate();
  const branch = useAct({
    act: () => gateway.sessions.branchSession({ runId }),
    changes: ['sessions'],
    says: () => 'A new session remembers everything up to the end of this run',
    after: ({ session }) => {
      const sessionId = session?.sessionId ?? '';
      if (sessionId !== '') void navigate({ to: '/chat/$sessionId', params: { sessionId } });
    },
  });
  return (
    <Button look="quiet" size="small" isBusy={branch.isPending} onClick={() => branch.mutate()}>
      <GitBranch size={14} aria-hidden="true" />
      Branch
    </Button>
  );
}

export interface UndoButtonProps {
  readonly runId: string;
  /** Absent: everything that the run changed. */
  readonly callId?: string;
}

export function UndoButton({ runId, callId = '' }: UndoButtonProps) {
  const [isOpen, setIsOpen] = useState(false);
  return (
    <>
      <Button look="quiet" size="small" onClick={() => setIsOpen(true)}>
        <Undo2 size={14} aria-hidden="true" />
        Undo changes
      </Button>
      <UndoDialog runId={runId} callId={callId} isOpen={isOpen} onClose={() => setIsOpen(false)} />
    </>
  );
}

function canResume({ phase, items }: RunStory): boolean {
  if (phase === 'interrupted') return true;
  const end = items.findLast(({ kind }) => kind === 'ended');
  return end?.kind === 'ended' && mayResume(end.ending);
}

function hasChanges({ calls }: RunStory): boolean {
  return calls.values().some(({ changes }) => changes.length > 0);
}
