import {
  decodeEntry,
  type EntryLink,
  type EntryView,
  isJsonObject,
  type JsonObject,
} from '@palyra/kernel';
import { ActivityTally, type CountedEntry, dayOf, ruleKey } from './activity-tally.ts';
import type { TellingKind } from './entry-kind.ts';
import type { Store } from './store.ts';
import { MOST_HOURS } from './tables/activity-hours.ts';
import { MOST_DAYS } from './tables/rule-days.ts';

/** An entry that was followed in the chain, and where its kind begins in the text. */
export interface SeenEntry {
  readonly entry: EntryView;
  readonly link: EntryLink;
  readonly kindAt: number;
}

/** Counts anew what tables `activity_hours` and `rule_days` should say. */
export class ActivityCheck {
  readonly #tally = new ActivityTally();
  readonly #known = new Map<string, JsonObject>();

  /** For an entry that is decoded anyway. */
  add(entry: CountedEntry): void {
    this.#tally.add(entry);
  }

  /** Reads of an entry only what is counted: decoding each would take longer than all the rest. */
  see(kind: TellingKind, seen: SeenEntry): void {
    switch (kind) {
      case 'approval.asked':
        this.#tally.add({ kind, time: timeOf(seen), payload: {} });
        return;
      case 'tool.decided':
        this.#addFrom('"kind":"DECISION_KIND_', kind, seen);
        return;
      case 'model.message':
        if (payloadText(seen).includes(USAGE)) this.#addFrom(USAGE, kind, seen);
        return;
      case 'tool.finished':
        if (mayHaveFailed(payloadText(seen))) this.#addWhole(seen);
        return;
      case 'run':
      case 'records.changed':
      case 'journal.archived':
      case 'other':
    }
  }

  /**
   * What archived entries added cannot be counted again: of those periods the tables may say more.
   * Contract: `undefined` when they say what was counted.
   */
  finish({ activityHours, ruleDays }: Store, beginning: 'here' | 'archived'): string | undefined {
    const { hours, rules } = this.#tally;
    const hour = misfit(new Map(values(activityHours.from(''))), new Map(values(hours)), {
      periodOf: (key) => key,
      most: MOST_HOURS,
      beginning,
    });
    if (hour !== undefined) return `hour ${hour} is miscounted`;
    const told = Array.from(ruleDays.from(''), ruleRow);
    const counted = Array.from(rules.values(), ruleRow);
    const key = misfit(new Map(told), new Map(counted), {
      periodOf: dayOf,
      most: MOST_DAYS,
      beginning,
    });
    return key === undefined
      ? undefined
      : `the decisions of a rule on ${dayOf(key)} are miscounted`;
  }

  /** A payload is read from a field on. What then is JSON began with a field of its own, not of a part of it. */
  #addFrom(field: string, kind: 'tool.decided' | 'model.message', seen: SeenEntry): void {
    const text = payloadText(seen);
    const at = text.lastIndexOf(field);
    const payload = at === -1 ? undefined : this.#read(text.slice(at));
    if (payload === undefined) this.#addWhole(seen);
    else this.#tally.add({ kind, time: timeOf(seen), payload });
  }

  /** Most decisions end as another one did, to the letter. */
  #read(fields: string): JsonObject | undefined {
    const known = this.#known.get(fields);
    if (known !== undefined) return known;
    const bytes = Buffer.from(fields, 'latin1');
    const payload = parse(bytes.toString());
    if (payload === undefined) return undefined;
    if (this.#known.size >= MOST_KNOWN) this.#known.clear();
    // A copy: the part of a text keeps all of it, which is a whole block of entries.
    this.#known.set(bytes.toString('latin1'), payload);
    return payload;
  }

  #addWhole({ entry }: SeenEntry): void {
    const decoded = decodeEntry(entry.canonical.slice(), '');
    if (decoded !== undefined) this.#tally.add(decoded);
  }
}

/** Ends of payloads that are remembered. */
const MOST_KNOWN = 256;
const USAGE = '"usage":{';
const FAILED = '"TOOL_OUTCOME_FAILED"';
const TIMED_OUT = '"TOOL_OUTCOME_TIMED_OUT"';
/** Between the payload and the hash of the entry before. */
const PREVIOUS = ',"previousHash":"';
const TIME_AT = '2026-01-02T00:00:00.000Z"}'.length;

function mayHaveFailed(payload: string): boolean {
  return payload.includes(FAILED) || payload.includes(TIMED_OUT);
}

function endOf({ entry, link }: SeenEntry): number {
  return entry.at + link.previousHashAt - PREVIOUS.length;
}

/** From the kind on. A part of the text that is not copied. */
function payloadText(seen: SeenEntry): string {
  return seen.entry.text.slice(seen.kindAt, endOf(seen));
}

function timeOf({ entry: { text, at, canonical } }: SeenEntry): string {
  const end = at + canonical.length;
  return text.slice(end - TIME_AT, end - 2);
}

function parse(fields: string): JsonObject | undefined {
  try {
    const value: unknown = JSON.parse(`{${fields}`);
    return isJsonObject(value) ? value : undefined;
  } catch {
    // It began within a part of the payload: the caller reads the whole.
    return undefined;
  }
}

type Values = readonly (number | string)[];

function* values(rows: Iterable<readonly [string, object]>): Iterable<readonly [string, Values]> {
  for (const [key, row] of rows) yield [key, Object.values(row)];
}

function ruleRow({
  day,
  ruleId,
  count,
  lastAt,
}: {
  day: string;
  ruleId: string;
  count: number;
  lastAt: string;
}): readonly [string, Values] {
  return [ruleKey(day, ruleId), [count, lastAt]];
}

interface Fitting {
  readonly periodOf: (key: string) => string;
  /** So many periods are kept. */
  readonly most: number;
  readonly beginning: 'here' | 'archived';
}

/** The first key at which the tables say something else than was counted. */
function misfit(
  told: ReadonlyMap<string, Values>,
  counted: ReadonlyMap<string, Values>,
  { periodOf, most, beginning }: Fitting,
): string | undefined {
  const keys = new Set([...told.keys(), ...counted.keys()]);
  const periods = [...new Set([...keys].map(periodOf))].toSorted();
  const kept = new Set(periods.slice(-most));
  return [...keys].find((key) => {
    const [row, expected] = [told.get(key), counted.get(key)];
    if (!kept.has(periodOf(key))) return row !== undefined;
    if (beginning === 'archived' && expected === undefined) return false;
    if (row === undefined || expected === undefined) return true;
    return row.some((value, place) => !fits(value, expected[place] ?? 0, beginning));
  });
}

function fits(told: number | string, counted: number | string, beginning: Fitting['beginning']) {
  return beginning === 'here' ? told === counted : told >= counted;
}
