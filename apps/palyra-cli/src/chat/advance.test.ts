import { RunStatus, ToolOutcome } from '@palyra/protocol';
import { describe, expect, it } from 'vitest';
import { CTRL_C, ENTER, ESCAPE, PlayedChat, TAB } from '../../testing/played-chat.ts';
import { STARTED, modelMessage, runEvent, textDelta } from '../../testing/run-events.ts';
import type { Wish } from './chat-state.ts';
import type { Press } from './press.ts';

const chat = () => new PlayedChat();

const proposed = runEvent({
  case: 'toolProposed',
  value: { callId: 'CALL', runId: 'RUN', tool: 'fs.read', facts: { reads: ['a.md'] } },
});
const finished = runEvent({
  case: 'toolFinished',
  value: { callId: 'CALL', outcome: ToolOutcome.SUCCEEDED, output: 'hello' },
});
const attested = runEvent({ case: 'toolAttested', value: { callId: 'CALL' } });
const ended = runEvent({ case: 'runEnded', value: { status: RunStatus.COMPLETED } });

describe('a prompt', () => {
  it('is sent by Enter, waits in the queue, and stands in the transcript once it runs', () => {
    const sent = chat().type('hi').press(ENTER);
    expect(sent.wishes).toEqual([{ kind: 'send', ticket: 1, prompt: 'hi' }]);
    expect(sent.state).toMatchObject({ draft: { text: '' }, queue: [{ ticket: 1, prompt: 'hi' }] });
    sent.happen({ kind: 'run', told: { event: STARTED, ticket: 1, from: 'live' }, at: 9000 });
    expect(sent.told).toEqual([{ kind: 'prompt', text: 'hi' }]);
    expect(sent.state).toMatchObject({ queue: [], run: { runId: 'RUN' } });
  });

  it('that follows while a run goes on is shown as queued until its turn comes', () => {
    const queued = runEvent({ case: 'runQueued', value: { prompt: 'more' } });
    const played = chat().hear(STARTED).type('more').press(ENTER);
    played.happen({ kind: 'run', told: { event: queued, ticket: 1, from: 'live' }, at: 9000 });
    expect(played.state.queue).toEqual([
      { ticket: 1, prompt: 'more', isTaken: true, isUnwanted: false },
    ]);
    expect(played.state.run).toMatchObject({ runId: 'RUN' });
  });

  it('of nothing but spaces is not sent', () => {
    expect(chat().type('  ').press(ENTER).wishes).toEqual([]);
  });

  it('that was not taken stands there again to be sent once more', () => {
    const failure = { message: 'no gateway answers', help: 'palyra up' };
    const played = chat().type('hi').press(ENTER).happen({ kind: 'not-taken', ticket: 1, failure });
    expect(played.state).toMatchObject({ draft: { text: 'hi' }, queue: [] });
    expect(played.told).toEqual([
      { kind: 'note', tone: 'bad', text: 'no gateway answers', help: 'palyra up' },
    ]);
  });

  it('has further lines with Alt-Enter and with a backslash before Enter', () => {
    const played = chat()
      .type('a')
      .press({ name: 'return', alt: true })
      .type('b\\')
      .press(ENTER)
      .type('c');
    expect(played.state.draft.text).toBe('a\nb\nc');
    expect(played.wishes).toEqual([]);
  });

  it('is never sent by a paste, whatever is in it', () => {
    const played = chat().happen({ kind: 'pasted', text: 'rm -rf\n/quit\n' });
    expect(played.state.draft.text).toBe('rm -rf\n/quit\n');
    expect(played.wishes).toEqual([]);
  });

  it('of before comes back with the arrow, and so does what was being typed', () => {
    const up: Press = { name: 'up' };
    const down: Press = { name: 'down' };
    const played = chat().type('one').press(ENTER).type('two').press(ENTER).type('thr');
    expect(played.press(up).state.draft.text).toBe('two');
    expect(played.press(up, up).state.draft.text).toBe('one');
    expect(played.press(down, down).state.draft.text).toBe('thr');
  });

  it('is cleared by Escape', () => {
    expect(chat().type('abc').press(ESCAPE).state.draft.text).toBe('');
  });
});

describe('what a model says', () => {
  it('is told to be nothing where it is nothing', () => {
    expect(chat().hear(STARTED, modelMessage('')).told.slice(1)).toEqual([
      { kind: 'note', tone: 'quiet', text: 'the model said nothing' },
    ]);
  });

  it('is told with the name of whoever said it in place of the model of the run', () => {
    const value = { text: 'here', usage: { model: 'anthropic:n' } };
    const heard = chat().hear(STARTED, runEvent({ case: 'modelMessage', value }));
    const text = 'said by anthropic:n, which was asked in its place';
    expect(heard.told.at(-1)).toEqual({ kind: 'note', tone: 'quiet', text });
  });

  it('goes into the transcript as it is done, and once only', () => {
    const played = chat().hear(STARTED, textDelta('one\n\ntw'), textDelta('o\n'));
    expect(played.told.slice(1)).toEqual([{ kind: 'speech', markdown: 'one\n\n' }]);
    played.hear(modelMessage('one\n\ntwo\n'));
    expect(played.told.slice(2)).toEqual([{ kind: 'speech', markdown: 'two\n' }]);
  });

  it('half, when the run ends, is told as far as it came', () => {
    const cancelled = runEvent({ case: 'runEnded', value: { status: RunStatus.CANCELLED } });
    expect(chat().hear(STARTED, textDelta('half a'), cancelled).told.slice(1)).toEqual([
      { kind: 'speech', markdown: 'half a' },
      { kind: 'note', tone: 'warning', text: 'cancelled' },
    ]);
  });
});

