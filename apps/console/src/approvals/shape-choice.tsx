import { useId } from 'react';
import { DecisionKind, type OfferedShape, type PastCall } from '@palyra/protocol';
import { When, Words } from '@palyra/ui';
import { callLine, inline, sentence } from './call-words.ts';
import { Choice } from './choice.tsx';
import { pastWords } from './shape-words.ts';

/** The shape of one call alone. */
const EXACT = 'exact';

export interface ShapeChoiceProps {
  /** The call that is asked about, in a line. */
  readonly call: string;
  readonly offers: readonly OfferedShape[];
  readonly chosen: string;
  readonly onChoose: (shape: string) => void;
}

/** Which calls, in words, each with what it would have covered lately. */
export function ShapeChoice({ call, offers, chosen, onChoose }: ShapeChoiceProps) {
  const name = useId();
  return (
    <fieldset className="flex flex-col gap-1.5">
      <legend className="mb-1 text-sm font-medium">Which calls</legend>
      {offers.map((offer) => (
        <div key={offer.name} className="flex flex-col gap-1">
          <Choice
            name={name}
            isChosen={chosen === offer.name}
            onChoose={() => onChoose(offer.name)}
            says={<Words text={sentence(inline(offer.says))} />}
          >
            {offer.name === EXACT ? <code className="block text-xs">{call}</code> : null}
            {offer.past === undefined ? null : pastWords(offer.past)}
          </Choice>
          {chosen === offer.name ? <Examples calls={offer.past?.examples ?? []} /> : null}
        </div>
      ))}
    </fieldset>
  );
}

const DECISIONS: Readonly<Record<DecisionKind, string>> = {
  [DecisionKind.UNSPECIFIED]: 'not decided yet',
  [DecisionKind.ALLOW]: 'allowed',
  [DecisionKind.NEEDS_APPROVAL]: 'waits',
  [DecisionKind.DENY]: 'denied',
};

function Examples({ calls }: { readonly calls: readonly PastCall[] }) {
  if (calls.length === 0) return null;
  return (
    <ul aria-label="Such calls" className="flex flex-col gap-1 pl-9 text-xs text-soft">
      {calls.map(({ at, proposal, wasAsked, decision }) => (
        <li key={`${at} ${proposal?.callId}`} className="wrap-anywhere">
          <When at={at} />, {wasAsked ? 'asked, ' : ''}
          {DECISIONS[decision]}: <code>{proposal === undefined ? '' : callLine(proposal)}</code>
        </li>
      ))}
    </ul>
  );
}
