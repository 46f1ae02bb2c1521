import { Button, KeyHint, SteadyButton } from '@palyra/ui';
import { AnswerNotes } from './answer-notes.tsx';
import { callLine } from './call-words.ts';
import { useLeftMs } from './countdown.tsx';
import { DenyForm } from './deny-form.tsx';
import type { AnswerDesk } from './use-answering.ts';
import { usePeople } from '../app/use-people.ts';
import { WiderForm } from './wider-form.tsx';

export interface AnswerPanelProps {
  readonly desk: AnswerDesk;
  /** Whether the keys work where it stands. */
  readonly keys: 'shown' | 'none';
}

/** Where a question is answered, by whoever may. */
export function AnswerPanel({ desk, keys }: AnswerPanelProps) {
  const { question, standing, stage, reading } = desk;
  const leftMs = useLeftMs(question.approval.deadline);
  if (!standing.isPending) return null;
  const mayAnswer = standing.tooHigh === undefined && leftMs > 0;
  return (
    <section aria-label="Your answer" className="flex flex-col gap-3">
      <AnswerNotes standing={standing} reading={reading} leftMs={leftMs} />
      {mayAnswer && stage.at === 'start' ? <Start desk={desk} keys={keys} /> : null}
      {mayAnswer && stage.at === 'wider' ? <Wider desk={desk} begin={stage.begin} /> : null}
      {mayAnswer && stage.at === 'deny' ? (
        <DenyForm isBusy={desk.isBusy} onDeny={desk.sayNo} onBack={desk.back} />
      ) : null}
    </section>
  );
}

function Start({ desk, keys }: AnswerPanelProps) {
  const { standing, reading, isBusy, mean, question } = desk;
  const hint = (key: string) =>
    keys === 'shown' ? (
      <span className="max-sm:hidden">
        <KeyHint keys={key} />
      </span>
    ) : null;
  const mayLease = standing.mayLease && question.offers.length > 0;
  return (
    <div className="flex flex-wrap gap-2">
      {standing.hasSaidYes ? null : (
        <>
          <SteadyButton
            look="main"
            isBusy={isBusy}
            disabled={reading.isChanged}
            onClick={() => mean('once')}
          >
            Yes, once {hint('y')}
          </SteadyButton>
          {mayLease ? (
            <>
              <SteadyButton
                disabled={isBusy || reading.isChanged}
                title="Exactly this call, with these arguments"
                onClick={() => mean('session')}
              >
                Yes, this session {hint('s')}
              </SteadyButton>
              <Button disabled={isBusy || reading.isChanged} onClick={() => mean('until')}>
                Until… {hint('u')}
              </Button>
            </>
          ) : null}
        </>
      )}
      <Button disabled={isBusy} className="text-bad!" onClick={() => mean('deny')}>
        No… {hint('n')}
      </Button>
    </div>
  );
}

function Wider({ desk, begin }: { readonly desk: AnswerDesk } & Pick<WiderBegin, 'begin'>) {
  const nameOf = usePeople();
  const { question, isBusy, sayYes, back } = desk;
  const { proposal } = question.approval;
  return (
    <WiderForm
      call={proposal === undefined ? '' : callLine(proposal)}
      offers={question.offers}
      whose={nameOf(proposal?.principal ?? '')}
      begin={begin}
      isBusy={isBusy}
      onYes={sayYes}
      onBack={back}
    />
  );
}

type WiderBegin = Extract<AnswerDesk['stage'], { at: 'wider' }>;
