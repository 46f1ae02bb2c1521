import { visibleText } from '@palyra/kernel';
import { useCaller } from './caller.ts';
import { useMembers } from './use-members.ts';

const USER = /\buser:([0-9A-Z]{26})\b/g;

/** Names for principals, as far as this caller may know them; the principal itself for others. */
export function usePeople(): (principal: string) => string {
  const caller = useCaller();
  const members = useMembers();
  const names = new Map(members.map(({ userId, name }) => [`user:${userId}`, name]));
  if (caller.name !== '') names.set(caller.principal, caller.name);
  return (principal) =>
    visibleText(principal, 'one-line').replaceAll(USER, (whole) =>
      visibleText(names.get(whole) ?? whole, 'one-line'),
    );
}
