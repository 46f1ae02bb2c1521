import { type MessageInitShape, create } from '@bufbuild/protobuf';
import {
  ApprovalStatus,
  DecisionKind,
  Executor,
  type RunEvent,
  RunEventSchema,
  ToolOutcome,
} from '@palyra/protocol';
import { describe, expect, it } from 'vitest';
import { answerFor } from './answers.ts';
import { type CallTale, hearCall } from './call-tale.ts';
import { CHAPTERS, COMMAND, INJECTION, TOLD_CALLS, type ToldCall } from './chapters.ts';
import { asTold, checkChapter, exitOfStory } from './check.ts';
import { checkProof, withEvidence } from './evidence.ts';
import { blame } from './sandbox-help.ts';

const [READ, , EXFILTRATION] = CHAPTERS;

type Told = Exclude<MessageInitShape<typeof RunEventSchema>, { $typeName: string }>;

const SIGNATURE = new Uint8Array(64);

/** What the gateway tells of one call, as the story has it or otherwise. */
function eventsOf(told: ToldCall, callId: string): readonly RunEvent[] {
  const isRun = told.ending === 'ran' || told.ending === 'ran after a yes';
  const asked = {
    ran: [],
    'refused by the rules': [],
    'ran after a yes': [ApprovalStatus.PENDING, ApprovalStatus.GRANTED],
    'refused by you': [ApprovalStatus.PENDING, ApprovalStatus.DENIED],
  }[told.ending];
  const executor = {
    'the gateway': Executor.GATEWAY,
    'a sandbox of tier C': Executor.SANDBOX_TIER_C_LINUX_BUBBLEWRAP,
    nobody: Executor.NONE,
  }[told.by];
  const kind = isRun ? DecisionKind.ALLOW : DecisionKind.DENY;
  const ruleIds = [told.refusedBy ?? 'some-rule'].filter((rule) => rule !== '');
  const outcome = isRun ? ToolOutcome.SUCCEEDED : ToolOutcome.REFUSED;
  const events: readonly Told[] = [
    { event: { case: 'toolProposed', value: { callId, tool: told.tool } } },
    ...asked.map((status): Told => ({
      event: { case: 'approvalChanged', value: { callId, status } },
    })),
    { event: { case: 'toolDecided', value: { callId, kind, ruleIds } } },
    { event: { case: 'toolFinished', value: { callId, outcome } } },
    { event: { case: 'toolAttested', value: { callId, executor, signature: SIGNATURE } } },
  ];
  return events.map((event) => create(RunEventSchema, event));
}

/** Every call of the story; `changes` has other ends for some, by their place. */
function played(changes: Readonly<Record<number, Partial<ToldCall>>> = {}): readonly CallTale[] {
  let tales: readonly CallTale[] = [];
  for (const [place, told] of TOLD_CALLS.entries()) {
    const events = eventsOf({ ...told, ...changes[place] }, `call-${place}`);
    for (const event of events) tales = hearCall(tales, event);
  }
  return tales;
}