describe('a tool call', () => {
  it('is told when its record is signed', () => {
    const played = chat().hear(STARTED, proposed, finished);
    expect(played.told).toHaveLength(1);
    played.hear(attested);
    expect(played.told.slice(1)).toMatchObject([{ kind: 'call', call: { callId: 'CALL' } }]);
  });

  it('that never ended is told with the end of its run', () => {
    const played = chat().hear(STARTED, proposed, ended);
    expect(played.told.slice(1)).toMatchObject([{ kind: 'call' }, { kind: 'note', text: 'done' }]);
  });

  it('is selected with Tab, folds with Enter and space, and Escape goes back', () => {
    const played = chat().hear(STARTED, proposed, finished, attested, ended).press(TAB);
    expect(played.state.focus).toEqual({ at: 'calls', callId: 'CALL', isOpen: false, scroll: 0 });
    expect(played.press(ENTER).state.focus).toMatchObject({ isOpen: true });
    expect(played.press({ text: ' ' }).state.focus).toMatchObject({ isOpen: false });
    expect(played.press(ESCAPE).state.focus).toEqual({ at: 'draft' });
  });

  it('is left alone by who types on', () => {
    const played = chat().hear(STARTED, proposed).press(TAB).type('x');
    expect(played.state).toMatchObject({ focus: { at: 'draft' }, draft: { text: 'x' } });
  });

  it('keeps the end of what it writes, also when a character comes in two pieces', () => {
    const output = (data: Uint8Array) =>
      runEvent({ case: 'toolOutput', value: { callId: 'CALL', data } }, 0n);
    const bytes = Buffer.from('ä');
    const played = chat().hear(
      STARTED,
      proposed,
      output(bytes.subarray(0, 1)),
      output(bytes.subarray(1)),
    );
    expect(Buffer.from(played.state.calls[0]?.output ?? []).toString()).toBe('ä');
    played.hear(output(new Uint8Array(100_000)));
    expect(played.state.calls[0]?.output).toHaveLength(8192);
  });

  it('is not heard twice when it is told from the start after a break', () => {
    const output = (text: string, leftOutBytes?: bigint) =>
      runEvent(
        {
          case: 'toolOutput',
          value: {
            callId: 'CALL',
            data: Buffer.from(text),
            ...(leftOutBytes !== undefined && { leftOutBytes }),
          },
        },
        0n,
      );
    const played = chat().hear(STARTED, proposed, output('one'), output('one two', 0n));
    expect(Buffer.from(played.state.calls[0]?.output ?? []).toString()).toBe('one two');
  });
});

describe('Ctrl-C', () => {
  it('cancels what runs, whoever has the keys, and asks nothing', () => {
    const played = chat().hear(STARTED).ask().press(CTRL_C);
    expect(played.wishes).toEqual([{ kind: 'cancel', runId: 'RUN' }]);
    expect(played.state.run).toMatchObject({ isCancelling: true });
    expect(played.press(CTRL_C).wishes.at(-1)).toEqual({ kind: 'leave' });
  });

  it('cancels what has not begun as soon as it has a name', () => {
    const played = chat().type('hi').press(ENTER, CTRL_C);
    expect(played.wishes).toEqual([{ kind: 'send', ticket: 1, prompt: 'hi' }]);
    played.happen({ kind: 'run', told: { event: STARTED, ticket: 1, from: 'live' }, at: 9000 });
    expect(played.wishes.at(-1)).toEqual({ kind: 'cancel', runId: 'RUN' });
  });

  it('leaves when it comes twice and nothing runs', () => {
    const played = chat().type('abc').dash(CTRL_C);
    expect(played.wishes).toEqual([]);
    expect(played.state.draft.text).toBe('');
    expect(played.dash(CTRL_C).wishes).toEqual([{ kind: 'leave' }]);
  });

  it('is forgotten by whoever goes on typing, and clears that first', () => {
    const played = chat().dash(CTRL_C, { text: 'a' }, CTRL_C);
    expect(played.wishes).toEqual([]);
    expect(played.state.draft.text).toBe('');
  });

  it('is forgotten after a while', () => {
    const played = chat().press(CTRL_C);
    played.at += 5000;
    expect(played.press(CTRL_C).wishes).toEqual([]);
  });
});

