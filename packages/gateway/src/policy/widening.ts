import { PalyraError } from '@palyra/kernel';
import { GainKind, type PolicyDifference, type PolicyGain } from '@palyra/protocol';

/** So many are named in the refusal; `palyra policy diff` lists them all. */
const MOST_NAMED = 3;

/** Contract: throws POLICY_WIDENED, which names the first gains, when anybody gains anything. */
export function refuseWidening({ gains }: PolicyDifference): void {
  if (gains.length === 0) return;
  const named = gains.slice(0, MOST_NAMED).map(gainText);
  const more = gains.length - named.length;
  const rest = more > 0 ? `, and ${more} more` : '';
  throw new PalyraError('POLICY_WIDENED', `this would allow more: ${named.join(', ')}${rest}`);
}

function gainText({ kind, principal, what }: PolicyGain): string {
  const subject = `\`${what}\``;
  const whom = principal === '' ? '' : ` for ${principal}`;
  return `${GAIN_WORDS[kind]} ${subject}${whom}`;
}

const GAIN_WORDS: Readonly<Record<GainKind, string>> = {
  [GainKind.UNSPECIFIED]: 'something about',
  [GainKind.TOOL]: 'the tool',
  [GainKind.HOST]: 'the host',
  [GainKind.WRITE_ROOT]: 'writing below',
  [GainKind.SECRET]: 'the secret',
  [GainKind.GATE_REMOVED]: 'no question asked by',
  [GainKind.OTHER]: 'the action',
  [GainKind.POSSIBLE]: 'perhaps more by the rule',
};
