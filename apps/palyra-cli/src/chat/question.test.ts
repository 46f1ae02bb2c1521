import { ApprovalStatus, GrantScope } from '@palyra/protocol';
import { describe, expect, it } from 'vitest';
import { shownApproval } from '../../testing/approval.ts';
import { ENTER, ESCAPE, PlayedChat, TAB } from '../../testing/played-chat.ts';
import { STARTED, runEvent } from '../../testing/run-events.ts';

const chat = () => new PlayedChat();
const pending = runEvent({
  case: 'approvalChanged',
  value: { callId: 'CALL', approvalId: 'APPROVAL', status: ApprovalStatus.PENDING },
});

describe('a question', () => {
  it('is read when it comes up, and not when the past is told again', () => {
    expect(chat().hear(STARTED, pending).wishes).toEqual([{ kind: 'ask', approvalId: 'APPROVAL' }]);
    const past = chat().happen({ kind: 'run', told: { event: pending, from: 'past' }, at: 1 });
    expect(past.wishes).toEqual([]);
  });

  it('is shown once, takes the keys, and y lets just this call run', () => {
    const played = chat().ask().ask();
    expect(played.told).toEqual([{ kind: 'question', lines: ['the call'] }]);
    expect(played.press({ text: 'y' }).wishes).toMatchObject([
      {
        kind: 'answer',
        given: {
          approvalId: 'APPROVAL',
          fingerprint: 'f00d',
          answer: ApprovalStatus.GRANTED,
          scope: GrantScope.ONCE,
        },
      },
    ]);
    expect(played.state).toMatchObject({ questions: [], focus: { at: 'draft' } });
  });

  it('is answered for the session by s, and for a wider shape by a and its digit', () => {
    expect(chat().ask().press({ text: 's' }).wishes).toMatchObject([
      { given: { scope: GrantScope.SESSION, shape: 'exact' } },
    ]);
    const wider = chat().ask().press({ text: 'a' });
    expect(wider.wishes).toEqual([]);
    expect(wider.press({ text: '1' }).wishes).toMatchObject([
      { given: { scope: GrantScope.SESSION, shape: 'command' } },
    ]);
  });

  it('is denied by n with a reason, and not by a change of mind', () => {
    const mind = chat().ask().press({ text: 'n' }).type('no').press(ESCAPE);
    expect(mind.wishes).toEqual([]);
    expect(mind.press({ text: 'n' }).type('not today').press(ENTER).wishes).toMatchObject([
      { given: { answer: ApprovalStatus.DENIED, reason: 'not today' } },
    ]);
  });

  it('shows its details with d, and is left with q', () => {
    const played = chat().ask().press({ text: 'd' });
    expect(played.told.at(-1)).toEqual({ kind: 'question', lines: ['details'] });
    played.press({ text: 'q' });
    expect(played.told.at(-1)).toEqual({ kind: 'note', tone: 'quiet', text: 'answer it there' });
    expect(played.wishes).toEqual([]);
  });

  it('is not answered by who was typing when it came up', () => {
    const typing = chat().type('sa').ask().type('y');
    expect(typing.wishes).toEqual([]);
    expect(typing.state).toMatchObject({ draft: { text: 'say' }, focus: { at: 'draft' } });
    expect(typing.press(TAB).state.focus).toEqual({ at: 'question' });
    expect(typing.press({ text: 'y' }).wishes).toHaveLength(1);
  });

  it('is not answered by keys that come before it could be read, however many', () => {
    const played = chat().ask();
    expect(played.dash({ text: 'y' }, { text: 'e' }, { text: 's' }, { text: 'y' }).wishes).toEqual(
      [],
    );
    expect(played.press({ text: 'y' }).wishes).toHaveLength(1);
  });

  it('is not answered by a paste, nor by a key with a modifier', () => {
    const played = chat().ask().happen({ kind: 'pasted', text: 'y' });
    played.press({ text: 'y', alt: true }, { text: 'y', ctrl: true }, { text: 'yy' });
    expect(played.wishes).toEqual([]);
    expect(played.state.questions).toHaveLength(1);
  });

  it('is taken back when somebody else has answered', () => {
    const value = { callId: 'CALL', approvalId: 'APPROVAL', status: ApprovalStatus.GRANTED };
    const played = chat()
      .ask()
      .hear(runEvent({ case: 'approvalChanged', value }));
    expect(played.state).toMatchObject({ questions: [], focus: { at: 'draft' } });
  });

  it('waits behind another one, and has its own time to be read', () => {
    const second = shownApproval();
    second.approval.approvalId = 'SECOND';
    const played = chat().ask().ask(second);
    expect(played.told).toHaveLength(1);
    played.press({ text: 'y' });
    expect(played.told).toHaveLength(2);
    expect(played.dash({ text: 'y' }).wishes).toHaveLength(1);
    expect(played.press({ text: 'y' }).wishes).toMatchObject([
      { given: { approvalId: 'APPROVAL' } },
      { given: { approvalId: 'SECOND' } },
    ]);
  });
});
