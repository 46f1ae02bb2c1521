import type { MessageInitShape } from '@bufbuild/protobuf';
import { type AnswerApprovalRequestSchema, GrantScope, type OfferedShape } from '@palyra/protocol';
import { type ShownApproval, answerTo } from './one-approval.ts';
import { wantsPasskey } from './render/approvals.ts';
import { inline } from './render/words.ts';

export type GivenAnswer = MessageInitShape<typeof AnswerApprovalRequestSchema>;

/** What a key means while a question stands on the terminal, in `palyra run` and `palyra chat`. */
export type KeyMeaning =
  | { readonly kind: 'answer'; readonly given: GivenAnswer }
  /** No; why not is asked next. */
  | { readonly kind: 'deny' }
  /** Yes for more than this call; for how much is asked next. */
  | { readonly kind: 'widen' }
  | { readonly kind: 'details' }
  | { readonly kind: 'leave' };

export interface KeyHint {
  readonly key: string;
  readonly says: string;
}

/** Contract: `undefined` for a key that means nothing, or nothing for this question. */
export function meaningOf(key: string, shown: ShownApproval): KeyMeaning | undefined {
  switch (key) {
    case 'y':
      if (wantsPasskey(shown.approval)) return undefined;
      return { kind: 'answer', given: answerTo(shown, 'granted') };
    case 's':
      return leaseMeaning(shown, leasesOf(shown)[0]);
    case 'a':
      return leasesOf(shown).length > 1 ? { kind: 'widen' } : undefined;
    case 'n':
      return { kind: 'deny' };
    case 'd':
      return { kind: 'details' };
    case 'q':
      return { kind: 'leave' };
  }
  return undefined;
}

/** After `a`: the digit of one of the wider shapes. */
export function widerMeaningOf(key: string, shown: ShownApproval): KeyMeaning | undefined {
  const place = /^[1-9]$/.test(key) ? Number(key) : 0;
  return place === 0 ? undefined : leaseMeaning(shown, leasesOf(shown)[place]);
}

export function keyHints(shown: ShownApproval): readonly KeyHint[] {
  const [narrowest, ...wider] = leasesOf(shown);
  return [
    wantsPasskey(shown.approval)
      ? { key: '-', says: 'a yes needs a passkey: answer it in the console, `palyra console`' }
      : { key: 'y', says: 'yes, once' },
    ...(narrowest === undefined
      ? []
      : [{ key: 's', says: `yes, for this session: ${inline(narrowest.says)}` }]),
    ...(wider.length === 0 ? [] : [{ key: 'a', says: 'yes, for more in this session…' }]),
    { key: 'n', says: 'no' },
    { key: 'd', says: 'details' },
    { key: 'q', says: 'leave it to somebody else' },
  ];
}

export function widerHints(shown: ShownApproval): readonly KeyHint[] {
  return leasesOf(shown)
    .slice(1, 10)
    .map(({ says }, place) => ({ key: String(place + 1), says: inline(says) }));
}

/** A lease has one giver: where several people have to answer, each answers for this call alone. */
function leasesOf({ approval, offers }: ShownApproval): readonly OfferedShape[] {
  if (wantsPasskey(approval)) return [];
  return approval.gates.every(({ quorum }) => quorum <= 1) ? offers : [];
}

function leaseMeaning(
  shown: ShownApproval,
  offer: OfferedShape | undefined,
): KeyMeaning | undefined {
  if (offer === undefined) return undefined;
  const given = { ...answerTo(shown, 'granted'), scope: GrantScope.SESSION, shape: offer.name };
  return { kind: 'answer', given };
}
