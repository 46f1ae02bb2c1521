import type { PalyraClient } from '@palyra/client';
import { PalyraError, systemClock } from '@palyra/kernel';
import { type Pairing, PairingSchema, PairingState, type ProvenDevice } from '@palyra/protocol';
import { canAsk, confirm } from './ask.ts';
import { type Invocation, wantsJson } from './command.ts';
import type { Exit } from './exit-codes.ts';
import { endPairing } from './pairing-answers.ts';
import { type ActsFor, provenFields } from './render/devices.ts';
import { printFields } from './render/layout.ts';
import { clockWords } from './render/pairing-card.ts';
import { inline, pairingStateWord } from './render/words.ts';
import { wireJson } from './wire-json.ts';

const TICK_MS = 1000;

export interface Attended {
  readonly client: PalyraClient;
  readonly pairingId: string;
  readonly actsFor: () => Promise<ActsFor>;
  /** Aborts when the person leaves. */
  readonly signal: AbortSignal;
}

/**
 * Stays with a pairing until it has ended, and asks the person once a device has proven itself.
 * Contract: who leaves ends it; nobody would be there to see which device uses its secrets.
 */
export async function attendPairing(invocation: Invocation, attended: Attended): Promise<Exit> {
  try {
    return conclude(invocation, await watchPairing(invocation, attended));
  } catch (reason) {
    if (!attended.signal.aborted) throw reason;
  }
  const { terminal } = invocation.shell;
  const ended = await endPairing(attended.client, attended.pairingId);
  if (!wantsJson(invocation)) terminal.note('\nthe pairing has ended: PIN and link are of no use');
  else if (ended !== undefined) {
    terminal.json('pairing', { pairing: wireJson(PairingSchema, ended) });
  }
  return 'cancelled';
}

async function watchPairing(
  invocation: Invocation,
  attended: Attended,
): Promise<Pairing | undefined> {
  const { terminal } = invocation.shell;
  const { client, pairingId, signal } = attended;
  using countdown = new Countdown(invocation);
  using question = new Question(invocation, attended);
  let last: Pairing | undefined;
  for await (const { pairing } of client.pairing.watchPairing({ pairingId }, { signal })) {
    if (pairing === undefined) continue;
    if (wantsJson(invocation) && isNews(last, pairing)) {
      terminal.json('pairing', { pairing: wireJson(PairingSchema, pairing) });
    }
    last = pairing;
    const { proven, state } = pairing;
    if (state === PairingState.PENDING && proven === undefined) {
      countdown.show(pairing);
      continue;
    }
    countdown.end();
    if (state === PairingState.PENDING && proven !== undefined) question.put(proven);
    else question.takeBack();
  }
  countdown.end();
  await question.answered();
  return last;
}

function isNews(before: Pairing | undefined, now: Pairing): boolean {
  const isSame = before?.state === now.state && before.tries === now.tries;
  return !isSame || (before.proven === undefined) !== (now.proven === undefined);
}

function conclude(invocation: Invocation, pairing: Pairing | undefined): Exit {
  const { terminal } = invocation.shell;
  if (pairing?.state === PairingState.COMPLETED) {
    if (!wantsJson(invocation)) {
      const mark = terminal.paint('good', terminal.symbols.done);
      const name = inline(pairing.proven?.name ?? '');
      terminal.print(`${mark} \`${name}\` is paired, as device ${inline(pairing.deviceId)}`);
    }
    return 'ok';
  }
  const why = pairing?.reason === '' ? undefined : pairing?.reason;
  const state = pairing === undefined ? 'gone' : pairingStateWord(pairing.state);
  throw new PalyraError('PAIRING_ENDED', `the pairing is ${state}${why ? `: ${why}` : ''}`);
}

const MAX_TRIES = 5;

/** The PIN ends with its last try; the link, which nobody can guess, does not. */
function triesWords(tries: number): string {
  return tries < MAX_TRIES
    ? `${tries} of ${MAX_TRIES} tries used`
    : 'by the link; the PIN has ended';
}

/** How long the secrets are still good, on a line that replaces itself. */
class Countdown implements Disposable {
  readonly #invocation: Invocation;
  readonly #clock = systemClock();
  #timer: NodeJS.Timeout | undefined;

  constructor(invocation: Invocation) {
    this.#invocation = invocation;
  }

  show({ expiresAt, tries }: Pairing): void {
    this.end();
    if (wantsJson(this.#invocation)) return;
    const { terminal } = this.#invocation.shell;
    const tell = () => {
      const left = clockWords(Date.parse(expiresAt) - this.#clock.now().getTime());
      const tried = tries === 0 ? '' : `, ${triesWords(tries)}`;
      terminal.progress(`waiting for the new device, ${left} left${tried}`);
    };
    tell();
    this.#timer = setInterval(tell, TICK_MS).unref();
  }

  end(): void {
    if (this.#timer === undefined) return;
    clearInterval(this.#timer);
    this.#timer = undefined;
    this.#invocation.shell.terminal.progress('');
  }

  [Symbol.dispose](): void {
    this.end();
  }
}

/** Asked once, while somebody else may answer it first or time may run out. */
class Question implements Disposable {
  readonly #invocation: Invocation;
  readonly #attended: Attended;
  readonly #back = new AbortController();
  #answering: Promise<void> | undefined;

  constructor(invocation: Invocation, attended: Attended) {
    this.#invocation = invocation;
    this.#attended = attended;
  }

  put(proven: ProvenDevice): void {
    if (this.#answering !== undefined || wantsJson(this.#invocation)) return;
    this.#answering = this.#ask(proven);
    // It is awaited when the stream has ended, which may be later than it fails.
    this.#answering.catch(() => {});
  }

  async #ask(proven: ProvenDevice): Promise<void> {
    const { terminal } = this.#invocation.shell;
    const { client, pairingId, actsFor } = this.#attended;
    const fields = provenFields(proven, await actsFor());
    if (this.#back.signal.aborted) return;
    terminal.print('\na device knows the secret:\n');
    printFields(terminal, fields);
    terminal.print('');
    if (!canAsk()) {
      terminal.note(`confirm it with \`palyra pairing approve ${inline(pairingId)}\``);
      return;
    }
    const question = 'does it show the same fingerprint, and do you let it in?';
    const isYes = await confirm(question, this.#back.signal);
    if (this.#back.signal.aborted) return;
    const answer = isYes ? PairingState.APPROVED : PairingState.REJECTED;
    const { keyFingerprint } = proven;
    await client.pairing.answerPairing({ pairingId, keyFingerprint, answer });
  }

  takeBack(): void {
    this.#back.abort();
  }

  async answered(): Promise<void> {
    await this.#answering;
  }

  [Symbol.dispose](): void {
    this.takeBack();
  }
}
