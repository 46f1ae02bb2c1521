import type { MessageInitShape } from '@bufbuild/protobuf';
import { PalyraError } from '@palyra/kernel';
import {
  type AnswerApprovalRequestSchema,
  type ApprovalNote,
  ApprovalStatus,
  GrantScope,
  type RunEvent,
} from '@palyra/protocol';
import { answerTo } from './answer-approval.ts';
import { type KeyParts, readKey } from './key.ts';
import type { ShownApproval } from './one-approval.ts';
import {
  type ApprovalView,
  answerCommand,
  isPending,
  leftWords,
  printApproval,
  printCall,
} from './render/approvals.ts';
import { inline, shortTime } from './render/words.ts';
import type { Terminal } from './terminal.ts';

type GivenAnswer = MessageInitShape<typeof AnswerApprovalRequestSchema>;

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

  async #ask(shown: ShownApproval, { person, signal, view }: Asking): Promise<void> {
    const { terminal, answer } = this.#parts;
    terminal.print('');
    printCall(terminal, shown.approval, view);
    terminal.note(keyLine(shown, view));
    while (!signal.aborted) {
      const key = await readKey(person.keys, signal);
      if (signal.aborted) return;
      if (key === 'y') return void (await answer(answerTo(shown, 'granted')));
      if (key === 's' && canLease(shown)) return void (await answer(leaseOf(shown)));
      if (key === 'q' || key === undefined) return terminal.note(waitingLine(shown, view));
      if (key === 'd') {
        printApproval(terminal, shown, await this.#parts.view());
        terminal.note(keyLine(shown, view));
      } else if (key === 'n') {
        const why = await person.askWhy(signal);
        if (why !== undefined) return void (await answer(answerTo(shown, 'denied', why)));
        terminal.note(keyLine(shown, view));
      }
    }
  }
}

interface Asking {
  readonly person: PersonParts;
  readonly signal: AbortSignal;
  readonly view: ApprovalView;
}

function canLease({ approval, offers }: ShownApproval): boolean {
  return offers.length > 0 && approval.gates.every(({ quorum }) => quorum <= 1);
}

/** The narrowest of what may be granted, for the calls of this session. */
function leaseOf(shown: ShownApproval): GivenAnswer {
  const shape = shown.offers[0]?.name ?? '';
  return { ...answerTo(shown, 'granted'), scope: GrantScope.SESSION, shape };
}

function keyLine(shown: ShownApproval, { now }: ApprovalView): string {
  const [narrowest] = shown.offers;
  const lease =
    narrowest !== undefined && canLease(shown)
      ? `  s  yes, for this session: ${inline(narrowest.says)}\n`
      : '';
  return `\nlet it run? ${leftWords(shown.approval, now)} left\n  y  yes, once\n${lease}  n  no   d  details   q  leave it to somebody else`;
}

function waitingLine({ approval }: ShownApproval, { gateway }: ApprovalView): string {
  const { approvalId, deadline } = approval;
  const approve = answerCommand('approve', approvalId, gateway);
  const deny = answerCommand('deny', approvalId, gateway);
  const until = shortTime(deadline);
  return `it waits until ${until} UTC: \`${approve}\` or \`${deny} --reason "…"\``;
}
