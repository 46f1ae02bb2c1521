import { useEffect, useState } from 'react';
import { visibleText } from '@palyra/kernel';
import { useCaller } from './caller.ts';
import { useMembers } from './use-members.ts';
import { useNames } from './use-names.ts';

const USER = /\buser:([0-9A-Z]{26})\b/g;

/** Names for principals, as far as this caller may know them; the principal itself for others. */
export function usePeople(): (principal: string) => string {
  const caller = useCaller();
  const members = useMembers();
  const [asked, setAsked] = useState<readonly string[]>([]);
  const names = new Map([
    ...useNames(asked),
    ...members.map(({ userId, name }) => [`user:${userId}`, name] as const),
  ]);
  if (caller.name !== '') names.set(caller.principal, caller.name);
  const met = new Set<string>();
  // Only now is it known who is on the page.
  useEffect(() => {
    const strangers = [...met].filter((userId) => !asked.includes(userId));
    if (strangers.length > 0) setAsked([...asked, ...strangers]);
  });
  return (principal) =>
    visibleText(principal, 'one-line').replaceAll(USER, (whole, userId: string) => {
      const name = names.get(whole);
      if (name === undefined) met.add(userId);
      return visibleText(name ?? whole, 'one-line');
    });
}
