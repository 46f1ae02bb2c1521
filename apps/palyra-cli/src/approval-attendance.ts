import { PalyraError } from '@palyra/kernel';
import { type ApprovalNote, ApprovalStatus, type RunEvent } from '@palyra/protocol';
import {
  type GivenAnswer,
  type KeyMeaning,
  keyHints,
  meaningOf,
  widerHints,
  widerMeaningOf,
} from './approval-keys.ts';
import { type KeyParts, readKey } from './key.ts';
import { type ShownApproval, answerTo } from './one-approval.ts';
import {
  type ApprovalView,
  isPending,
  leftWords,
  printApproval,
  printCall,
  waitingLine,
} from './render/approvals.ts';
import { inline } from './render/words.ts';
import type { Terminal } from './terminal.ts';

export interface AttendanceParts {
  readonly terminal: Terminal;
  readonly read: (approvalId: string) => Promise<ShownApproval>;
  readonly answer: (given: GivenAnswer) => Promise<unknown>;
  readonly view: () => Promise<ApprovalView>;
  /** How the person is asked; `undefined` where there is nobody, and only told how to answer. */
  readonly person: PersonParts | undefined;
}

export interface PersonParts {
  readonly keys: KeyParts;
  /** Contract: `undefined` when they would rather not say no. */
  readonly askWhy: (signal: AbortSignal) => Promise<string | undefined>;
  /** Until it is disposed of. */
  readonly everySecond: (act: () => void) => Disposable;
}

/**
 * Puts the questions of a run to whoever watches it, one after another, and takes each back as soon
 * as somebody else has answered. The run goes on waiting whatever becomes of this.
 */
export class ApprovalAttendance {
  readonly #parts: AttendanceParts;
  readonly #open = new Map<string, AbortController>();
  #turn: Promise<void> = Promise.resolve();

  constructor(parts: AttendanceParts) {
    this.#parts = parts;
  }

  hear({ event }: RunEvent): void {
    if (event.case === 'approvalChanged') this.#change(event.value);
  }

  /** Takes back what still stands there. */
  async end(): Promise<void> {
    for (const question of this.#open.values()) question.abort();
    await this.#turn;
  }

  #change({ approvalId, status }: ApprovalNote): void {
    const known = this.#open.get(approvalId);
    if (status !== ApprovalStatus.PENDING) return known?.abort();
    if (known !== undefined) return;
    const question = new AbortController();
    this.#open.set(approvalId, question);
    this.#turn = this.#turn.then(() => this.#attend(approvalId, question.signal));
  }

  /** Contract: never rejects; a question that cannot be put here can be answered elsewhere. */
  async #attend(approvalId: string, signal: AbortSignal): Promise<void> {
    const { terminal, read, view, person } = this.#parts;
    if (signal.aborted) return;
    try {
      // A run that is taken up again tells its past first: this may be long over.
      const shown = await read(approvalId);
      if (signal.aborted || !isPending(shown.approval)) return;
      const seen = await view();
      if (person === undefined) terminal.note(waitingLine(shown, seen));
      else await this.#ask(shown, { person, signal, view: seen });
    } catch (reason) {
      const { message, help } = PalyraError.from(reason);
      if (!signal.aborted) terminal.note(inline(`${message}; ${help}`));
    }
  }

  async #ask(shown: ShownApproval, asking: Asking): Promise<void> {
    const { terminal } = this.#parts;
    terminal.print('');
    printCall(terminal, shown.approval, asking.view);
    terminal.note(keyLines(shown));
    while (!asking.signal.aborted) {
      const key = await this.#keyInTime(shown, asking);
      if (asking.signal.aborted) return;
      const meant = key === undefined ? LEAVE : meaningOf(key, shown);
      if (meant === undefined) continue;
      if ((await this.#act(meant, shown, asking)) === 'over') return;
      if (!asking.signal.aborted) terminal.note(keyLines(shown));
    }
  }

  /** The time that is left counts below the keys while one of them is waited for. */
  async #keyInTime(
    { approval }: ShownApproval,
    { person: { keys, everySecond }, signal }: Asking,
  ): Promise<string | undefined> {
    const { terminal } = this.#parts;
    const count = () => terminal.progress(`${leftWords(approval, keys.clock.now())} left`);
    count();
    using _counting = everySecond(count);
    try {
      return await readKey(keys, signal);
    } finally {
      terminal.progress('');
    }
  }

  async #act(meant: KeyMeaning, shown: ShownApproval, asking: Asking): Promise<'over' | 'open'> {
    const { terminal, answer, view } = this.#parts;
    switch (meant.kind) {
      case 'answer':
        await answer(meant.given);
        return 'over';
      case 'leave':
        terminal.note(waitingLine(shown, asking.view));
        return 'over';
      case 'details':
        printApproval(terminal, shown, await view());
        return 'open';
      case 'widen':
        return await this.#widen(shown, asking);
      case 'deny': {
        const why = await asking.person.askWhy(asking.signal);
        if (why === undefined) return 'open';
        await answer(answerTo(shown, 'denied', why));
        return 'over';
      }
    }
  }

  async #widen(shown: ShownApproval, { person, signal }: Asking): Promise<'over' | 'open'> {
    const lines = widerHints(shown).map(({ key, says }) => `  ${key}  ${says}`);
    this.#parts.terminal.note(`\nyes, in this session, for\n${lines.join('\n')}`);
    const key = await readKey(person.keys, signal);
    const meant = key === undefined ? undefined : widerMeaningOf(key, shown);
    if (signal.aborted || meant?.kind !== 'answer') return 'open';
    await this.#parts.answer(meant.given);
    return 'over';
  }
}

/** Whoever ends their input leaves the question to others. */
const LEAVE: KeyMeaning = { kind: 'leave' };

interface Asking {
  readonly person: PersonParts;
  readonly signal: AbortSignal;
  readonly view: ApprovalView;
}

function keyLines(shown: ShownApproval): string {
  const hints = keyHints(shown).map(({ key, says }) => `  ${key}  ${says}`);
  const yes = hints.slice(0, -3).join('\n');
  return `\nlet it run?\n${yes}\n${hints.slice(-3).join(' ')}`;
}
