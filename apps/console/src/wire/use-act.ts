import { useMutation } from '@tanstack/react-query';
import { useToasts } from '@palyra/ui';
import { type Noun, forgetAnswers } from './query.ts';

export interface Act<Input, Outcome> {
  readonly act: (input: Input) => Promise<Outcome>;
  /** What it changes, besides what news will tell. */
  readonly changes: readonly Noun[];
  /** What to say when it is done; nothing where the page shows it anyway. */
  readonly says?: (outcome: Outcome) => string;
  readonly after?: (outcome: Outcome) => void;
}

/** Something that a person does here. What goes wrong is said in a notice. */
export function useAct<Input = void, Outcome = unknown>({
  act,
  changes,
  says,
  after,
}: Act<Input, Outcome>) {
  const toasts = useToasts();
  return useMutation({
    mutationFn: act,
    onSuccess(outcome) {
      changes.forEach(forgetAnswers);
      if (says !== undefined) toasts.tell(says(outcome));
      after?.(outcome);
    },
    onError: (reason) => toasts.tellProblem(reason),
  });
}
