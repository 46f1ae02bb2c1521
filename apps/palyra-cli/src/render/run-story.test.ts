import { create, type MessageInitShape } from '@bufbuild/protobuf';
import {
  ApprovalStatus,
  DecisionKind,
  ErrorCode,
  Executor,
  Risk,
  type RunEvent,
  RunEventSchema,
  RunStatus,
  ToolOutcome,
} from '@palyra/protocol';
import { describe, expect, it } from 'vitest';
import { recordedTerminal } from '../../testing/recorded-terminal.ts';
import { exitOfRun } from '../steer-run.ts';
import { printEnding } from './ending.ts';
import { UNKNOWN_OUTCOME, observe } from './run-outcome.ts';
import { RunStory } from './run-story.ts';

type Happening = NonNullable<MessageInitShape<typeof RunEventSchema>['event']>;

function events(...happenings: Happening[]): readonly RunEvent[] {
  return happenings.map((event, place) => {
    const isSpeech = event.case === 'textDelta';
    return create(RunEventSchema, {
      runId: 'RUN',
      ...(isSpeech ? {} : { sequence: BigInt(place + 1), entryId: `ENTRY${place + 1}` }),
      event,
    });
  });
}

const started = { case: 'runStarted', value: { prompt: 'hi', model: 'script' } } as const;
const ended = { case: 'runEnded', value: { status: RunStatus.COMPLETED } } as const;
const refusal = [
  {
    case: 'toolProposed',
    value: { callId: 'C', tool: 'fs.read', arguments: { path: 'a\u001b[2J' }, risk: Risk.HIGH },
  },
  {
    case: 'toolDecided',
    value: { callId: 'C', kind: DecisionKind.DENY, reason: 'no rule allows it', help: 'ask' },
  },
  { case: 'toolFinished', value: { callId: 'C', outcome: ToolOutcome.REFUSED } },
  {
    case: 'toolAttested',
    value: {
      callId: 'C',
      executor: Executor.NONE,
      keyId: 'abcdef0123456789',
      sandboxEnforcement: 'not executed',
    },
  },
] as const;

function tell(told: readonly RunEvent[]): string {
  const { terminal, stdout } = recordedTerminal();
  const story = new RunStory(terminal);
  for (const event of told) story.tell(event);
  story.close();
  return stdout();
}

