import { isJsonObject, type Json, type JsonObject, type SealedEntry } from '@palyra/kernel';

/** What is counted of one hour. */
export interface HourCounts {
  runs: number;
  callsAllowed: number;
  callsAsked: number;
  callsDenied: number;
  callsFailed: number;
  tokens: number;
  costMicroUsd: number;
}

/** How often a rule decided on one day, and when it did last. */
export interface RuleDay {
  readonly day: string;
  readonly ruleId: string;
  count: number;
  lastAt: string;
}

/** The part of an entry that is counted; of its payload, the fields that `addTo` reads. */
export type CountedEntry = Pick<SealedEntry, 'kind' | 'time' | 'payload'>;

const HOUR_LENGTH = 'YYYY-MM-DDTHH'.length;
const DAY_LENGTH = 'YYYY-MM-DD'.length;
/** No message of a model uses more tokens, or millionths of a dollar, however much one claims to. */
export const MOST_USED = 1_000_000_000_000;

/** Hours and days are of UTC and named as an entry's time begins. */
export function hourOf(time: string): string {
  return time.slice(0, HOUR_LENGTH);
}

export function dayOf(time: string): string {
  return time.slice(0, DAY_LENGTH);
}

/** Counts entries by the hour, and decisions by rule and day. */
export class ActivityTally {
  readonly hours = new Map<string, HourCounts>();
  readonly rules = new Map<string, RuleDay>();
  #hour = '';
  #counts = noCounts();

  /** Contract: never throws; what is not of its kind's shape counts as nothing. */
  add(entry: CountedEntry): void {
    const { kind } = entry;
    if (kind === 'run.started') this.#at(entry.time).runs += 1;
    else if (kind === 'approval.asked') this.#at(entry.time).callsAsked += 1;
    else if (kind === 'tool.decided') this.#addDecision(entry);
    else if (kind === 'tool.finished') this.#addResult(entry);
    else if (kind === 'model.message' || kind === 'run.compacted') this.#addUsage(entry);
  }

  clear(): void {
    this.hours.clear();
    this.rules.clear();
    this.#hour = '';
  }

  #at(time: string): HourCounts {
    if (this.#hour !== '' && time.startsWith(this.#hour)) return this.#counts;
    this.#hour = hourOf(time);
    this.#counts = this.hours.get(this.#hour) ?? noCounts();
    this.hours.set(this.#hour, this.#counts);
    return this.#counts;
  }

  #addDecision({ time, payload }: CountedEntry): void {
    if (payload['kind'] === 'DECISION_KIND_ALLOW') this.#at(time).callsAllowed += 1;
    if (payload['kind'] === 'DECISION_KIND_DENY') this.#at(time).callsDenied += 1;
    const { ruleIds } = payload;
    if (!Array.isArray(ruleIds)) return;
    for (const ruleId of ruleIds) {
      if (typeof ruleId === 'string') this.#addRule(ruleId, time);
    }
  }

  #addResult({ time, payload }: CountedEntry): void {
    if (isFailure(payload)) this.#at(time).callsFailed += 1;
  }

  #addRule(ruleId: string, time: string): void {
    const day = dayOf(time);
    const key = ruleKey(day, ruleId);
    const known = this.rules.get(key);
    if (known === undefined) {
      this.rules.set(key, { day, ruleId, count: 1, lastAt: time });
      return;
    }
    known.count += 1;
    if (time > known.lastAt) known.lastAt = time;
  }

  #addUsage({ time, payload }: CountedEntry): void {
    const { usage } = payload;
    if (!isJsonObject(usage)) return;
    const tokens = amount(usage['inputTokens']) + amount(usage['outputTokens']);
    const cost = amount(usage['costMicroUsd']);
    if (tokens + cost === 0) return;
    const counts = this.#at(time);
    counts.tokens = sum(counts.tokens, tokens);
    counts.costMicroUsd = sum(counts.costMicroUsd, cost);
  }
}

/** Days are all of one length, so that no two pairs have the same key. */
export function ruleKey(day: string, ruleId: string): string {
  return day + ruleId;
}

/** The most that SQLite and we can both count to exactly is where counting ends. */
export function sum(a: number, b: number): number {
  return Math.min(a + b, Number.MAX_SAFE_INTEGER);
}

export function noCounts(): HourCounts {
  return {
    runs: 0,
    callsAllowed: 0,
    callsAsked: 0,
    callsDenied: 0,
    callsFailed: 0,
    tokens: 0,
    costMicroUsd: 0,
  };
}

function isFailure({ outcome }: JsonObject): boolean {
  return outcome === 'TOOL_OUTCOME_FAILED' || outcome === 'TOOL_OUTCOME_TIMED_OUT';
}

const DIGITS = /^\d+$/;

/** Numbers of 64 bits are text in JSON. */
function amount(value: Json | undefined): number {
  return typeof value === 'string' && DIGITS.test(value) ? Math.min(Number(value), MOST_USED) : 0;
}
