import { DecisionKind, type PolicyExplanation, type ToolDecision } from '@palyra/protocol';

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
    help: [help || againHelp(explanation), ruleHelp(explanation)]
      .filter((part) => part !== '')
      .join('; '),
  };
}

/** Nothing waits any more. Who was asked said no, or nothing; the next question is a new one. */
function againHelp({ kind }: PolicyExplanation): string {
  if (kind !== DecisionKind.NEEDS_APPROVAL) return '';
  return 'have it tried again, and approved while it waits: `palyra approvals watch` tells when';
}

function ruleHelp({ smallestRule, smallestRuleEffect }: PolicyExplanation): string {
  return smallestRule === '' ? '' : `the smallest rule ${smallestRuleEffect}`;
}
