import { Writable } from 'node:stream';
import { stripVTControlCharacters } from 'node:util';
import { DecisionKind } from '@palyra/protocol';
import { render, renderToString, useWindowSize } from 'ink';
import { createElement as h } from 'react';
import { describe, expect, it } from 'vitest';
import { shownApproval } from '../../../testing/approval.ts';
import { recordedTerminal } from '../../../testing/recorded-terminal.ts';
import { STARTED, runEvent, textDelta } from '../../../testing/run-events.ts';
import { textWidth } from '../../render/text-width.ts';
import { advance } from '../advance.ts';
import { type ChatEvent, type ChatState, freshChat } from '../chat-state.ts';
import type { Press } from '../press.ts';
import { NOTHING_TOLD } from '../transcript.ts';
import { ChatScreen } from './chat-view.ts';

function heard(...events: readonly ReturnType<typeof runEvent>[]): readonly ChatEvent[] {
  return events.map((event) => ({ kind: 'run', told: { event, from: 'live' }, at: 1000 }));
}

const pressed = (press: Press): ChatEvent => ({ kind: 'pressed', press, at: 60_000 });
const typed = (text: string) => text.split('').map((character) => pressed({ text: character }));
const LONG = 'words and 漢字 and 🦊 without end '.repeat(20);

const proposed = runEvent({
  case: 'toolProposed',
  value: {
    callId: 'CALL',
    runId: 'RUN',
    tool: 'process.run',
    arguments: { command: 'git', args: [LONG] },
    facts: { process: { executable: 'git', arguments: [LONG], directory: '.' } },
  },
});
const decided = runEvent({
  case: 'toolDecided',
  value: { callId: 'CALL', kind: DecisionKind.ALLOW, reason: LONG, ruleIds: ['RULE'] },
});
const printed = runEvent({
  case: 'toolOutput',
  value: { callId: 'CALL', data: new TextEncoder().encode(`${LONG}\n`.repeat(10)) },
});
const question: ChatEvent = {
  kind: 'question',
  asked: { shown: shownApproval(), page: ['tool  git'], details: [], elsewhere: '' },
  at: Date.parse('2026-01-01T00:00:10.000Z'),
};
const sessions: ChatEvent = {
  kind: 'sessions',
  sessions: Array.from({ length: 30 }, (_, place) => ({
    sessionId: `S${place}`,
    title: LONG,
    changedAt: '2026-01-01T00:00:10.000Z',
  })),
};

const SCENES: Readonly<Record<string, readonly ChatEvent[]>> = {
  nothing: [],
  'a long answer': heard(STARTED, textDelta(`${LONG}\n\n\`\`\`\n${LONG}`)),
  'a long line without spaces': heard(STARTED, textDelta('漢'.repeat(500))),
  'a long draft': typed(LONG),
  'slash commands': typed('/'),
  'a call at work': heard(STARTED, proposed, decided, printed),
  'a question': [...heard(STARTED, proposed), question],
  'a question and a long answer': [...heard(STARTED, textDelta(LONG)), question],
  'a picker': [sessions],
};

function live(events: readonly ChatEvent[]): ChatState {
  const state = events.reduce((before, event) => advance(before, event).state, freshChat('', 0));
  return { ...state, transcript: NOTHING_TOLD };
}

function drawn(state: ChatState, columns: number, rows: number): readonly string[] {
  const environment = { NO_COLOR: '1' };
  const { paint } = recordedTerminal({ columns, environment }).terminal;
  const look = { paint, hasColour: false, environment, columns, rows };
  const text = renderToString(h(ChatScreen, { look, state }), { columns });
  return text.replaceAll('\u001b[7m', '').replaceAll('\u001b[27m', '').split('\n');
}

describe.each(Object.entries(SCENES))('a chat with %s', (_name, events) => {
  const state = live(events);

  it.each([10, 16, 20, 30, 40, 60, 200])('is never wider than %d columns', (columns) => {
    const wide = drawn(state, columns, 24).filter((line) => textWidth(line) > columns);
    expect(wide).toEqual([]);
  });

  it.each([
    [16, 16],
    [24, 24],
    [80, 16],
    [80, 24],
  ])('leaves room above it on %d columns and %d rows', (columns, rows) => {
    expect(drawn(state, columns, rows).length).toBeLessThan(rows);
  });
});

/** A terminal that remembers what was written to it last. */
class Paper extends Writable {
  readonly isTTY = true;
  columns = 80;
  rows = 24;
  #frame = '';
  #written = Promise.withResolvers<string>();

  override _write(chunk: Buffer, _encoding: string, done: () => void): void {
    this.#frame += chunk.toString();
    if (this.#frame.includes('your answer')) this.#written.resolve(this.#frame);
    done();
  }

  resize(columns: number): void {
    this.columns = columns;
    this.#frame = '';
    this.#written = Promise.withResolvers();
    this.emit('resize');
  }

  get drawn(): Promise<string> {
    return this.#written.promise;
  }
}

describe('a terminal that is made narrower, and wider again', () => {
  it('is drawn anew in its new width', async () => {
    const paper = new Paper();
    const state = live(SCENES['a question and a long answer'] ?? []);
    const environment = { NO_COLOR: '1' };
    const { paint } = recordedTerminal({ columns: 80, environment }).terminal;
    const Sized = () => {
      const look = { paint, hasColour: false, environment, ...useWindowSize() };
      return h(ChatScreen, { look, state });
    };
    const screen = render(h(Sized), { stdout: paper, patchConsole: false, interactive: true });
    await paper.drawn;
    for (const columns of [30, 120, 20]) {
      paper.resize(columns);
      const lines = stripVTControlCharacters(await paper.drawn).split('\n');
      expect(Math.max(...lines.map(textWidth))).toBe(columns);
    }
    screen.unmount();
  });
});
