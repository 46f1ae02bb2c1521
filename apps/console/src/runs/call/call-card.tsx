import { memo } from 'react';
import { ChevronRight } from 'lucide-react';
import { Badge, Spinner, classes } from '@palyra/ui';
import { inline } from '../../approvals/call-words.ts';
import { useOpening } from '../open-rows.ts';
import type { CallStory } from '../story/call.ts';
import { callWhat } from '../story/call-what.ts';
import { durationWords, isWaiting, postureOf, standingOf } from '../story/words.ts';
import { AskedHere } from './asked-here.tsx';
import { CallStages } from './call-stages.tsx';
import { LivePreview } from './live-preview.tsx';

/** One tool call: on one line, and on demand every stage of it. */
export const CallCard = memo(function CallCard({ call }: { readonly call: CallStory }) {
  const { callId, result, attestation } = call;
  const { isOpen, toggle } = useOpening(`call ${callId}`);
  const { words, tone } = standingOf(call);
  const what = callWhat(call);
  const posture = attestation === undefined ? undefined : postureOf(attestation);
  const isOver = result !== undefined;
  return (
    <section
      aria-label={`Tool call ${inline(call.proposal.tool)}`}
      className="min-w-0 rounded-card border border-line bg-card shadow-card"
    >
      <button
        type="button"
        aria-expanded={isOpen}
        onClick={toggle}
        className="flex w-full flex-wrap items-center gap-x-2.5 gap-y-1 rounded-card px-3 py-2 text-left text-sm hover:bg-raised"
      >
        <ChevronRight
          size={15}
          aria-hidden="true"
          className={classes('shrink-0 text-soft transition-transform', isOpen && 'rotate-90')}
        />
        <code className="shrink-0 font-semibold">{inline(call.proposal.tool)}</code>
        <code title={what} className="min-w-0 flex-1 basis-40 truncate text-[0.8125rem] text-soft">
          {what}
        </code>
        <span className="flex flex-wrap items-center gap-1.5">
          {result === undefined || result.durationMs === 0 ? null : (
            <span className="text-xs text-soft">{durationWords(result.durationMs)}</span>
          )}
          <Badge tone={tone}>
            {isOver || isWaiting(call) || call.isInterrupted ? null : <Spinner />}
            {words}
          </Badge>
          {posture === undefined || posture.words === 'not executed' ? null : (
            <Badge tone={posture.tone} title={inline(attestation?.sandboxEnforcement ?? '')}>
              {posture.words}
            </Badge>
          )}
        </span>
      </button>
      {isWaiting(call) ? <AskedHere call={call} /> : null}
      {isOpen || isOver ? null : <LivePreview output={call.live} />}
      {isOpen ? <CallStages call={call} /> : null}
    </section>
  );
});
