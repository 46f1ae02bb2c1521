import type { PolicyExplanation, ToolDecision } from '@palyra/protocol';

/**
 * What is told of a recorded decision begins with what was decided then, and why. The rules are not the
 * last word: a person says no, nobody answers in time, a run is cancelled, an evaluation takes too long.
 */
export function asRecorded(
  explanation: PolicyExplanation,
  { kind, reason, help }: Pick<ToolDecision, 'kind' | 'reason' | 'help'>,
): PolicyExplanation {
  if (explanation.kind === kind && explanation.reason === reason) return explanation;
  return {
    ...explanation,
    kind,
    reason: `${reason}; the rules by themselves: ${explanation.reason}`,
    help: [help, helpOf(explanation)].filter((part) => part !== '').join('; '),
  };
}

/** Nothing waits any more, so nobody is told for whom. */
function helpOf({ smallestRule, smallestRuleEffect }: PolicyExplanation): string {
  return smallestRule === '' ? '' : `the smallest rule ${smallestRuleEffect}`;
}
