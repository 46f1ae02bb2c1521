import { useState } from 'react';
import { Button, ExactText } from '@palyra/ui';
import { ArgumentsView, CallView } from '../../approvals/call-view.tsx';
import type { CallStory } from '../story/call.ts';
import { Stage } from './stage.tsx';
import { WholeArguments } from './whole.tsx';

export function ProposalStage({ call }: { readonly call: CallStory }) {
  const { proposal, written } = call;
  return (
    <Stage name="Proposal" tone="accent" says="what the model asks for">
      <CallView proposal={proposal} />
      {written === undefined || written === '' ? null : (
        <ExactText label="what the model wrote" text={written} />
      )}
      <Arguments call={call} />
    </Stage>
  );
}

/** A command says it all already; what it was made of is there on demand. */
function Arguments({ call }: { readonly call: CallStory }) {
  const { facts } = call.proposal;
  const [isOpen, setIsOpen] = useState(facts?.process === undefined);
  if (!call.hasAllArguments) return <WholeArguments call={call} />;
  if (isOpen) return <ArgumentsView proposal={call.proposal} />;
  return (
    <span>
      <Button look="quiet" size="small" className="-ml-2.5" onClick={() => setIsOpen(true)}>
        Show its arguments
      </Button>
    </span>
  );
}
