import {
  type ApprovalNote,
  type RunEvent,
  RunStatus,
  type ToolDecision,
  ToolOutcome,
  type ToolResult,
} from '@palyra/protocol';
import type { Terminal } from '../terminal.ts';
import { CallLanes } from './call-lanes.ts';
import { Gutter } from './gutter.ts';
import { wrap } from './layout.ts';
import { cut } from './text-width.ts';
import {
  type CallRecord,
  type Mark,
  STAGES,
  type StageLine,
  approvalLines,
  argumentText,
  attestationLine,
  decisionLines,
  proposalLine,
  recordLines,
  resultLine,
  ruledLines,
} from './tool-call-story.ts';
import { executorWord, inline, plural } from './words.ts';

/** Of a tool's output this much is shown; the journal has the digest of all of it. */
const SHOWN_OUTPUT = 4000;
const STAGE_INDENT = ' '.repeat(22);

/** Tells a run on the terminal while it happens. */
export class RunStory {
  readonly #terminal: Terminal;
  readonly #speech: Gutter;
  /** Text shown since the model began to speak, to know whether its message was seen whole. */
  #spoken = '';
  readonly #lanes = new CallLanes((event) => this.#tell(event));
  #call: CallRecord | undefined;
  /** What a command prints while it runs. */
  #live: LiveOutput | undefined;
  /** The last line is empty: the next block needs no other one before it. */
  #isParted = true;

  constructor(terminal: Terminal) {
    this.#terminal = terminal;
    this.#speech = new Gutter(terminal);
  }

  tell(event: RunEvent): void {
    this.#lanes.hear(event);
  }

