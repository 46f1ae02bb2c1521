import { Link } from '@tanstack/react-router';
import { ArrowLeft } from 'lucide-react';
import { type ApprovalRecord } from '@palyra/protocol';
import { Card, type Fact, Facts, ShortId, When } from '@palyra/ui';
import { Answer } from '../wire/answer.tsx';
import { AnswerPanel } from './answer-panel.tsx';
import { ArgumentsView, CallView } from './call-view.tsx';
import { inline } from './call-words.ts';
import { ChangeView, hasChange } from './change-view.tsx';
import { Countdown } from './countdown.tsx';
import { GateList } from './gate-list.tsx';
import { PlaceView } from './place-view.tsx';
import type { Question } from './question.ts';
import { Section } from './section.tsx';
import { StatusBadge } from './status-badge.tsx';
import { useAnswerKeys } from './use-answer-keys.ts';
import { useAnswering } from './use-answering.ts';
import { usePeople } from '../app/use-people.ts';
import { useQuestion } from './use-question.ts';
import { VoiceList } from './voice-list.tsx';

/** Everything that a person has to see before they answer, and where they do. */
export function ApprovalDetail({ approvalId }: { readonly approvalId: string }) {
  const question = useQuestion(approvalId);
  return (
    <Card padding="none">
      <Answer of={question} lines={12}>
        {(data) => <Whole key={data.approval.approvalId} question={data} />}
      </Answer>
    </Card>
  );
}

function Whole({ question }: { readonly question: Question }) {
  const { approval } = question;
  const { proposal, preview, gates, approvalId } = approval;
  const desk = useAnswering(question);
  const { standing, mean } = desk;
  useAnswerKeys({ approvalId, standing, onMeaning: mean });
  return (
    <>
      <Head approval={approval} />
      {proposal === undefined ? null : (
        <Section title="The call">
          <CallView proposal={proposal} />
        </Section>
      )}
      {hasChange(preview) ? (
        <Section title="What would change">
          <ChangeView preview={preview} />
        </Section>
      ) : null}
      {proposal === undefined ? null : (
        <Section title="Arguments, to the letter">
          <ArgumentsView proposal={proposal} />
        </Section>
      )}
      {preview === undefined ? null : (
        <Section title="Where it would run">
          <PlaceView preview={preview} />
        </Section>
      )}
      <Section title={gates.length === 1 ? 'The rule that asks' : 'The rules that ask'}>
        <GateList gates={gates} />
      </Section>
      <Section title="Answers">
        <VoiceList approval={approval} standing={standing} />
        <Facts facts={endFacts(approval)} />
      </Section>
      {standing.isPending ? (
        <div className="sticky bottom-0 z-10 rounded-b-card border-t border-line bg-card p-4 shadow-float">
          <AnswerPanel desk={desk} keys="shown" />
        </div>
      ) : null}
    </>
  );
}

function Head({ approval }: { readonly approval: ApprovalRecord }) {
  const nameOf = usePeople();
  const { proposal, deadline, askedAt, closedAt } = approval;
  return (
    <header className="flex flex-col gap-1.5 px-4 py-4">
      <Link to="/approvals" className="flex items-center gap-1.5 text-sm text-accent lg:hidden">
        <ArrowLeft size={15} aria-hidden="true" /> All approvals
      </Link>
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <h2
          id="question"
          tabIndex={-1}
          className="text-lg font-semibold wrap-anywhere outline-none"
        >
          {inline(proposal?.tool ?? 'A call')}
        </h2>
        <StatusBadge approval={approval} />
        {closedAt === '' ? (
          <span className="text-sm text-soft sm:ml-auto">
            <Countdown until={deadline} /> left, then it is denied
          </span>
        ) : null}
      </div>
      <p className="text-sm text-soft">
        The agent asks for{' '}
        <span className="font-medium text-ink">{nameOf(proposal?.principal ?? 'somebody')}</span>,{' '}
        <When at={askedAt} />, in <Origins approval={approval} />
      </p>
    </header>
  );
}

function Origins({ approval: { proposal } }: { readonly approval: ApprovalRecord }) {
  const { runId = '', sessionId = '' } = proposal ?? {};
  return (
    <>
      <Link to="/runs/$runId" params={{ runId }} className="text-accent underline">
        this run
      </Link>{' '}
      of{' '}
      <Link to="/chat/$sessionId" params={{ sessionId }} className="text-accent underline">
        this session
      </Link>
    </>
  );
}

function endFacts(approval: ApprovalRecord): readonly Fact[] {
  const { approvalId, closedAt, reason, usedAt, grantId, fingerprint, workspace } = approval;
  const when = (name: string, at: string): readonly Fact[] =>
    at === '' ? [] : [[name, <When key={name} at={at} />]];
  const id = (name: string, value: string): readonly Fact[] =>
    value === '' ? [] : [[name, <ShortId key={name} id={value} />]];
  return [
    ...when('Closed', closedAt),
    ...(reason === '' ? [] : [['Because', inline(reason)] as const]),
    ...when('Used', usedAt),
    ...(workspace === undefined ? [] : [['Workspace', inline(workspace.path)] as const]),
    ...id('Grant', grantId),
    ...id('Approval', approvalId),
    ...id('Fingerprint', fingerprint),
  ];
}
