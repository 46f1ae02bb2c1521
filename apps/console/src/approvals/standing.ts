import { ANYBODY, groupsOfOne } from '@palyra/kernel';
import {
  type ApprovalRecord,
  ApprovalStatus,
  type ApprovalVoice,
  type PolicyGate,
  Role,
} from '@palyra/protocol';
import { roleWord } from '../wire/role-words.ts';
import { wordOf } from '../wire/words.ts';

/** Who may still say what to a question. */
export interface Standing {
  readonly isPending: boolean;
  /** How many people have to say yes, and who has. */
  readonly wanted: number;
  readonly yes: readonly ApprovalVoice[];
  readonly hasSaidYes: boolean;
  /** The gate that wants a higher role than this person has. */
  readonly tooHigh: PolicyGate | undefined;
  readonly needsPasskey: boolean;
  /** A lease has one giver: where several people have to answer, each answers for this call alone. */
  readonly mayLease: boolean;
}

export interface Person {
  readonly principal: string;
  readonly role: Role;
}

/** Only for what to offer; the gateway decides for itself. */
export function standingOf(approval: ApprovalRecord, { principal, role }: Person): Standing {
  const { gates, voices, status } = approval;
  const yes = voices.filter(({ answer }) => answer === ApprovalStatus.GRANTED);
  return {
    isPending: status === ApprovalStatus.PENDING,
    wanted: Math.max(1, ...gates.map(({ quorum }) => quorum)),
    yes,
    hasSaidYes: yes.some((voice) => voice.principal === principal),
    tooHigh: gates.find(({ approvers }) => role < Math.max(approvers, Role.OPERATOR)),
    needsPasskey: gates.some(({ strength }) => strength === 'passkey'),
    mayLease: gates.every(({ quorum }) => quorum <= 1),
  };
}

/** `2 people, each admin or above, with a passkey` */
export function demandWords({ approvers, quorum, strength }: PolicyGate): string {
  const people = quorum > 1 ? `${quorum} people, each ` : '';
  const proof = strength === 'passkey' ? ', with a passkey' : '';
  return `${people}${roleWord(approvers)} or above${proof}`;
}

/** `1 of 2 people said yes` */
export function yesWords({ yes, wanted }: Pick<Standing, 'yes' | 'wanted'>): string {
  return `${groupsOfOne(yes).length} of ${wanted} people said yes`;
}

/** Who could have said it as well: with them it counts as one person. */
export function vouchedWords(
  { vouchedBy }: Pick<ApprovalVoice, 'vouchedBy'>,
  nameOf: (principal: string) => string,
): string {
  if (vouchedBy.length === 0) return '';
  if (vouchedBy.includes(ANYBODY)) return ' (nobody knows who let in that device)';
  return ` (let in by ${vouchedBy.map(nameOf).join(', ')})`;
}

/** What became of a question, in a word that says more than its status where there is more to say. */
export function outcomeWords({ status, usedAt }: ApprovalRecord): string {
  if (status === ApprovalStatus.PENDING) return 'waits';
  if (status === ApprovalStatus.GRANTED && usedAt === '') return 'granted, not used yet';
  return wordOf(ApprovalStatus, status);
}
