import { byteWords } from '@palyra/client';
import { useState } from 'react';
import { Button, Dialog } from '@palyra/ui';
import { ArgumentsView } from '../../approvals/call-view.tsx';
import { Answer } from '../../wire/answer.tsx';
import { useAsk } from '../../wire/use-ask.ts';
import { readEvent } from '../feed/first-of.ts';
import type { CallStory } from '../story/call.ts';
import { OutputText } from './output-text.tsx';

/** What is too long to be kept is read again from the journal when somebody wants it. */
export function WholeArguments({ call }: { readonly call: CallStory }) {
  const [isOpen, setIsOpen] = useState(false);
  const bytes = call.proposal.facts?.argumentBytes ?? 0;
  return (
    <span>
      <Button size="small" onClick={() => setIsOpen(true)}>
        Show its arguments, {byteWords(bytes)}
      </Button>
      <Dialog isOpen={isOpen} onClose={() => setIsOpen(false)} title="Arguments" width="wide">
        <ReadArguments call={call} />
      </Dialog>
    </span>
  );
}

function ReadArguments({ call: { runId, callId, proposedAt } }: { readonly call: CallStory }) {
  const event = useAsk(['runs', 'proposal', callId], () => readEvent(runId, proposedAt));
  return (
    <Answer of={event}>
      {({ event: { case: kind, value } }) =>
        kind === 'toolProposed' ? <ArgumentsView proposal={value} /> : null
      }
    </Answer>
  );
}

export function WholeOutput({ call }: { readonly call: CallStory }) {
  const [isOpen, setIsOpen] = useState(false);
  return (
    <span>
      <Button size="small" onClick={() => setIsOpen(true)}>
        Show all, {call.outputLeftOut.toLocaleString('en')} characters more
      </Button>
      <Dialog isOpen={isOpen} onClose={() => setIsOpen(false)} title="Output" width="wide">
        <ReadOutput call={call} />
      </Dialog>
    </span>
  );
}

function ReadOutput({ call: { runId, callId, finishedAt } }: { readonly call: CallStory }) {
  const event = useAsk(['runs', 'output', callId], () => readEvent(runId, finishedAt));
  return (
    <Answer of={event}>
      {({ event: { case: kind, value } }) =>
        kind === 'toolFinished' ? <OutputText label="Output" text={value.output} /> : null
      }
    </Answer>
  );
}
