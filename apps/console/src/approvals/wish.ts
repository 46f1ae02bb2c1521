import { plural } from '@palyra/client';
import type { MessageInitShape } from '@bufbuild/protobuf';
import {
  type AnswerApprovalRequestSchema,
  type ApprovalRecord,
  ApprovalStatus,
  GrantScope,
  type OfferedShape,
} from '@palyra/protocol';
import { inline } from './call-words.ts';

export type GivenAnswer = MessageInitShape<typeof AnswerApprovalRequestSchema>;

/** For how long, how often and for which calls a yes is to hold. */
export type Wish =
  | { readonly scope: 'once' }
  | {
      readonly scope: 'session' | 'until';
      /** The name of an offered shape. */
      readonly shape: string;
      /** RFC 3339; only for `until`. */
      readonly until: string;
      readonly uses: number;
    };

export const ONCE: Wish = { scope: 'once' };
/** What the gateway takes where nothing is said. */
export const USUAL_USES = 100;
export const MOST_USES = 10_000;

type Shown = Pick<ApprovalRecord, 'approvalId' | 'fingerprint'>;

/** INVARIANT: bound to the fingerprint of what was shown; for another call it does not count. */
export function yesTo({ approvalId, fingerprint }: Shown, wish: Wish): GivenAnswer {
  const yes = { approvalId, fingerprint, answer: ApprovalStatus.GRANTED };
  switch (wish.scope) {
    case 'once':
      return { ...yes, scope: GrantScope.ONCE };
    case 'session':
      return { ...yes, scope: GrantScope.SESSION, shape: wish.shape, uses: wish.uses };
    case 'until': {
      const { shape, uses, until } = wish;
      return { ...yes, scope: GrantScope.UNTIL, shape, uses, until };
    }
  }
}

export function noTo({ approvalId, fingerprint }: Shown, reason: string): GivenAnswer {
  return { approvalId, fingerprint, answer: ApprovalStatus.DENIED, reason };
}

/** `s`: this session, and the narrowest shape that is offered. */
export function sessionWish([narrowest]: readonly OfferedShape[]): Wish | undefined {
  if (narrowest === undefined) return undefined;
  return { scope: 'session', shape: narrowest.name, until: '', uses: USUAL_USES };
}

/** What a yes lets happen without anybody being asked, in a sentence. */
export function consequence(wish: Wish, offers: readonly OfferedShape[], whose: string): string {
  if (wish.scope === 'once') return 'This call runs, once. The next one is asked about again.';
  const offer = offers.find(({ name }) => name === wish.shape);
  const calls = offer === undefined ? 'such calls' : inline(offer.says);
  const often = `at most ${plural(wish.uses, 'time')}`;
  const where =
    wish.scope === 'session'
      ? 'in this session, for a day at most'
      : `for ${whose} in any session, until ${exactTime(wish.until)}`;
  return `Runs without asking from now on, ${where}, ${often}: ${calls}.`;
}

const TIME = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' });

function exactTime(time: string): string {
  const date = new Date(time);
  return Number.isNaN(date.getTime()) ? 'a time that is none' : TIME.format(date);
}