describe('the story of a run', () => {
  it('shows all seven stages of a refused call, in order, with reason and way out', () => {
    expect(tell(events(started, ...refusal, ended))).toBe(
      `run RUN with script

  tool call  fs.read {"path":"a\\u001b[2J"}
    1 proposal      ✓ risk high, no capabilities declared
    2 policy        ✗ denied: no rule allows it
                      try: ask
    3 approval      – not asked
    4 sandbox       – not reached, nothing was executed
    5 attestation   ✓ signed with key abcdef012345, not executed
    6 journal       ✓ entries 2 to 5, ENTRY5
    7 stream        ✓ 4 events received

  the model said nothing
`,
    );
  });

  it('tells a call that the rules refuse from one that nobody approved', () => {
    const [proposed, decided] = refusal;
    const reason = 'nobody can be asked';
    const gates = [{ ruleId: 'ask-first', says: 'Programs change things.' }];
    const text = tell(
      events(started, proposed, { ...decided, value: { ...decided.value, reason, gates } }),
    );
    expect(text).toContain(`    2 policy        ✓ a person decides: Programs change things.
    3 approval      ✗ nobody can be asked
                      try: ask
`);
  });

  const asked: Happening = {
    case: 'approvalChanged',
    value: {
      callId: 'C',
      approvalId: 'APPROVAL',
      status: ApprovalStatus.PENDING,
      deadline: '2026-01-01T00:05:00.000Z',
      gates: [{ ruleId: 'ask-first', says: 'a program is to be run' }],
    },
  };
  const answered = (status: ApprovalStatus, reason = '') =>
    ({
      case: 'approvalChanged',
      value: {
        callId: 'C',
        approvalId: 'APPROVAL',
        status,
        reason,
        voice: { principal: 'user:ada' },
      },
    }) as const;
  const decided = (kind: DecisionKind, reason: string) =>
    ({
      case: 'toolDecided',
      value: { callId: 'C', kind, reason, approvalId: 'APPROVAL' },
    }) as const;

  const used = {
    case: 'approvalChanged',
    value: { callId: 'C', approvalId: 'APPROVAL', status: ApprovalStatus.GRANTED },
  } as const;

  it('tells a call that waits, its answer, and what the rules then make of it', () => {
    const [proposed] = refusal;
    const text = tell(
      events(
        proposed,
        asked,
        answered(ApprovalStatus.GRANTED),
        used,
        decided(DecisionKind.ALLOW, 'a rule'),
      ),
    );
    expect(text).toContain(`    2 policy        ✓ a person decides: a program is to be run
    3 approval      – waits until 2026-01-01 00:05:00 UTC: APPROVAL
    3 approval      ✓ granted by user:ada
    2 policy        ✓ allowed: a rule
`);
  });

  it('tells which grant covers a call that nobody is asked about', () => {
    const [proposed] = refusal;
    const grant = { grantId: 'GRANT', grantUsesLeft: 4 };
    const covered = { ...used, value: { ...used.value, ...grant } };
    const text = tell(events(proposed, covered, decided(DecisionKind.ALLOW, 'a rule')));
    expect(text).toContain(`    2 policy        ✓ allowed: a rule
    3 approval      ✓ covered by grant GRANT, 4 calls left
`);
  });

  it('tells of an answer that came before anybody looked', () => {
    const [proposed] = refusal;
    const text = tell(events(proposed, used, decided(DecisionKind.ALLOW, 'a rule')));
    expect(text).toContain(`    2 policy        ✓ allowed: a rule
    3 approval      ✓ granted, APPROVAL
`);
  });

  it('tells a no once, with who said it and why', () => {
    const text = tell(
      events(
        asked,
        answered(ApprovalStatus.DENIED, 'not today'),
        decided(DecisionKind.DENY, 'not today'),
      ),
    );
    expect(text.match(/not today/g)).toHaveLength(1);
    expect(text).toContain('    3 approval      ✗ denied by user:ada: not today\n');
  });

  it('tells why a call was refused that nobody answered', () => {
    const text = tell(events(asked, decided(DecisionKind.DENY, 'the run was cancelled')));
    expect(text).toContain('    3 approval      ✗ the run was cancelled\n');
  });

  it('tells why a call was refused that had been allowed, with the way out', () => {
    const [proposed] = refusal;
    const error = { message: 'the file has changed since', help: 'ask again' };
    const text = tell(
      events(
        proposed,
        decided(DecisionKind.ALLOW, 'a rule'),
        { case: 'toolStarted', value: { callId: 'C', executor: Executor.GATEWAY } },
        { case: 'toolFinished', value: { callId: 'C', outcome: ToolOutcome.REFUSED, error } },
      ),
    );
    expect(text).toContain(`    4 sandbox       – started: gateway
    4 sandbox       ✗ refused, nothing was executed: the file has changed since
                      try: ask again
`);
  });

  it('does not say that the rules denied what the end of the run took back', () => {
    const [proposed] = refusal;
    const over = 'the run was cancelled before the call could start';
    const error = { message: over };
    const text = tell(
      events(
        proposed,
        { case: 'toolDecided', value: { callId: 'C', kind: DecisionKind.DENY, reason: over } },
        { case: 'toolFinished', value: { callId: 'C', outcome: ToolOutcome.CANCELLED, error } },
      ),
    );
    expect(text).toContain(`    2 policy        – ${over}
    4 sandbox       – not reached, nothing was executed
`);
    expect(text).not.toContain('denied');
  });

  it('shows what the model wrote where that was no JSON', () => {
    const argumentsJson = '{"path": \u001b[2J';
    const text = tell(
      events(
        { case: 'modelMessage', value: { toolCalls: [{ callId: 'C', argumentsJson }] } },
        { case: 'toolProposed', value: { callId: 'C', tool: 'fs.read' } },
      ),
    );
    expect(text).toContain('  tool call  fs.read {"path": \\u{001b}[2J\n');
  });

  it('says so when the model says nothing', () => {
    const nothing = '  the model said nothing\n';
    const said: Happening = { case: 'modelMessage', value: { text: 'done' } };
    expect(tell(events(started, ended))).toContain(nothing);
    expect(tell(events(started, said, ended))).not.toContain(nothing);
    expect(tell(events(started, { ...ended, value: { status: RunStatus.FAILED } }))).not.toContain(
      nothing,
    );
  });

  it('does not flood the terminal, and says where all of it is', () => {
    const output = 'line\n'.repeat(500);
    const value = { callId: 'C', outcome: ToolOutcome.SUCCEEDED, output };
    const text = tell(events({ case: 'toolFinished', value }));
    expect(text.match(/│ line/g)).toHaveLength(40);
    expect(text).toContain('… 500 lines in all: palyra runs replay RUN --json\n');
  });

  it('shows text once: as it is spoken, not again as a message', () => {
    const text = tell(
      events(
        { case: 'textDelta', value: { text: 'good ' } },
        { case: 'textDelta', value: { text: 'day' } },
        { case: 'modelMessage', value: { text: 'good day' } },
      ),
    );
    expect(text).toBe('│ good day\n');
  });

  it('shows a message that nobody heard being spoken', () => {
    const text = tell(events({ case: 'modelMessage', value: { text: 'from before' } }));
    expect(text).toBe('│ from before\n');
  });

  it('never lets a tool draw on the terminal', () => {
    const value = { outcome: ToolOutcome.SUCCEEDED, output: '\u001b]52;c;ZXZpbA==\u0007\nok' };
    const text = tell(events({ case: 'toolFinished', value }));
    expect(text).not.toContain('\u001b');
    expect(text).toContain('│ \\u{001b}]52;c;ZXZpbA==\\u{0007}\n');
  });
});

