import { create, toJson } from '@bufbuild/protobuf';
import { type Clock, type EntryDraft, type Log, isJsonObject, redact } from '@palyra/kernel';
import { AccessRefusedSchema } from '@palyra/protocol';
import { ENGINE_VERSION } from '../engine/cedar.ts';
import { matterWords } from '../explain/words.ts';
import type { PolicyRequest } from '../model.ts';
import type { Sets } from '../sets/sets.ts';
import { requestMessage } from './request-message.ts';

/** The journal, as far as refusals are written to it. */
export interface JournalPart {
  append(drafts: readonly EntryDraft[]): Promise<unknown>;
}

export interface RefusalParts {
  readonly journal: JournalPart;
  readonly sets: Pick<Sets, 'noteUse'>;
  readonly clock: Clock;
  readonly log: Log;
}

/** Who was refused what, and why. */
export interface Refused {
  readonly principal: string;
  readonly actor: string;
  readonly channel: string;
  readonly deviceId: string;
  readonly action: string;
  /** Absent when it could not be asked. */
  readonly asked?: PolicyRequest;
  readonly reason: string;
  readonly help: string;
  readonly ruleIds: readonly string[];
  readonly policySetHash: string;
}

/** Of one principal and one action; whoever tries in a loop does not fill the journal. */
const PERIOD_MS = 60_000;
/** So many of them have an entry in one period, whoever they are. */
const MOST_OPEN = 1_000;

interface Period {
  readonly until: number;
  leftOut: number;
}

/**
 * Journals what known callers are refused: the first in a minute of each principal and action, with how
 * many were left out since the entry before. Of what the bounds keep out altogether the log tells.
 */
export class Refusals {
  readonly #parts: RefusalParts;
  /** In the order in which they began. */
  readonly #periods = new Map<string, Period>();
  #untold = 0;

  constructor(parts: RefusalParts) {
    this.#parts = parts;
  }

  /**
   * Contract: never rejects, so that a refusal stays what it is; what cannot be written is logged, and
   * counted in the next entry.
   */
  async note(refused: Refused): Promise<void> {
    const { journal, sets, clock, log } = this.#parts;
    const key = `${refused.action} ${refused.principal}`;
    const period = this.#begin(key, clock.now().getTime());
    if (period === undefined) return;
    try {
      sets.noteUse(refused.policySetHash);
      const { leftOut } = period;
      await journal.append([draftOf(refused, leftOut)]);
      // Others may have been counted meanwhile.
      period.leftOut -= leftOut;
    } catch (reason) {
      period.leftOut += 1;
      log.error('a refusal could not be journaled', {
        principal: refused.principal,
        action: refused.action,
        error: redact(reason),
      });
    }
  }

  /** What no entry will count any more. */
  close(): void {
    for (const { leftOut } of this.#periods.values()) this.#untold += leftOut;
    this.#periods.clear();
    this.#tell();
  }

  /** Contract: `undefined` for what is only counted. */
  #begin(key: string, now: number): Period | undefined {
    const known = this.#periods.get(key);
    if (known !== undefined && now < known.until) {
      known.leftOut += 1;
      return undefined;
    }
    if (known === undefined && !this.#makeRoom(now)) {
      this.#untold += 1;
      return undefined;
    }
    const period = { until: now + PERIOD_MS, leftOut: known?.leftOut ?? 0 };
    this.#periods.delete(key);
    this.#periods.set(key, period);
    return period;
  }

  #makeRoom(now: number): boolean {
    if (this.#periods.size < MOST_OPEN) return true;
    const [[key, oldest] = []] = this.#periods;
    if (key === undefined || oldest === undefined || now < oldest.until) return false;
    this.#untold += oldest.leftOut;
    this.#periods.delete(key);
    this.#tell();
    return true;
  }

  #tell(): void {
    if (this.#untold === 0) return;
    this.#parts.log.warn('refusals that no entry of the journal counts', { count: this.#untold });
    this.#untold = 0;
  }
}

function draftOf({ actor, asked, ...refused }: Refused, leftOut: number): EntryDraft {
  const message = create(AccessRefusedSchema, {
    ...refused,
    ruleIds: [...refused.ruleIds],
    resource: asked === undefined ? '' : matterWords(asked.resource),
    policyEngine: ENGINE_VERSION,
    leftOut,
    ...(asked && { asked: requestMessage(asked) }),
  });
  const payload = toJson(AccessRefusedSchema, message);
  return { kind: 'access.refused', actor, payload: isJsonObject(payload) ? payload : {} };
}
