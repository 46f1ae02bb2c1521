import { plural } from '@palyra/client';
import { DecisionKind, type PastCall, type ShapePast } from '@palyra/protocol';
import { callLine } from './command-line.ts';
import { shortTime } from './words.ts';

/** What a grant of a shape would have let through, in a line, and then each example in one. */
export function pastLines(past: ShapePast | undefined): readonly string[] {
  if (past === undefined) return [];
  const { covered, asked, denied, inSession, isCut } = past;
  const when = isCut
    ? `since ${shortTime(past.since)} UTC, as far as it was looked`
    : 'in the last 7 days';
  if (covered === 0) return [`${when}: no other call`];
  const parts = [`${asked} asked about`, `${denied} denied`, `${inSession} in this session`];
  return [
    `${when}: ${plural(covered, 'other call')} (${parts.join(', ')})`,
    ...past.examples.map(exampleLine),
  ];
}

function exampleLine({ at, proposal, wasAsked, decision }: PastCall): string {
  const call = proposal === undefined ? '' : callLine(proposal);
  const asked = wasAsked ? 'asked, ' : '';
  return `${shortTime(at)}  ${asked}${DECISIONS[decision]}  ${call}`;
}

const DECISIONS: Readonly<Record<DecisionKind, string>> = {
  [DecisionKind.UNSPECIFIED]: 'not decided yet',
  [DecisionKind.ALLOW]: 'allowed',
  [DecisionKind.NEEDS_APPROVAL]: 'waits',
  [DecisionKind.DENY]: 'denied',
};
