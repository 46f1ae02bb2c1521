import { Words } from '@palyra/ui';
import { Link } from '@tanstack/react-router';
import { Answer } from '../wire/answer.tsx';
import { AnswerPanel } from './answer-panel.tsx';
import { ArgumentsView, CallView } from './call-view.tsx';
import { inline, isToldWithoutArguments, sentence } from './call-words.ts';
import { ChangeView, hasChange } from './change-view.tsx';
import { Countdown } from './countdown.tsx';
import { tierWord } from './place-view.tsx';
import type { Question } from './question.ts';
import { demandWords } from './standing.ts';
import { SeverityBadge, StatusBadge } from './status-badge.tsx';
import { useAnswering } from './use-answering.ts';
import { useQuestion } from './use-question.ts';

/** A question where the call stands, such as in a chat: all that a yes is for, and where to say it. */
export function ApprovalCard({ approvalId }: { readonly approvalId: string }) {
  const question = useQuestion(approvalId);
  return (
    <div className="min-w-0 rounded-card border border-wait/40 bg-card">
      <Answer of={question} lines={5}>
        {(data) => <Compact key={data.approval.approvalId} question={data} />}
      </Answer>
    </div>
  );
}

function Compact({ question }: { readonly question: Question }) {
  const desk = useAnswering(question);
  const { approval } = question;
  const { approvalId, proposal, preview, gates, deadline } = approval;
  return (
    <div className="flex flex-col gap-3 p-4">
      <div className="flex flex-wrap items-center gap-2 text-sm">
        <span className="font-semibold wrap-anywhere">{inline(proposal?.tool ?? 'A call')}</span>
        <StatusBadge approval={approval} />
        {preview === undefined ? null : <span className="text-soft">{tierWord(preview.tier)}</span>}
        {desk.standing.isPending ? (
          <span className="ml-auto text-soft">
            <Countdown until={deadline} /> left
          </span>
        ) : null}
      </div>
      {proposal === undefined ? null : <CallView proposal={proposal} />}
      {hasChange(preview) ? <ChangeView preview={preview} /> : null}
      {proposal === undefined ? null : (
        <details className="text-sm" open={!isToldWithoutArguments(approval)}>
          <summary className="cursor-pointer text-soft">Arguments, to the letter</summary>
          <div className="mt-2">
            <ArgumentsView proposal={proposal} />
          </div>
        </details>
      )}
      <ul className="flex flex-col gap-1 text-sm">
        {gates.map((gate) => (
          <li key={gate.ruleId} className="flex flex-wrap items-center gap-2">
            <SeverityBadge severity={inline(gate.severity)} />
            <Words text={sentence(inline(gate.says))} />{' '}
            <span className="text-soft">({demandWords(gate)})</span>
          </li>
        ))}
      </ul>
      <AnswerPanel desk={desk} keys="none" />
      <Link
        to="/approvals/$approvalId"
        params={{ approvalId }}
        className="self-start text-sm text-accent underline"
      >
        Everything about it
      </Link>
    </div>
  );
}