describe('the checker of the demo', () => {
  it('is content when every call ended as told', () => {
    const tales = played();
    expect(CHAPTERS.map((chapter) => checkChapter(chapter, tales).isAsTold)).toEqual([
      true,
      true,
      true,
      true,
    ]);
  });

  it('names a read that an operator rule forbids', () => {
    const tales = played({ 0: { ending: 'refused by the rules', by: 'nobody' } });
    expect(checkChapter(READ ?? COMMAND, tales)).toEqual({
      step: 'allowed-read',
      isAsTold: false,
      calls: [{ tool: 'fs.read', ending: 'refused by the rules' }],
      because: '`fs.read` should have been "ran", and came out as "refused by the rules"',
      help: '',
    });
  });

  it.each<[string, Readonly<Record<number, Partial<ToldCall>>>, number]>([
    ['a command that ran without a question', { 1: { ending: 'ran' } }, 1],
    ['a command that ran outside a sandbox', { 1: { by: 'the gateway' } }, 1],
    ['an exfiltration that was only stopped by a person', { 2: { ending: 'refused by you' } }, 2],
    ['an exfiltration that another rule refused', { 2: { refusedBy: 'some-rule' } }, 2],
    ['an exfiltration that ran', { 3: { ending: 'ran', by: 'the gateway' } }, 2],
    ['a secret that was read', { 5: { ending: 'ran after a yes', by: 'the gateway' } }, 3],
    ['a hook that only a person refused', { 6: { ending: 'refused by you' } }, 3],
    ['another tool than the one that was told', { 6: { tool: 'fs.patch' } }, 3],
  ])('is not content with %s', (_, changes, chapter) => {
    const tales = played(changes);
    expect(
      CHAPTERS.map((each) => checkChapter(each, tales)).flatMap(({ isAsTold }, place) =>
        isAsTold ? [] : [place],
      ),
    ).toEqual([chapter]);
  });

  it('is not content with a call that nobody signed', () => {
    const tales = played().map((tale) => ({ ...tale, isAttested: false }));
    expect(checkChapter(COMMAND, tales).because).toContain('not finished');
  });

  it('is not content with a run that never came to a chapter', () => {
    const outcome = checkChapter(EXFILTRATION ?? COMMAND, played().slice(0, 2));
    expect(outcome.because).toBe('`http.fetch` was never proposed');
  });

  it('says how to get a sandbox where there is none', () => {
    const tales = played({ 1: { ending: 'refused by the rules', by: 'nobody' } });
    const fix = 'apt-get install bubblewrap';
    const finding = {
      check: 'bubblewrap',
      about: 'the program that makes the strongest sandbox',
      result: 'warning',
      detail: 'not installed',
      fix,
    } as const;
    const outcome = blame(checkChapter(COMMAND, tales), finding);
    expect(outcome).toMatchObject({ isAsTold: false, help: fix });
    expect(outcome.because).toMatch(/^this step cannot run here, bubblewrap: not installed; /);
  });
});

describe('the evidence after the injection', () => {
  const good = checkChapter(INJECTION, played());
  const clean = { knowsWhatWasRead: true, hasCanary: false, hasHook: false };

  it.each([
    ['the secret is in the journal', { ...clean, hasCanary: true }],
    ['the hook is there', { ...clean, hasHook: true }],
    ['the search could have found nothing', { ...clean, knowsWhatWasRead: false }],
  ])('does not hold when %s', (_, found) => {
    expect(withEvidence(good, found).isAsTold).toBe(false);
  });

  it('holds when nothing of that is so', () => {
    expect(withEvidence(good, clean)).toEqual(good);
  });
});

describe('the proof at the end', () => {
  const report = {
    verdict: 'intact',
    entries: 60,
    firstSequence: 1,
    lastSequence: 60,
    previousHash: '',
    headHash: '',
    keyId: '',
  } as const;

  it('covers every entry that the run has made', () => {
    expect(checkProof(report, 60n).isAsTold).toBe(true);
    expect(checkProof(report, 61n).isAsTold).toBe(false);
    expect(checkProof(report, 0n).isAsTold).toBe(false);
  });

  it('fails with a journal that is broken', () => {
    const fault = { sequence: 7, reason: 'its hash is another' };
    const broken = { verdict: 'broken', entries: 6, fault } as const;
    expect(checkProof(broken, 6n)).toMatchObject({ isAsTold: false, because: fault.reason });
  });
});

describe('the end of the demo', () => {
  const stepsOf = (tales: readonly CallTale[]) =>
    CHAPTERS.map((chapter) => checkChapter(chapter, tales));
  const proof = asTold('journal-verified');

  it('is good only when every step came out as told', () => {
    expect(exitOfStory([...stepsOf(played()), proof])).toBe('ok');
  });

  it('is a failure when an operator rule forbids the read', () => {
    const tales = played({ 0: { ending: 'refused by the rules', by: 'nobody' } });
    expect(exitOfStory([...stepsOf(tales), proof])).toBe('failure');
  });

  it('is a failure when a step is missing', () => {
    expect(exitOfStory(stepsOf(played()))).toBe('failure');
    expect(exitOfStory([])).toBe('failure');
  });
});

describe('the answers of the demo', () => {
  it('are yes to the one command of the story, and no to everything else', () => {
    const tales = played();
    expect(tales.map(({ callId }) => answerFor(tales, callId))).toEqual([
      'denied',
      'granted',
      'denied',
      'denied',
      'denied',
      'denied',
      'denied',
    ]);
    expect(answerFor(tales, 'a call that nobody proposed')).toBe('denied');
  });
});
