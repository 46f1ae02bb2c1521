import { useState } from 'react';
import { useCaller } from '../app/caller.ts';
import type { KeyMeaning } from './keys.ts';
import type { Question } from './question.ts';
import { type Standing, standingOf } from './standing.ts';
import { type Answering, useAnswer } from './use-answer.ts';
import { type Reading, useReading } from './use-question.ts';
import { ONCE, type Wish, noTo, sessionWish, yesTo } from './wish.ts';

/** Where somebody is on the way to an answer. */
export type Stage =
  | { readonly at: 'start' }
  | { readonly at: 'wider'; readonly begin: Wish['scope'] }
  | { readonly at: 'deny' };

export interface AnswerDesk {
  readonly question: Question;
  readonly standing: Standing;
  readonly reading: Reading;
  readonly stage: Stage;
  readonly isBusy: Answering['isPending'];
  readonly mean: (meaning: KeyMeaning) => void;
  readonly sayYes: (wish: Wish) => void;
  readonly sayNo: (reason: string) => void;
  readonly back: () => void;
}

/** Everything that leads to an answer. Contract: for one question; another one is another component. */
export function useAnswering(question: Question): AnswerDesk {
  const { approval, offers } = question;
  const standing = standingOf(approval, useCaller());
  const reading = useReading(approval);
  const [stage, setStage] = useState<Stage>({ at: 'start' });
  const { mutate, isPending } = useAnswer(standing);
  const back = () => setStage({ at: 'start' });
  const sayYes = (wish: Wish) => {
    // INVARIANT: nobody answers what they have not read.
    if (!reading.isChanged && !isPending) mutate(yesTo(approval, wish), { onSuccess: back });
  };
  const sayNo = (reason: string) => {
    if (!isPending) mutate(noTo(approval, reason), { onSuccess: back });
  };
  const mean = (meaning: KeyMeaning) => {
    const session = sessionWish(offers);
    if (meaning === 'once') sayYes(ONCE);
    if (meaning === 'session' && session !== undefined) sayYes(session);
    if (meaning === 'wider') setStage({ at: 'wider', begin: 'session' });
    if (meaning === 'until') setStage({ at: 'wider', begin: 'until' });
    if (meaning === 'deny') setStage({ at: 'deny' });
  };
  return { question, standing, reading, stage, isBusy: isPending, mean, sayYes, sayNo, back };
}