describe('a slash command', () => {
  it('that there is not says so, suggests one, and comes back with the arrow to be corrected', () => {
    const played = chat().type('/sesions').press(ENTER);
    expect(played.told).toEqual([
      {
        kind: 'note',
        tone: 'warning',
        text: 'there is no command `/sesions`',
        help: 'did you mean `/sessions`?',
      },
    ]);
    expect(played.state.draft.text).toBe('');
    expect(played.press({ name: 'up' }).state.draft.text).toBe('/sesions');
    expect(played.wishes).toEqual([]);
  });

  it.each<[string, Wish]>([
    ['/sessions', { kind: 'list-sessions' }],
    ['/rename a b', { kind: 'rename', sessionId: 'S', title: 'a b' }],
    ['/archive', { kind: 'archive', sessionId: 'S' }],
    ['/branch', { kind: 'branch', runId: 'RUN', title: '' }],
    ['/undo', { kind: 'undo', runId: 'RUN' }],
    ['/resume', { kind: 'resume', runId: 'RUN' }],
    ['/runs', { kind: 'page', name: 'runs' }],
    ['/approvals', { kind: 'page', name: 'approvals' }],
    ['/grants', { kind: 'page', name: 'grants' }],
    ['/model', { kind: 'page', name: 'models' }],
    ['/status', { kind: 'page', name: 'status' }],
    ['/new', { kind: 'leave-session' }],
    ['/quit', { kind: 'leave' }],
  ])('%s asks for what it says', (text, wish) => {
    const played = chat().hear(STARTED, ended);
    played.happen({ kind: 'renamed', session: { sessionId: 'S', title: 'x', changedAt: '' } });
    expect(played.type(text).press(ENTER).wishes).toEqual([wish]);
  });

  it.each(['/rename x', '/archive', '/branch', '/undo', '/resume', '/cancel', '/rename'])(
    '%s says why it cannot, where there is nothing yet',
    (text) => {
      const played = chat().type(text).press(ENTER);
      expect(played.wishes).toEqual([]);
      expect(played.told).toMatchObject([{ kind: 'note', tone: 'warning' }]);
    },
  );

  it('/model with a name asks whether there is one, and /help explains', () => {
    const played = chat().type('/model gpt').press(ENTER);
    expect(played.wishes).toEqual([{ kind: 'choose-model', name: 'gpt' }]);
    expect(played.state.model).toBe('');
    expect(played.happen({ kind: 'model', name: 'openai:gpt' }).state.model).toBe('openai:gpt');
    expect(played.type('/help').press(ENTER).told.at(-1)).toMatchObject({ kind: 'page' });
  });

  it('/cancel cancels the run', () => {
    expect(chat().hear(STARTED).type('/cancel').press(ENTER).wishes).toEqual([
      { kind: 'cancel', runId: 'RUN' },
    ]);
  });
});

describe('the choice of a session', () => {
  const sessions = ['tests', 'docs', 'more docs'].map((title, place) => ({
    sessionId: `S${place}`,
    title,
    changedAt: '',
  }));

  it('narrows with what is typed, and opens the selected one', () => {
    const played = chat()
      .happen({ kind: 'sessions', sessions })
      .type('docs')
      .press({ name: 'down' }, ENTER);
    expect(played.wishes).toEqual([{ kind: 'open-session', session: sessions[2] }]);
  });

  it('opens nothing where nothing is found, and Escape goes back', () => {
    const played = chat().happen({ kind: 'sessions', sessions }).type('zzz').press(ENTER);
    expect(played.wishes).toEqual([]);
    expect(played.press(ESCAPE).state.focus).toEqual({ at: 'draft' });
  });

  it('begins with its earlier prompts, and forgets what ran in the old one', () => {
    const played = chat().hear(STARTED, proposed).ask();
    played.happen({
      kind: 'opened',
      session: { sessionId: 'S0', title: 'tests', changedAt: '' },
      prompts: ['old'],
    });
    expect(played.state).toMatchObject({ run: undefined, calls: [], questions: [], lastRunId: '' });
    expect(played.press({ name: 'up' }).state.draft.text).toBe('old');
  });
});

describe('a gateway that is away', () => {
  it('is told of while it is, and no longer', () => {
    const played = chat().happen({ kind: 'away', why: 'gone' });
    expect(played.state.away).toBe('gone');
    expect(played.happen({ kind: 'back' }).state.away).toBeUndefined();
  });

  it('says how to go on with a run that it interrupted', () => {
    const interrupted = runEvent({ case: 'runInterrupted', value: { reason: 'the daemon ended' } });
    expect(chat().hear(STARTED, interrupted).told.at(-1)).toEqual({
      kind: 'note',
      tone: 'warning',
      text: 'the run was interrupted: the daemon ended',
      help: '`/resume` takes it up again',
    });
  });
});

describe('what is printed', () => {
  it('is let go of once there is much of it, and never before it is printed', () => {
    const played = chat();
    for (let place = 0; place < 300; place += 1) played.happen({ kind: 'told', text: 'x' });
    const lastId = played.state.transcript.items.at(-1)?.id ?? 0;
    played.happen({ kind: 'printed', itemId: lastId - 1 });
    expect(played.state.transcript.items).toHaveLength(300);
    played.happen({ kind: 'printed', itemId: lastId });
    expect(played.state.transcript).toMatchObject({ items: [], epoch: 1 });
  });
});
