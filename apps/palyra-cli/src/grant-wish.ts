import type { MessageInitShape } from '@bufbuild/protobuf';
import { quote } from '@palyra/kernel';
import { type AnswerApprovalRequestSchema, GrantScope } from '@palyra/protocol';
import { type Invocation, count, isGiven } from './command.ts';
import { untilTime } from './since.ts';
import { UsageError } from './usage-error.ts';

/** For how long, how often and for which calls a yes is to hold. */
export type GrantWish = Required<
  Pick<MessageInitShape<typeof AnswerApprovalRequestSchema>, 'scope' | 'shape' | 'until' | 'uses'>
>;

export const ONCE: GrantWish = { scope: GrantScope.ONCE, shape: '', until: '', uses: 0 };

const UNTIL = 'until=';

/** Contract: throws for words that mean nothing; what is offered for a call only the gateway knows. */
export function grantWishOf(invocation: Invocation, now: Date): GrantWish {
  const shape = invocation.text.get('shape') ?? '';
  const uses = count(invocation, 'uses');
  const scope = invocation.text.get('scope') ?? 'once';
  if (scope === 'once') {
    if (isGiven(invocation, 'uses')) throw usesOfOne();
    return { ...ONCE, shape };
  }
  if (scope === 'session') return { scope: GrantScope.SESSION, shape, until: '', uses };
  if (scope.startsWith(UNTIL)) {
    const until = untilTime(scope.slice(UNTIL.length), now);
    return { scope: GrantScope.UNTIL, shape, until, uses };
  }
  throw new UsageError(
    `\`--scope\` does not take ${quote(scope)}`,
    'it is `once`, `session` or `until=2h`',
  );
}

/** Whoever counts calls means more than one: a yes that silently was for one would be taken for the other. */
function usesOfOne(): UsageError {
  return new UsageError(
    '`--uses` does not go with a yes for this call alone',
    'leave it out, or add `--scope session` or `--scope until=2h`',
  );
}
