import {
  ApprovalStatus,
  DecisionKind,
  ErrorCode,
  Executor,
  RunStatus,
  ToolOutcome,
} from '@palyra/protocol';
import { renderToString } from 'ink';
import { createElement as h } from 'react';
import { describe, expect, it } from 'vitest';
import { shownApproval } from '../../../testing/approval.ts';
import { recordedTerminal } from '../../../testing/recorded-terminal.ts';
import { STARTED, modelMessage, runEvent, textDelta } from '../../../testing/run-events.ts';
import { advance } from '../advance.ts';
import { type ChatEvent, freshChat } from '../chat-state.ts';
import type { Press } from '../press.ts';
import { ChatScreen } from './chat-view.ts';

interface Scene {
  readonly columns?: number;
  readonly rows?: number;
  readonly environment?: Readonly<Record<string, string>>;
}

/** The screen after these events, drawn by the real library. */
function screen(
  events: readonly ChatEvent[],
  { columns = 80, rows = 40, environment = { NO_COLOR: '1' } }: Scene = {},
) {
  const { paint } = recordedTerminal({ columns, environment }).terminal;
  const state = events.reduce((before, event) => advance(before, event).state, freshChat('', 0));
  const look = { paint, hasColour: paint('strong', 'x') !== 'x', environment, columns, rows };
  const drawn = renderToString(h(ChatScreen, { look, state }), { columns });
  // The cursor is no colour.
  return drawn.replaceAll('\u001b[7m', '').replaceAll('\u001b[27m', '');
}

function heard(...events: readonly ReturnType<typeof runEvent>[]): readonly ChatEvent[] {
  return events.map((event) => ({ kind: 'run', told: { event, from: 'live' }, at: 1000 }));
}

const pressed = (press: Press): ChatEvent => ({ kind: 'pressed', press, at: 60_000 });
const typed = (text: string) => text.split('').map((character) => pressed({ text: character }));

const CALL = [
  runEvent({
    case: 'toolProposed',
    value: {
      callId: 'CALL',
      runId: 'RUN',
      tool: 'process.run',
      arguments: { command: 'git' },
      facts: { process: { executable: 'git', arguments: ['push', '\u001b[2J'], directory: '.' } },
    },
  }),
  runEvent({
    case: 'toolDecided',
    value: {
      callId: 'CALL',
      kind: DecisionKind.ALLOW,
      reason: 'because',
      ruleIds: ['RULE'],
      approvalId: 'A',
    },
  }),
  runEvent({
    case: 'toolFinished',
    value: {
      callId: 'CALL',
      outcome: ToolOutcome.SUCCEEDED,
      durationMs: 1234,
      output: 'pushed\u001b[2J',
    },
  }),
  runEvent({
    case: 'toolAttested',
    value: {
      callId: 'CALL',
      attestationId: 'ATTESTATION',
      executor: Executor.SANDBOX_TIER_C_LINUX_BUBBLEWRAP,
      sandboxEnforcement: 'own namespaces',
    },
  }),
];
const ENDED = runEvent({ case: 'runEnded', value: { status: RunStatus.COMPLETED } });

const question: ChatEvent = {
  kind: 'question',
  asked: { shown: shownApproval(), page: ['tool  git'], details: [], elsewhere: '' },
  at: Date.parse('2026-01-01T00:00:10.000Z'),
};

