import { useMutation, useQuery } from '@tanstack/react-query';
import { useToasts } from '@palyra/ui';
import { type Grown, type GrowingShape, withNewest, withOlder } from './grown.ts';
import { queries } from './query.ts';
import type { Question } from './use-ask.ts';

export interface GrowingList<Thing> extends GrowingShape<Thing> {
  /** Contract: newest first; from the newest on when `before` is empty. */
  readonly page: (before: string, signal?: AbortSignal) => Promise<readonly Thing[]>;
}

/** A list without end: its newest part is asked for again with every piece of news, the rest once. */
export function useGrowingList<Thing>(question: Question, list: GrowingList<Thing>) {
  const toasts = useToasts();
  const known = () => queries.getQueryData<Grown<Thing>>(question);
  const answer = useQuery({
    queryKey: question,
    queryFn: async ({ signal }) => {
      const newest = await list.page('', signal);
      // Read afterwards: somebody may have gone further back meanwhile.
      return withNewest(known(), newest, list);
    },
  });
  const older = useMutation({
    mutationFn: async () => {
      const last = known()?.things.at(-1);
      return last === undefined ? [] : await list.page(list.idOf(last));
    },
    onSuccess: (page) =>
      queries.setQueryData<Grown<Thing>>(question, (before) =>
        before === undefined ? before : withOlder(before, page, list),
      ),
    onError: (reason) => toasts.tellProblem(reason),
  });
  return { answer, showOlder: () => older.mutate(), isLoading: older.isPending };
}
