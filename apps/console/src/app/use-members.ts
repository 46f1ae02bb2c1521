import { useQuery } from '@tanstack/react-query';
import { type Member, Permission } from '@palyra/protocol';
import { gateway } from '../wire/gateway.ts';
import { useMay } from './caller.ts';

/** Everybody, for whoever may know; nobody for others. */
export function useMembers(): readonly Member[] {
  const { data } = useQuery({
    queryKey: ['access', 'members'],
    enabled: useMay(Permission.MEMBERS_MANAGE),
    queryFn: ({ signal }) => gateway.members.listMembers({}, { signal }),
  });
  return data?.members ?? [];
}