describe('the screen of a chat', () => {
  it('begins with a line to type on and what is going on', () => {
    expect(screen([], { columns: 40 })).toBe(
      [
        '',
        '─'.repeat(40),
        '›  ask for something, or /help',
        '─'.repeat(40),
        'ready                        new session',
      ].join('\n'),
    );
  });

  it('has a mark on every line of a model, also where a line is too long', () => {
    const text = `${'word '.repeat(30)}\n\n- item ${'x'.repeat(100)}\n\n> quote\n\n\`\`\`\n${'y'.repeat(90)}\n\`\`\`\n`;
    const shown = screen(heard(STARTED, modelMessage(text)), { columns: 40 });
    const lines = shown.slice(shown.indexOf('│'), shown.lastIndexOf('│')).trimEnd().split('\n');
    expect(lines.length).toBeGreaterThan(12);
    expect(lines.filter((line) => !line.startsWith('│'))).toEqual([]);
  });

  it('lays markdown out', () => {
    const text =
      '# Title\n\n1. **one**\n2. [two](https://x.example)\n\n|a|b|\n|-|-|\n|c|d|\n\n```ts\nlet x;\n```\n';
    const shown = screen(heard(STARTED, modelMessage(text)), { columns: 40 });
    expect(shown).toContain(
      '│ Title\n│\n│ 1. one\n│ 2. two (https://x.example)\n│\n│ a    b\n│ ───  ───\n│ c    d',
    );
    expect(shown).toContain(`│ ── ts ${'─'.repeat(26)}\n│ let x;\n│ ${'─'.repeat(32)}`);
  });

  it('folds a call into one line, on a narrow terminal into two', () => {
    const events = heard(STARTED, ...CALL, ENDED);
    expect(screen(events)).toMatch(
      /^✓ process\.run {2}git push '\\u\{001b\}\[2J' +granted · 1\.2 s · tier c$/m,
    );
    expect(screen(events, { columns: 40 })).toContain(
      `✓ process.run git push '\\u{001b}[2J'\n  granted · 1.2 s · tier c`,
    );
  });

  it('shows what a search looks for, and what was written where it was no JSON', () => {
    const search = runEvent({
      case: 'toolProposed',
      value: {
        callId: 'A',
        runId: 'RUN',
        tool: 'fs.search',
        arguments: { text: 'needle' },
        facts: { reads: ['src'] },
      },
    });
    const message = runEvent({
      case: 'modelMessage',
      value: { toolCalls: [{ callId: 'B', argumentsJson: '{"path": ' }] },
    });
    const malformed = runEvent({
      case: 'toolProposed',
      value: { callId: 'B', runId: 'RUN', tool: 'fs.read' },
    });
    const shown = screen(heard(STARTED, message, search, malformed));
    expect(shown).toContain('fs.search  "needle" in src');
    expect(shown).toContain('fs.read  {"path": ');
  });

  it('opens a call that was no JSON to what the model wrote, made visible and bounded', () => {
    const argumentsJson = `{"path": \u001b[2J${'x'.repeat(9000)}`;
    const message = runEvent({
      case: 'modelMessage',
      value: { toolCalls: [{ callId: 'B', argumentsJson }] },
    });
    const [malformed, over] = [
      runEvent({ case: 'toolProposed', value: { callId: 'B', runId: 'RUN', tool: 'fs.read' } }),
      runEvent({ case: 'toolAttested', value: { callId: 'B', executor: Executor.NONE } }),
    ];
    const keys = [pressed({ name: 'tab' }), pressed({ name: 'return' })];
    const events = heard(STARTED, message, malformed, over, ENDED);
    const shown = screen([...events, ...keys], { rows: 300 });
    expect(shown).toContain('no arguments: what the model wrote is');
    expect(shown).toContain('{"path": ');
    expect(shown).toContain('\\u{001b}[2J');
    expect(shown).toMatch(/and \d+ characters more/);
    expect(shown).not.toContain('\u001b');
  });

  it('says that an answer broke off and is asked for anew, and how to take up a run', () => {
    const value = { model: 'openai:m', waitMs: 2000n, reason: 'it broke' };
    const error = { code: ErrorCode.MODEL_FAILED, message: 'it is gone', help: 'wait' };
    const shown = screen(
      heard(
        STARTED,
        textDelta('half'),
        runEvent({ case: 'modelMessage', value: { text: 'half', isPartial: true } }),
        runEvent({ case: 'modelAskedAgain', value }, 0n),
        runEvent({ case: 'runEnded', value: { status: RunStatus.FAILED, error } }),
      ),
    );
    expect(shown).toContain('  the answer broke off here');
    expect(shown).toContain('  openai:m is asked again in 2.0 s: it broke');
    expect(shown).toContain('try: wait; `/resume` asks it again');
  });

  it('tells a call apart that was refused when it was to run, and one that the run took back', () => {
    const [proposed, allowed] = CALL;
    const finishedAs = (outcome: ToolOutcome, message: string) =>
      runEvent({ case: 'toolFinished', value: { callId: 'CALL', outcome, error: { message } } });
    const executor = Executor.NONE;
    const attested = runEvent({ case: 'toolAttested', value: { callId: 'CALL', executor } });
    const no = runEvent({
      case: 'toolDecided',
      value: { callId: 'CALL', kind: DecisionKind.DENY },
    });
    if (proposed === undefined || allowed === undefined) throw new TypeError('a call has events');
    const changed = finishedAs(ToolOutcome.REFUSED, 'it has changed since');
    expect(screen(heard(STARTED, proposed, allowed, changed, attested))).toMatch(
      /^✗ process\.run .* granted · refused\n {2}it has changed since$/m,
    );
    const over = finishedAs(ToolOutcome.CANCELLED, 'the run was cancelled');
    const shown = screen(heard(STARTED, proposed, no, over, attested));
    expect(shown).toMatch(/^✗ process\.run .* cancelled\n {2}the run was cancelled$/m);
    expect(shown).not.toContain('refused');
  });

  it('tells of a grant that covers a call', () => {
    const [proposed, ...rest] = CALL;
    if (proposed === undefined) throw new TypeError('a call has events');
    const grant = { grantId: 'GRANT', grantUsesLeft: 1 };
    const covered = runEvent({
      case: 'approvalChanged',
      value: { callId: 'CALL', status: ApprovalStatus.GRANTED, ...grant },
    });
    const events = heard(STARTED, proposed, covered, ...rest, ENDED);
    expect(screen(events)).toMatch(/^✓ process\.run .* covered by a grant · 1\.2 s · tier c$/m);
    const keys = [pressed({ name: 'tab' }), pressed({ name: 'return' })];
    const opened = screen([...events, ...keys]);
    expect(opened).toContain('covered by grant GRANT, 1 call left');
  });

  it('folds a call open: arguments, rule, approval, output, record and posture', () => {
    const keys = [pressed({ name: 'tab' }), pressed({ name: 'return' })];
    const shown = screen([...heard(STARTED, ...CALL, ENDED), ...keys]);
    for (const part of [
      '▾ ✓ process.run',
      'RULE',
      'because',
      'ATTESTATION',
      'own namespaces',
      '│ pushed',
    ]) {
      expect(shown).toContain(part);
    }
    expect(shown).not.toContain('\u001b');
  });

  it('shows a question with its keys and the time that is left', () => {
    const shown = screen([question]);
    expect(shown).toContain('┃ tool  git');
    expect(shown).toContain(
      '┃ y  yes, once\n┃ s  yes, for this session: exactly this call\n┃ a  yes, for more',
    );
    expect(shown).toContain('your answer is needed');
  });

  it('names the call that a question is about, beside the time that is left', () => {
    expect(screen([question])).toMatch(/^┃ process\.run .+ — let it run\? \d+:\d\d left$/m);
  });

  it('lets a model speak from the left edge on', () => {
    expect(screen(heard(STARTED, textDelta('half a word')))).toMatch(/^│ half a word$/m);
  });

  it('says how to answer to who is typing something else', () => {
    const shown = screen([...typed('say '), question]);
    expect(shown).toMatch(/let it run\? .* left · Tab answers/);
    expect(shown).not.toContain('yes, once');
  });

  it('shows what waits in the queue, and commands that could be meant', () => {
    const sent = [...heard(STARTED), ...typed('more'), pressed({ name: 'return' })];
    expect(screen(sent)).toContain('  queued   more');
    expect(screen(typed('/s'))).toMatch(/\/sessions +choose a session\n +\/status/);
  });

  it('is never higher than the terminal while a model speaks', () => {
    const text = '```\n' + 'line\n'.repeat(500);
    const shown = screen(heard(STARTED, textDelta(text)));
    expect(shown.split('\n').length).toBeLessThan(40);
    const wide = screen(heard(STARTED, textDelta('word '.repeat(1500))));
    expect(wide.split('\n').length).toBeLessThan(40);
  });

  it('is never higher than the terminal while a long draft is typed', () => {
    const shown = screen([{ kind: 'pasted', text: `${'x'.repeat(50_000)}\n`.repeat(3) }]);
    expect(shown.split('\n').length).toBeLessThan(30);
  });

  it('has no colour where none is wanted, and none but ours where it is', () => {
    const text = 'a **b** \u001b[41m `c` > d\n\n> q';
    expect(screen(heard(STARTED, modelMessage(text)))).not.toContain('\u001b');
    const coloured = screen(heard(STARTED, modelMessage(text)), {
      environment: { FORCE_COLOR: '1' },
    });
    expect(coloured).toContain('\u001b[1mb\u001b[22m');
    expect(coloured).not.toContain('\u001b[41m');
  });

  it.each([40, 80, 120])('fits into %i columns', (columns) => {
    const text = '|a|b|\n|-|-|\n|' + 'wide '.repeat(40) + '|x|\n\n' + 'word '.repeat(60);
    const events = [...heard(STARTED, modelMessage(text), ...CALL), question];
    for (const line of screen(events, { columns }).split('\n')) {
      expect(line.length).toBeLessThanOrEqual(columns);
    }
  });
});
