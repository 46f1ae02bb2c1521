import { PalyraError, type RunId, parseId } from '@palyra/kernel';
import { type ApprovalRecord, ApprovalStatus, RunStatus } from '@palyra/protocol';
import { callerOfStanding } from '../identity/caller-of-standing.ts';
import type { GatewayParts } from '../parts.ts';
import { begunRun } from './resumable.ts';
import { sessionOf } from './run-ids.ts';
import { ACTORS } from './run-note.ts';
import type { Runs } from './runs.ts';
import type { Place } from './session-lines.ts';
import { unheardAnswers } from './unheard-answers.ts';

type TakeUpParts = Pick<
  GatewayParts,
  'runs' | 'journal' | 'approvalDesk' | 'clock' | 'identity' | 'log'
>;

/**
 * Lets a run go on that was cut off while it waited for a person, now that they have answered: that
 * answer was all that it waited for. It goes on as whoever it is for, with the rights that they and their device
 * have then; its call is decided from the start, and finds the answer.
 */
export class TakeUp {
  readonly #runs: Pick<Runs, 'enter' | 'resume'>;
  readonly #parts: TakeUpParts;
  /** What is looked after here already: further answers to it are found when it goes on. */
  readonly #known = new Set<RunId>();

  constructor(runs: Pick<Runs, 'enter' | 'resume'>, parts: TakeUpParts) {
    this.#runs = runs;
    this.#parts = parts;
  }

  /**
   * Contract: resolves when the run goes on, or waits for those before it in its session; never
   * rejects. A run that cannot go on stays interrupted, and the answer counts until the question ends.
   */
  async answered({ status, proposal }: ApprovalRecord): Promise<void> {
    const runId = parseId<'run'>(proposal?.runId ?? '');
    if (status === ApprovalStatus.PENDING || runId === undefined || this.#known.has(runId)) return;
    this.#known.add(runId);
    const place = await this.#placeFor(runId).catch((reason: unknown) => this.#tell(runId, reason));
    if (place === undefined) {
      this.#known.delete(runId);
      return;
    }
    const going = this.#goOn(runId, place);
    if (place.isFirst) await going;
  }

  /**
   * The same for answers that a gateway did not get to act on before it ended. To be called once, after
   * what that left without an end was marked. Contract: never rejects.
   */
  async answeredBefore(): Promise<void> {
    try {
      for await (const record of unheardAnswers(this.#parts)) await this.answered(record);
    } catch (reason) {
      const { code, message } = PalyraError.from(reason);
      this.#parts.log.warn('answered runs could not be looked for', { code, reason: message });
    }
  }

  async #placeFor(runId: RunId): Promise<Place | undefined> {
    const run = await this.#parts.runs.get(runId);
    if (run?.status !== RunStatus.INTERRUPTED) return undefined;
    return this.#runs.enter(sessionOf(run), 'wait');
  }

  /** Contract: never rejects. */
  async #goOn(runId: RunId, place: Place): Promise<void> {
    const { runs, journal, identity } = this.#parts;
    try {
      await place.turn;
      // Somebody may have called it off while it waited.
      if ((await runs.get(runId))?.status !== RunStatus.INTERRUPTED) return place.leave();
      const { principal, deviceId, channel } = (await begunRun(runId, journal)).message;
      const standing = await identity.access.standing(principal, deviceId);
      const through = deviceId === '' ? {} : { deviceId };
      const asker = { ...callerOfStanding(standing), ...through, channel, actor: ACTORS.gateway };
      await this.#runs.resume(runId, asker, place);
    } catch (reason) {
      place.leave();
      this.#tell(runId, reason);
    } finally {
      this.#known.delete(runId);
    }
  }

  #tell(runId: RunId, cause: unknown): undefined {
    const { code, message } = PalyraError.from(cause);
    this.#parts.log.warn('an answered run could not go on', { runId, code, reason: message });
  }
}