  #tell(event: RunEvent): void {
    const { event: happening } = event;
    switch (happening.case) {
      case 'runQueued':
        return this.#headline(event, 'waits for the run before it in this session');
      case 'runStarted':
        return this.#headline(event, `with ${inline(happening.value.model)}`);
      case 'runResumed':
        return this.#headline(event, `resumed after ${plural(happening.value.turns, 'turn')}`);
      case 'runCompacted':
        return this.#aside('the older part of the conversation is told to the model in short');
      case 'textDelta':
        return this.#say(happening.value.text);
      case 'modelMessage':
        return this.#hear(happening.value.text);
      case 'toolProposed':
        this.#openCall(event, inline(happening.value.tool), happening.value.arguments);
        return this.#stages(event, [proposalLine(happening.value)]);
      case 'toolDecided':
        return this.#stages(event, this.#decided(happening.value));
      case 'approvalChanged':
        return this.#approval(event, happening.value);
      case 'toolStarted':
        return this.#stages(event, [
          {
            stage: 'sandbox',
            mark: 'none',
            text: `started: ${executorWord(happening.value.executor)}`,
          },
        ]);
      case 'toolOutput':
        return this.#stream(happening.value.data);
      case 'toolFinished':
        return this.#finished(event, happening.value);
      case 'toolAttested':
        this.#stages(event, [attestationLine(happening.value)]);
        return this.#closeCall();
      case 'runEnded':
      case 'runInterrupted':
        return this.close();
      case 'reasoningDelta':
      case 'sandboxConnected':
      case 'fileChanged':
      case undefined:
        return undefined;
    }
  }

  /** For the end of a stream that broke off: no half line stays open. */
  close(): void {
    this.#lanes.close();
    this.#live?.gutter.close();
    this.#live = undefined;
    this.#speech.close();
  }

  #headline(event: RunEvent, text: string): void {
    const { paint } = this.#terminal;
    this.#terminal.print(
      `${paint('strong', `run ${inline(event.runId)}`)} ${paint('quiet', text)}`,
    );
    this.#part();
  }

  #aside(text: string): void {
    this.#speech.close();
    this.#terminal.print(`  ${this.#terminal.paint('quiet', text)}`);
  }

  #say(text: string): void {
    this.#isParted = false;
    this.#spoken += text;
    this.#speech.feed(text);
  }

  #hear(text: string): void {
    if (text !== '') this.#isParted = false;
    // Who joined in the middle saw a part at most; the message is the whole.
    if (this.#spoken !== text) {
      this.#speech.close();
      this.#speech.feed(text);
    }
    this.#speech.close();
    this.#spoken = '';
  }

  #openCall(event: RunEvent, tool: string, value: Parameters<typeof argumentText>[0]): void {
    const { paint, width } = this.#terminal;
    const { sequence, entryId } = event;
    this.#call = { first: sequence, last: sequence, entryId, events: 0 };
    const room = Math.max(width - tool.length - 14, 20);
    const what = `${paint('strong', tool)} ${paint('quiet', cut(argumentText(value), room))}`;
    if (!this.#isParted) this.#part();
    this.#terminal.print(`  ${paint('accent', 'tool call')}  ${what}`);
  }

  #stages(event: RunEvent, lines: readonly StageLine[]): void {
    const { sequence, entryId } = event;
    const call = this.#call ?? { first: sequence, last: sequence, entryId, events: 0 };
    this.#call = { ...call, last: sequence, entryId, events: call.events + 1 };
    this.#printStages(lines);
  }

  #approval(event: RunEvent, note: ApprovalNote): void {
    this.#stages(event, approvalLines(note));
    if (this.#call !== undefined) this.#call = { ...this.#call, asked: note.status };
  }

  #decided(decision: ToolDecision): readonly StageLine[] {
    const asked = this.#call?.asked;
    return asked === undefined ? decisionLines(decision) : ruledLines(decision, asked);
  }

  #closeCall(): void {
    if (this.#call !== undefined) this.#printStages(recordLines(this.#call));
    this.#call = undefined;
    this.#part();
  }

  #part(): void {
    this.#terminal.print('');
    this.#isParted = true;
  }

  #printStages(lines: readonly StageLine[]): void {
    const { paint, width } = this.#terminal;
    for (const { stage, mark, text, help } of lines) {
      const head = paint('quiet', `${STAGES[stage]} ${stage.padEnd(13)}`);
      const [first = '', ...more] = wrap(text, width - STAGE_INDENT.length);
      this.#terminal.print(`    ${head} ${this.#mark(mark)} ${first}`);
      const tries = help === undefined ? [] : wrap(`try: ${help}`, width - STAGE_INDENT.length);
      for (const line of more) this.#terminal.print(STAGE_INDENT + line);
      for (const line of tries) this.#terminal.print(STAGE_INDENT + paint('quiet', line));
    }
  }

  #mark(mark: Mark): string {
    const { paint, symbols } = this.#terminal;
    const tones = { done: 'good', failed: 'bad', none: 'quiet' } as const;
    return paint(tones[mark], symbols[mark]);
  }

  /** On a terminal somebody waits: they see what a command prints as it does. */
  #stream(data: Uint8Array): void {
    if (!this.#terminal.isInteractive) return;
    this.#live ??= {
      gutter: new Gutter(this.#terminal, STAGE_INDENT),
      decoder: new TextDecoder(),
      shown: 0,
    };
    const room = SHOWN_OUTPUT - this.#live.shown;
    const text = this.#live.decoder.decode(data, { stream: true }).slice(0, room);
    this.#live.shown += text.length;
    this.#live.gutter.feed(text);
  }

  #finished(event: RunEvent, result: ToolResult): void {
    const seen = this.#live;
    seen?.gutter.close();
    this.#live = undefined;
    this.#stages(event, [resultLine(result)]);
    if (seen === undefined) return this.#output(result);
    const more = result.output.length - seen.shown;
    if (more > 0) this.#aside(`${STAGE_INDENT}… ${result.output.length} characters in all`);
  }

  #output(result: ToolResult): void {
    if (result.output === '' || result.outcome === ToolOutcome.REFUSED) return;
    const output = new Gutter(this.#terminal, STAGE_INDENT);
    output.feed(result.output.slice(0, SHOWN_OUTPUT));
    if (result.output.length > SHOWN_OUTPUT) output.feed(`\n… ${result.output.length} in all`);
    output.close();
  }
}

interface LiveOutput {
  readonly gutter: Gutter;
  readonly decoder: TextDecoder;
  shown: number;
}

/** How a run came out, counted from its events. */
export interface RunOutcome {
  readonly status: RunStatus;
  readonly refused: number;
  readonly lastEntryId: string;
  readonly error: { readonly message: string; readonly help: string } | undefined;
}

export const UNKNOWN_OUTCOME: RunOutcome = {
  status: RunStatus.UNSPECIFIED,
  refused: 0,
  lastEntryId: '',
  error: undefined,
};

export function observe(outcome: RunOutcome, event: RunEvent): RunOutcome {
  const lastEntryId = event.entryId === '' ? outcome.lastEntryId : event.entryId;
  const { event: happening } = event;
  if (happening.case === 'toolFinished' && happening.value.outcome === ToolOutcome.REFUSED) {
    return { ...outcome, lastEntryId, refused: outcome.refused + 1 };
  }
  if (happening.case === 'runEnded') {
    const { status, error } = happening.value;
    return { ...outcome, lastEntryId, status, error };
  }
  if (happening.case === 'runResumed') {
    // The story of a resumed run tells its interruption first; that is not how it ends.
    return { ...outcome, lastEntryId, status: RunStatus.ACTIVE };
  }
  if (happening.case === 'runInterrupted') {
    return { ...outcome, lastEntryId, status: RunStatus.INTERRUPTED };
  }
  return { ...outcome, lastEntryId };
}
