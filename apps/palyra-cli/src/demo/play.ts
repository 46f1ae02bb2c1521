import { once } from 'node:events';
import type { PalyraClient } from '@palyra/client';
import { type RunEvent, RunStatus } from '@palyra/protocol';
import { ask } from '../ask.ts';
import { EXITS } from '../exit-codes.ts';
import { onInterrupt } from '../interrupts.ts';
import { ownKeys } from '../key.ts';
import { RunStory } from '../render/run-story.ts';
import { type Command, type Watched, watchRun } from '../run-watch.ts';
import type { Terminal } from '../terminal.ts';
import type { Listener } from './answers.ts';
import { type CallTale, hearCall } from './call-tale.ts';
import { CHAPTERS, type Chapter } from './chapters.ts';
import { type StepOutcome, checkChapter } from './check.ts';
import type { Narrator } from './narrator.ts';
import { left } from './stage.ts';

export interface Play {
  readonly client: PalyraClient;
  readonly terminal: Terminal;
  readonly listener: Listener;
  /** Absent where nobody reads along. */
  readonly narrator?: Narrator;
  /** Waits until the person has read; nobody waits where it is absent. */
  readonly pause?: (leaving: AbortSignal) => Promise<void>;
  /** Whoever leaves is told no more of the story. */
  readonly leaving: AbortSignal;
  /** Contract: looks once more at what a chapter has left behind. */
  readonly examine: (chapter: Chapter, outcome: StepOutcome) => Promise<StepOutcome>;
}

export interface Played {
  readonly lastSequence: bigint;
  readonly outcomes: readonly StepOutcome[];
}

const OPENING: Command = {
  command: { case: 'start', value: { prompt: 'make a report of the sales', sessionId: '' } },
};

/** Plays the chapters in one run, and tells them while it goes on. */
export async function play(parts: Play): Promise<Played> {
  const { listener } = parts;
  const chapters = new Chapters(parts);
  chapters.begin();
  const watched = watch(parts, chapters);
  const { outcome } = await Promise.race([watched, listener.failed ?? watched]);
  if (parts.leaving.aborted || outcome.status === RunStatus.CANCELLED) throw left();
  return { lastSequence: chapters.lastSequence, outcomes: await chapters.finish() };
}

async function watch(
  { client, terminal, listener, narrator }: Play,
  chapters: Chapters,
): Promise<Watched> {
  const story = new RunStory(terminal);
  try {
    return await watchRun({
      opening: OPENING,
      open: (commands, signal) => chapters.follow(client.runs.runStream(commands, { signal })),
      show: (event) => {
        if (narrator !== undefined) story.tell(withoutAdvice(event));
        chapters.hear(event);
      },
      note: (text) => terminal.note(text),
      interrupts: onInterrupt,
      leave: () => process.exit(EXITS.cancelled.code),
    });
  } finally {
    await listener.end();
    story.close();
  }
}

/** Advice about a gateway that is gone when somebody follows it helps nobody. */
function withoutAdvice(event: RunEvent): RunEvent {
  if (event.event.case !== 'toolDecided') return event;
  const { value } = event.event;
  return { ...event, event: { case: 'toolDecided', value: { ...value, help: '' } } };
}

/** Knows which chapter the run is in; one is over when its last call is attested. */
class Chapters {
  readonly #parts: Play;
  readonly #outcomes: StepOutcome[] = [];
  #tales: readonly CallTale[] = [];
  lastSequence = 0n;

  constructor(parts: Play) {
    this.#parts = parts;
  }

  begin(): void {
    const number = this.#outcomes.length;
    const chapter = CHAPTERS[number];
    if (chapter !== undefined) this.#parts.narrator?.open(number + 1, chapter);
  }

  hear(event: RunEvent): void {
    this.#tales = hearCall(this.#tales, event);
    if (event.sequence > this.lastSequence) this.lastSequence = event.sequence;
    this.#parts.listener.hear(event, this.#tales);
  }

  /** Holds the next event back until what came before was told. */
  async *follow(events: AsyncIterable<RunEvent>): AsyncGenerator<RunEvent> {
    for await (const event of events) {
      yield event;
      const isOver = event.event.case === 'toolAttested' && this.#isOver();
      if (isOver && !this.#parts.leaving.aborted) await this.#close();
    }
  }

  /** Chapters that the run never came to are told as what they are. */
  async finish(): Promise<readonly StepOutcome[]> {
    while (this.#outcomes.length < CHAPTERS.length) await this.#close();
    return this.#outcomes;
  }

  #isOver(): boolean {
    const told = CHAPTERS.slice(0, this.#outcomes.length + 1).flatMap(({ calls }) => calls);
    return this.#tales.filter(({ isAttested }) => isAttested).length >= told.length;
  }

  async #close(): Promise<void> {
    const chapter = CHAPTERS[this.#outcomes.length];
    if (chapter === undefined) return;
    const { examine, narrator, pause, leaving } = this.#parts;
    const outcome = await examine(chapter, checkChapter(chapter, this.#tales));
    this.#outcomes.push(outcome);
    narrator?.close(outcome, chapter.after);
    await pause?.(leaving);
    if (!leaving.aborted) this.begin();
  }
}

/** Contract: whoever ends their input here leaves, just as with Ctrl-C anywhere else. */
export async function pressEnter(leaving: AbortSignal): Promise<void> {
  const line = await ask('  Enter goes on, Ctrl-C leaves ', leaving);
  if (line !== undefined || leaving.aborted) return;
  const heard = once(leaving, 'abort');
  ownKeys().interrupt();
  await heard;
}
