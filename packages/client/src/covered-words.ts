import type { ApprovalNote } from '@palyra/protocol';
import { plural } from './limit-words.ts';

/** Which grant covers a call; `undefined` where people were asked about it. */
export function coveredWords({
  grantId,
  grantUsesLeft,
}: Pick<ApprovalNote, 'grantId' | 'grantUsesLeft'>): string | undefined {
  if (grantUsesLeft === undefined) return undefined;
  return `covered by grant ${grantId}, ${plural(grantUsesLeft, 'call')} left`;
}