describe('the story of what a model thinks', () => {
  const thought = (text: string) => ({ case: 'reasoningDelta', value: { text } }) as const;
  const told = events(
    started,
    thought('first\nth'),
    thought('en\u001b[2J'),
    { case: 'textDelta', value: { text: 'here' } },
    { case: 'modelMessage', value: { text: 'here' } },
  );

  it('is told on a terminal as it comes, apart from what it says', () => {
    const { terminal, stdout } = recordedTerminal({ columns: 60 });
    const story = new RunStory(terminal);
    for (const event of told) story.tell(event);
    story.close();
    expect(stdout()).toContain('  the model thinks\n  │ first\n  │ then\\u{001b}[2J\n│ here\n');
  });

  it('is not told where nobody waits', () => {
    expect(tell(told)).not.toContain('first');
  });
});

describe('the story of a model that fails', () => {
  const half = { case: 'textDelta', value: { text: 'half an' } } as const;
  const broken = { case: 'modelMessage', value: { text: 'half an', isPartial: true } } as const;
  const again = (waitMs: bigint, model: string, reason: string) =>
    ({ case: 'modelAskedAgain', value: { model, waitMs, reason } }) as const;

  it('says where the answer broke off, why, and how long it takes', () => {
    const waits = again(1500n, 'openai:m', 'the connection broke\u001b[2J');
    expect(tell(events(started, half, broken, waits))).toContain(
      '│ half an\n  the answer broke off here\n  openai:m is asked again in 1.5 s: the connection broke\\u{001b}[2J\n',
    );
  });

  it('says who answered instead, also when it is told again later', () => {
    const value = { text: 'here', usage: { model: 'anthropic:n' } };
    expect(tell(events(started, { case: 'modelMessage', value }))).toContain(
      '│ here\n  said by anthropic:n, which was asked in its place\n',
    );
  });

  it('says who is asked instead', () => {
    expect(tell(events(started, again(0n, 'anthropic:n', 'no credit')))).toContain(
      '  anthropic:n is asked now: no credit\n',
    );
  });

  it('shows nothing of the pieces that are kept for the case of a crash', () => {
    const kept = { case: 'modelSpoken', value: { text: 'half an' } } as const;
    expect(tell(events(started, half, kept, broken)).match(/half an/g)).toHaveLength(1);
  });

  it('ends with the way to take it up again', () => {
    const error = { code: ErrorCode.MODEL_FAILED, message: 'it is gone', help: 'wait' };
    const outcome = events(started, {
      case: 'runEnded',
      value: { status: RunStatus.FAILED, error },
    }).reduce(observe, UNKNOWN_OUTCOME);
    const { terminal, stdout } = recordedTerminal();
    printEnding(terminal, { runId: 'RUN', sessionId: 'SESSION', outcome });
    expect(stdout()).toMatch(/why +it is gone\n +try +wait\n +next +palyra runs resume RUN\n$/);
  });

  it('that was taken up again and came to its end is good', () => {
    const error = { code: ErrorCode.MODEL_FAILED, message: 'it is gone', help: 'wait' };
    const failed = { case: 'runEnded', value: { status: RunStatus.FAILED, error } } as const;
    const resumed = { case: 'runResumed', value: { turns: 1 } } as const;
    const outcome = events(started, failed, resumed, ended).reduce(observe, UNKNOWN_OUTCOME);
    expect(outcome.error).toBeUndefined();
    expect(exitOfRun(outcome)).toBe('ok');
  });
});

