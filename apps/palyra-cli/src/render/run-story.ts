import { byteWords, plural } from '@palyra/client';
import {
  type ApprovalNote,
  DecisionKind,
  type FileChange,
  type ModelMessage,
  type RunEvent,
  RunStatus,
  type ToolDecision,
  ToolOutcome,
  type ToolOutputDelta,
  type ToolProposal,
  type ToolResult,
} from '@palyra/protocol';
import type { Terminal } from '../terminal.ts';
import { askedAgainWords, saidByWords } from './asked-again.ts';
import { CallLanes } from './call-lanes.ts';
import { Gutter } from './gutter.ts';
import { wrap } from './layout.ts';
import { ShownOutput } from './shown-output.ts';
import { cut } from './text-width.ts';
import {
  type CallRecord,
  type Mark,
  NOT_REACHED,
  STAGES,
  type StageLine,
  answerLine,
  approvalLines,
  argumentText,
  attestationLine,
  decisionLines,
  proposalLine,
  recordLines,
  resultLine,
  ruledLines,
  withdrawnLine,
} from './tool-call-story.ts';
import { executorWord, inline } from './words.ts';

const STAGE_INDENT = ' '.repeat(22);

/** Tells a run on the terminal while it happens. */
export class RunStory {
  readonly #terminal: Terminal;
  readonly #speech: Gutter;
  /** Text shown since the model began to speak, to know whether its message was seen whole. */
  #spoken = '';
  readonly #lanes = new CallLanes((event) => this.#tell(event));
  /** What the model wrote for the calls of its last message, to the letter. */
  #written: ReadonlyMap<string, string> = new Map();
  #call: CallRecord | undefined;
  /** What the model thinks before it speaks. */
  #thoughts: ShownOutput | undefined;
  /** What a command prints while it runs. */
  #live: LiveOutput | undefined;
  /** Whether the model has said anything since it was asked last. */
  #hasAnswer = false;
  /** Which call has changed which file. Bounded by the run, which makes so many calls and no more. */
  readonly #changes = new Set<string>();
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
    if (happening.case !== 'reasoningDelta') this.#endThoughts();
    switch (happening.case) {
      case 'runQueued':
        return this.#headline(event, 'waits for the run before it in this session');
      case 'runStarted':
        return this.#headline(event, `with ${inline(happening.value.model)}`);
      case 'runResumed':
        return this.#headline(event, `resumed after ${plural(happening.value.turns, 'turn')}`);
      case 'runCompacted':
        return this.#aside('the older part of the conversation is told to the model in short');
      case 'modelAskedAgain':
        return this.#aside(askedAgainWords(happening.value));
      case 'reasoningDelta':
        return this.#think(happening.value.text);
      case 'textDelta':
        return this.#say(happening.value.text);
      case 'modelMessage':
        return this.#hear(happening.value);
      case 'toolProposed':
        this.#openCall(event, happening.value);
        return this.#stages(event, [proposalLine(happening.value)]);
      case 'toolDecided':
        return this.#decided(event, happening.value);
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
        return this.#stream(happening.value);
      case 'toolFinished':
        return this.#finished(event, happening.value);
      case 'toolAttested':
        this.#stages(event, [attestationLine(happening.value)]);
        return this.#closeCall();
      case 'runEnded':
        this.close();
        if (happening.value.status === RunStatus.COMPLETED && !this.#hasAnswer) {
          this.#aside('the model said nothing');
        }
        return undefined;
      case 'runInterrupted':
        return this.close();
      case 'fileChanged':
        return this.#changed(happening.value);
      case 'modelSpoken':
      case 'sandboxConnected':
      case undefined:
        return undefined;
    }
  }

  /** A call changes a file once, which its own lines tell: what comes after that is the way back. */
  #changed({ callId, path }: FileChange): void {
    const change = `${callId} ${path}`;
    if (callId === '' || this.#changes.has(change)) this.#aside(`given back: ${inline(path)}`);
    else this.#changes.add(change);
  }

  /** For the end of a stream that broke off: no half line stays open. */
  close(): void {
    this.#lanes.close();
    this.#tellDenial(ToolOutcome.REFUSED);
    this.#live?.shown.close();
    this.#live = undefined;
    this.#endThoughts();
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
    const { paint, width } = this.#terminal;
    for (const line of wrap(text, width - 2)) this.#terminal.print(`  ${paint('quiet', line)}`);
  }

  /** On a terminal somebody waits, and may wait long until it speaks; nothing of it is recorded. */
  #think(text: string): void {
    if (!this.#terminal.isInteractive) return;
    if (this.#thoughts === undefined) {
      this.#aside('the model thinks');
      this.#thoughts = new ShownOutput(this.#terminal, '  ');
    }
    this.#thoughts.feed(text);
  }

  #endThoughts(): void {
    this.#thoughts?.close();
    this.#thoughts = undefined;
  }

  #say(text: string): void {
    this.#isParted = false;
    this.#spoken += text;
    this.#speech.feed(text);
  }

  #hear({ text, toolCalls, isPartial, usage }: ModelMessage): void {
    this.#written = new Map(toolCalls.map(({ callId, argumentsJson }) => [callId, argumentsJson]));
    if (text !== '') this.#isParted = false;
    // Who joined in the middle saw a part at most; the message is the whole.
    if (this.#spoken !== text) {
      this.#speech.close();
      this.#speech.feed(text);
    }
    this.#speech.close();
    this.#spoken = '';
    this.#hasAnswer = text.trim() !== '' && toolCalls.length === 0;
    if (isPartial) this.#aside('the answer broke off here');
    const said = saidByWords(usage);
    if (said !== '') this.#aside(said);
  }

  #openCall({ sequence, entryId }: RunEvent, proposal: ToolProposal): void {
    const { paint, width } = this.#terminal;
    this.#call = { first: sequence, last: sequence, entryId, events: 0 };
    const tool = inline(proposal.tool);
    const given = argumentText(proposal.arguments, this.#written.get(proposal.callId));
    const room = Math.max(width - tool.length - 14, 20);
    const what = `${paint('strong', tool)} ${paint('quiet', cut(given, room))}`;
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
    if (this.#call === undefined) return;
    const answer = answerLine(note, this.#call.asked);
    const told = answer === undefined ? {} : { answer };
    this.#call = { ...this.#call, asked: note.status, ...told };
  }

  /** What kind of a no it is the result tells, which follows at once. */
  #decided(event: RunEvent, decision: ToolDecision): void {
    const isNo = decision.kind === DecisionKind.DENY || decision.kind === DecisionKind.UNSPECIFIED;
    this.#stages(event, isNo ? [] : this.#decisionLines(decision));
    if (isNo && this.#call !== undefined) this.#call = { ...this.#call, denial: decision };
  }

  #decisionLines(decision: ToolDecision): readonly StageLine[] {
    const { asked, answer } = this.#call ?? {};
    if (asked === undefined) return decisionLines(decision);
    return [...ruledLines(decision, asked), ...(answer === undefined ? [] : [answer])];
  }

  #tellDenial(outcome: ToolOutcome): void {
    const { denial } = this.#call ?? {};
    if (this.#call === undefined || denial === undefined) return;
    const isWithdrawn = outcome === ToolOutcome.CANCELLED;
    this.#printStages(isWithdrawn ? [withdrawnLine(denial)] : this.#decisionLines(denial));
    this.#call = { ...this.#call, denial: undefined };
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
  #stream({ data, leftOutBytes = 0n }: ToolOutputDelta): void {
    if (!this.#terminal.isInteractive) return;
    this.#live ??= {
      shown: new ShownOutput(this.#terminal, STAGE_INDENT),
      decoder: new TextDecoder(),
    };
    const { shown, decoder } = this.#live;
    if (leftOutBytes > 0n) shown.feed(`… ${byteWords(Number(leftOutBytes))} were before this\n`);
    shown.feed(decoder.decode(data, { stream: true }));
  }

  #finished(event: RunEvent, result: ToolResult): void {
    const live = this.#live?.shown;
    live?.close();
    this.#live = undefined;
    const isDenied = this.#call?.denial !== undefined;
    this.#tellDenial(result.outcome);
    this.#stages(event, [isDenied ? NOT_REACHED : resultLine(result)]);
    if (result.output === '' || result.outcome === ToolOutcome.REFUSED) return;
    const shown = live ?? this.#output(result.output);
    if (!shown.isCut) return;
    const lines = plural(result.output.trimEnd().split('\n').length, 'line');
    const all = `… ${lines} in all: palyra runs replay ${inline(event.runId)} --json`;
    this.#terminal.print(STAGE_INDENT + this.#terminal.paint('quiet', all));
  }

  #output(output: string): ShownOutput {
    const shown = new ShownOutput(this.#terminal, STAGE_INDENT);
    shown.feed(output);
    shown.close();
    return shown;
  }
}

interface LiveOutput {
  readonly shown: ShownOutput;
  readonly decoder: TextDecoder;
}
