import { type MessageInitShape, create } from '@bufbuild/protobuf';
import {
  ApprovalStatus,
  DecisionKind,
  ExecutionLimitsSchema,
  Executor,
  RunEventSchema,
  RunSpendingSchema,
  StopReason,
  ToolOutcome,
} from '@palyra/protocol';
import { describe, expect, it } from 'vitest';
import type { CallStory } from './call.ts';
import { emptyStory } from './run-story.ts';
import { tellAll } from './tell.ts';
import {
  approvalWords,
  costWords,
  durationWords,
  executorWords,
  postureOf,
  spentWords,
  standingOf,
  stopWords,
} from './words.ts';

type Happening = NonNullable<MessageInitShape<typeof RunEventSchema>['event']>;

/** A call after these have happened to it. */
function call(...happenings: readonly Happening[]): CallStory {
  const all: readonly Happening[] = [
    { case: 'toolProposed', value: { callId: '1' } },
    ...happenings,
  ];
  const events = all.map((event, place) =>
    create(RunEventSchema, { sequence: BigInt(place + 1), event }),
  );
  const told = tellAll(emptyStory('run'), events).calls.get('1');
  if (told === undefined) throw new TypeError('there is no call');
  return told;
}

const asked = (status: ApprovalStatus): Happening => ({
  case: 'approvalChanged',
  value: { callId: '1', status },
});
const decided = (kind: DecisionKind): Happening => ({
  case: 'toolDecided',
  value: { callId: '1', kind },
});
const finished = (outcome: ToolOutcome): Happening => ({
  case: 'toolFinished',
  value: { callId: '1', outcome },
});
const begun: Happening = {
  case: 'toolStarted',
  value: { callId: '1', executor: Executor.GATEWAY },
};

const interrupted: Happening = { case: 'runInterrupted', value: {} };
const resumed: Happening = { case: 'runResumed', value: {} };

describe('how a call stands', () => {
  it.each([
    ['being decided', call()],
    ['interrupted', call(interrupted)],
    ['interrupted', call(decided(DecisionKind.ALLOW), begun, interrupted)],
    ['running', call(decided(DecisionKind.ALLOW), begun, interrupted, resumed)],
    ['waits for an answer', call(asked(ApprovalStatus.PENDING), interrupted)],
    [
      'granted, not used yet',
      call(asked(ApprovalStatus.PENDING), interrupted, asked(ApprovalStatus.GRANTED)),
    ],
    ['waits for an answer', call(asked(ApprovalStatus.PENDING))],
    ['allowed', call(decided(DecisionKind.ALLOW))],
    ['running', call(decided(DecisionKind.ALLOW), begun)],
    ['done', call(decided(DecisionKind.ALLOW), begun, finished(ToolOutcome.SUCCEEDED))],
    ['timed out', call(decided(DecisionKind.ALLOW), begun, finished(ToolOutcome.TIMED_OUT))],
    ['denied by the rules', call(decided(DecisionKind.DENY), finished(ToolOutcome.REFUSED))],
    [
      'denied by a person',
      call(asked(ApprovalStatus.DENIED), decided(DecisionKind.DENY), finished(ToolOutcome.REFUSED)),
    ],
    [
      'approval expired',
      call(
        asked(ApprovalStatus.EXPIRED),
        decided(DecisionKind.DENY),
        finished(ToolOutcome.REFUSED),
      ),
    ],
  ])('is said: %s', (words, story) => {
    expect(standingOf(story).words).toBe(words);
  });
});

describe('what people were asked about a call', () => {
  const covered: Happening = {
    case: 'approvalChanged',
    value: { callId: '1', status: ApprovalStatus.GRANTED, grantId: 'GRANT', grantUsesLeft: 4 },
  };
  it.each([
    ['not reached yet', call()],
    ['not needed', call(decided(DecisionKind.ALLOW))],
    ['waits for an answer', call(asked(ApprovalStatus.PENDING))],
    ['granted', call(asked(ApprovalStatus.GRANTED), decided(DecisionKind.ALLOW))],
    ['covered by grant GRANT, 4 calls left', call(covered, decided(DecisionKind.ALLOW))],
  ])('is said: %s', (words, story) => {
    expect(approvalWords(story)).toBe(words);
  });
});

it('where a call ran is said with its tier', () => {
  expect(executorWords(Executor.SANDBOX_TIER_C_LINUX_BUBBLEWRAP)).toBe('tier C, linux bubblewrap');
  const limits = create(ExecutionLimitsSchema);
  expect(postureOf({ executor: Executor.SANDBOX_TIER_B_RLIMITS, limits })).toEqual({
    words: 'tier B',
    tone: 'wait',
  });
  expect(postureOf({ executor: Executor.NONE }).words).toBe('not executed');
});

it('a call that nobody saw end is not shown as held', () => {
  expect(postureOf({ executor: Executor.SANDBOX_TIER_C_LINUX_BUBBLEWRAP })).toEqual({
    words: 'tier C, end not seen',
    tone: 'wait',
  });
});

it('every stop has its words', () => {
  const reasons = Object.values(StopReason).filter((reason) => reason !== StopReason.UNSPECIFIED);
  expect(reasons.map(stopWords).filter((words) => words === '')).toEqual([]);
});

it('what was used is said without what was not', () => {
  const spent = create(RunSpendingSchema, {
    modelTurns: 1,
    tokens: 12_345n,
    costMicroUsd: 3_100n,
    wallMs: 65_000n,
  });
  expect(spentWords(spent)).toEqual(['1 model turn', '12,345 tokens', '$0.0031', '1 min 5 s']);
  expect([costWords(0n), costWords(12_400_000n)]).toEqual(['$0', '$12.40']);
  expect([durationWords(999), durationWords(1_500)]).toEqual(['999 ms', '1.5 s']);
});
