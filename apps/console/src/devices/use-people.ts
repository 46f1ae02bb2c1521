import { useQuery } from '@tanstack/react-query';
import { type Member, Permission } from '@palyra/protocol';
import { useMay } from '../app/caller.ts';
import { gateway } from '../wire/gateway.ts';

export interface People {
  readonly members: readonly Member[];
  /** As others know them: the name, or the id where that is not known. */
  nameOf(userId: string): string;
}

export function usePeople(): People {
  const enabled = useMay(Permission.MEMBERS_MANAGE);
  const { data } = useQuery({
    queryKey: ['access', 'members'],
    enabled,
    queryFn: ({ signal }) => gateway.members.listMembers({}, { signal }),
  });
  const members = data?.members ?? [];
  return {
    members,
    nameOf: (id) =>
      members.find(({ userId }) => `user:${userId}` === id || userId === id)?.name ?? id,
  };
}
