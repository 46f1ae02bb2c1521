import { useMayAct } from '../actions/may-act.ts';
import { UndoButton } from '../actions/run-actions.tsx';
import type { CallStory } from '../story/call.ts';
import { ApprovalStage } from './approval-stage.tsx';
import { AttestationStage } from './attestation-stage.tsx';
import { DecisionStage } from './decision-stage.tsx';
import { ExecutionStage } from './execution-stage.tsx';
import { ProposalStage } from './proposal-stage.tsx';

/** The way of a call: proposed, decided, approved, executed, attested. */
export function CallStages({ call }: { readonly call: CallStory }) {
  const { mayStop } = useMayAct(call.proposal.principal);
  const isUndoable = call.attestation !== undefined && call.changes.length > 0;
  return (
    <div className="border-t border-line px-4 pt-3 pb-1">
      <ol aria-label="Stages">
        <ProposalStage call={call} />
        <DecisionStage call={call} />
        <ApprovalStage call={call} />
        <ExecutionStage call={call} />
        <AttestationStage call={call} />
      </ol>
      {mayStop && isUndoable ? (
        <div className="mb-2 -ml-2.5">
          <UndoButton runId={call.runId} callId={call.callId} />
        </div>
      ) : null}
    </div>
  );
}