describe('the outcome of a run', () => {
  const outcomeOf = (...told: Happening[]) => events(...told).reduce(observe, UNKNOWN_OUTCOME);
  const endingAs = (status: RunStatus) => ({ case: 'runEnded', value: { status } }) as const;

  it('is denied when it completed with a refused call', () => {
    const outcome = outcomeOf(started, ...refusal, ended);
    expect(outcome).toMatchObject({
      refused: 1,
      status: RunStatus.COMPLETED,
      lastEntryId: 'ENTRY6',
    });
    expect(exitOfRun(outcome)).toBe('denied');
  });

  it('follows the status otherwise', () => {
    expect(exitOfRun(outcomeOf(started, ended))).toBe('ok');
    expect(exitOfRun(outcomeOf(started, endingAs(RunStatus.CANCELLED)))).toBe('cancelled');
    expect(exitOfRun(outcomeOf(started, endingAs(RunStatus.FAILED)))).toBe('failure');
    expect(exitOfRun(outcomeOf(started, { case: 'runInterrupted', value: {} }))).toBe(
      'interrupted',
    );
  });

  it('is not good when the stream broke off', () => {
    expect(exitOfRun(outcomeOf(started))).toBe('failure');
  });

  it('forgets an interruption that was resumed', () => {
    const resumed = { case: 'runResumed', value: { turns: 1 } } as const;
    const interrupted = { case: 'runInterrupted', value: {} } as const;
    expect(exitOfRun(outcomeOf(started, interrupted, resumed, ended))).toBe('ok');
  });

  it('ends with where it is recorded and what to do next', () => {
    const { terminal, stdout } = recordedTerminal();
    const usage = { inputTokens: 900n, outputTokens: 100n, costMicroUsd: 2500n };
    const said = { case: 'modelMessage', value: { text: 'hi', usage } } as const;
    const outcome = outcomeOf(started, said, ...refusal, ended);
    printEnding(terminal, { runId: 'RUN', sessionId: 'SESSION', outcome });
    expect(stdout()).toBe(`
run completed, 1 call refused

  run      RUN
  session  SESSION
  journal  ENTRY7
  used     1 model turn, 1000 tokens, 0.0025 USD
  next     palyra journal export --run RUN -o run.jsonl
`);
  });
});

it('files that are given back are told, when the run is over, too', () => {
  const change = (path: string) => ({ case: 'fileChanged', value: { callId: 'C', path } }) as const;
  const told = tell(events(started, ...refusal, change('a'), change('b'), ended, change('b')));
  expect(told).toContain('given back: b');
  expect(told).not.toContain('given back: a');
});
