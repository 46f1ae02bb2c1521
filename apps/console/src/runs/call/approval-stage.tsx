import { Link } from '@tanstack/react-router';
import { ApprovalStatus, Permission } from '@palyra/protocol';
import { type Tone, When } from '@palyra/ui';
import { useMay } from '../../app/caller.ts';
import { inline } from '../../approvals/call-words.ts';
import { usePeople } from '../../app/use-people.ts';
import type { CallStory } from '../story/call.ts';
import { approvalWords } from '../story/words.ts';
import { Stage } from './stage.tsx';

const TONES: Readonly<Partial<Record<ApprovalStatus, Tone>>> = {
  [ApprovalStatus.PENDING]: 'wait',
  [ApprovalStatus.GRANTED]: 'good',
  [ApprovalStatus.DENIED]: 'bad',
  [ApprovalStatus.EXPIRED]: 'bad',
};

export function ApprovalStage({ call }: { readonly call: CallStory }) {
  const { asked } = call;
  const may = useMay(Permission.APPROVALS_ANSWER);
  if (asked === undefined) {
    return <Stage name="Approval" tone="plain" says={approvalWords(call)} />;
  }
  const { status, approvalId } = asked;
  return (
    <Stage name="Approval" tone={TONES[status] ?? 'plain'} says={approvalWords(call)}>
      <Voices call={call} />
      {may ? (
        <Link
          to="/approvals/$approvalId"
          params={{ approvalId }}
          className="text-sm text-accent hover:underline"
        >
          The question and its answers
        </Link>
      ) : null}
    </Stage>
  );
}

function Voices({ call }: { readonly call: CallStory }) {
  const nameOf = usePeople();
  if (call.voices.length === 0) return null;
  return (
    <ul className="flex flex-col gap-1 text-sm">
      {call.voices.map(({ principal, at, answer, channel, reason }) => (
        <li key={`${principal} ${at}`} className="wrap-anywhere">
          <span className="font-medium">{answer === ApprovalStatus.GRANTED ? 'Yes' : 'No'}</span> by{' '}
          {nameOf(principal)}, through {inline(channel)}, <When at={at} />
          {reason === '' ? null : <>: “{inline(reason)}”</>}
        </li>
      ))}
    </ul>
  );
}
