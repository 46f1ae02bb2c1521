import { useQueries } from '@tanstack/react-query';
import { Permission } from '@palyra/protocol';
import { gateway } from '../wire/gateway.ts';
import { useMay } from './caller.ts';

/** A name never changes, but its member may go. */
const FRESH_MS = 5 * 60_000;

/** What members are called, by principal, for whoever may not list them all. */
export function useNames(userIds: readonly string[]): readonly (readonly [string, string])[] {
  const mayList = useMay(Permission.MEMBERS_MANAGE);
  const mayAsk = useMay(Permission.OBSERVABILITY_READ);
  const answers = useQueries({
    queries: userIds.map((userId) => ({
      queryKey: ['access', 'names', userId],
      enabled: mayAsk && !mayList,
      staleTime: FRESH_MS,
      queryFn: async ({ signal }: { readonly signal: AbortSignal }) => {
        const { names } = await gateway.members.nameMembers({ userIds: [userId] }, { signal });
        return Object.entries(names);
      },
    })),
  });
  return answers.flatMap(({ data = [] }) =>
    data.map(([id, name]) => [`user:${id}`, name] as const),
  );
}
