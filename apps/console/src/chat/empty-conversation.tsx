import { useState } from 'react';
import { Link, useNavigate } from '@tanstack/react-router';
import { ArrowLeft } from 'lucide-react';
import { gateway } from '../wire/gateway.ts';
import { Composer } from './composer.tsx';
import { WorkspaceChoice } from './workspace-choice.tsx';

/** What stands in the address where the id of a session would. */
export const NEW_SESSION = 'new';

/** The first prompt makes the session. */
export function NewConversation() {
  const navigate = useNavigate();
  const [workspace, setWorkspace] = useState('');
  const open = async (runId: string) => {
    const { run } = await gateway.runs.getRun({ runId });
    await navigate({ to: '/chat/$sessionId', params: { sessionId: run?.sessionId ?? '' } });
  };
  return (
    <div className="flex h-full flex-col">
      <div className="px-4 py-3 md:hidden">
        <Link to="/chat" className="inline-flex items-center gap-1.5 text-sm text-accent">
          <ArrowLeft size={15} aria-hidden="true" />
          Sessions
        </Link>
      </div>
      <div className="flex flex-1 flex-col items-center justify-center gap-6 pb-10">
        <div className="px-6 text-center">
          <h2 className="text-2xl font-semibold tracking-tight">What shall the agent do?</h2>
          <p className="mt-1.5 text-sm text-soft">
            The rules decide every call that it makes, and the journal keeps it.
          </p>
          <p className="mt-3 flex min-h-9 flex-wrap items-center justify-center gap-x-2 text-sm text-soft">
            It works in <WorkspaceChoice chosen={workspace} onChoose={setWorkspace} />
          </p>
        </div>
        <div className="w-full">
          <Composer workspace={workspace} onStarted={(runId) => void open(runId)} />
        </div>
      </div>
    </div>
  );
}
