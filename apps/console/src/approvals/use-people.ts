import { useQuery } from '@tanstack/react-query';
import { Permission } from '@palyra/protocol';
import { useCaller, useMay } from '../app/caller.ts';
import { gateway } from '../wire/gateway.ts';
import { inline } from './call-words.ts';

const USER = /\buser:([0-9A-Z]{26})\b/g;

/** Names for principals, as far as this caller may know them; the principal itself for others. */
export function usePeople(): (principal: string) => string {
  const caller = useCaller();
  const { data } = useQuery({
    queryKey: ['access', 'members'],
    enabled: useMay(Permission.MEMBERS_MANAGE),
    queryFn: ({ signal }) => gateway.members.listMembers({}, { signal }),
  });
  const names = new Map(data?.members.map(({ userId, name }) => [`user:${userId}`, name]));
  if (caller.name !== '') names.set(caller.principal, caller.name);
  return (principal) =>
    inline(principal).replaceAll(USER, (whole) => inline(names.get(whole) ?? whole));
}
