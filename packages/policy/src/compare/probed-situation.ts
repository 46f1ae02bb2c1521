import { isDeepStrictEqual } from 'node:util';
import type { PolicyContext, Rule } from '../model.ts';
import type { Case } from './cases.ts';
import { adding, setting } from './edit.ts';
import type { Remaining, RulesToCompare } from './remaining.ts';
import { PLAIN, type Situation } from './situation.ts';
import { isAsked, situationContext, type Target } from './target.ts';
import { circumstancesOf, type Witness, witnessesOf, witnessesOfCase } from './witness.ts';

/** Of the ways in which circumstances can come together. */
const MAX_SITUATIONS = 2_000;

/** No rule names them, so each stands for all that no rule names. */
export const ANY_HOST = 'unnamed.example';
export const ANY_INSIDE = 'unnamed/file';
export const ANY_OUTSIDE = '/unnamed/file';
export const ANY_SECRET = 'unnamed';

export interface ProbedSituation extends Situation {
  /** Which circumstances are not plain, in words. */
  readonly says: readonly string[];
}

export interface SeenSituation {
  readonly situation: ProbedSituation;
  /** As rules see it, but for what comes with the target. INVARIANT: one object for equal ones. */
  readonly context: PolicyContext;
}

type Probe = (remaining: readonly Remaining[], target: Target) => readonly SeenSituation[];

/** Situations that what is left of the rules can tell apart, and that the target can be in. */
export function probing(cases: RulesToCompare['cases']): Probe {
  const situations = new Map<string, readonly ProbedSituation[]>();
  const seen = new Map<string, SeenSituation>();
  const see = (situation: ProbedSituation, target: Target): SeenSituation => {
    const { says: _says, ...facts } = situation;
    const key = JSON.stringify([isAsked(target.resource), facts]);
    const known = seen.get(key) ?? { situation, context: situationContext(target, situation) };
    seen.set(key, known);
    return known;
  };
  return (remaining, target) => {
    const key = remaining.map(({ read }) => read.place).join();
    const all = situations.get(key) ?? situationsFor(remaining, cases);
    situations.set(key, all);
    const possible = all.filter((situation) => isPossible(situation, target));
    return apart(possible, remaining).map((situation) => see(situation, target));
  };
}

function apart(
  situations: readonly ProbedSituation[],
  remaining: readonly Remaining[],
): readonly ProbedSituation[] {
  const isRead = readBy(remaining);
  const different = new Map<string, ProbedSituation>();
  for (const situation of situations) {
    const { says: _says, ...facts } = situation;
    const read = Object.entries(facts).filter(([name]) => isRead(name));
    const key = JSON.stringify(read.toSorted(([one], [other]) => (one < other ? -1 : 1)));
    if (!different.has(key)) different.set(key, situation);
  }
  return [...different.values()];
}

function readBy(remaining: readonly Remaining[]): (name: string) => boolean {
  const all = remaining.flatMap(({ open }) => open.map(({ attributes }) => attributes));
  const names = new Set<string>();
  for (const attributes of all) {
    if (attributes === 'all') return () => true;
    for (const name of attributes) names.add(name);
  }
  return (name) => names.has(name);
}

/** What a tool cannot do, none of its calls does. */
function isPossible(situation: Situation, { resource, capabilities }: Target): boolean {
  const can = (...names: readonly string[]) =>
    resource.type === 'Tool' && names.some((name) => capabilities.includes(name));
  const { hosts, http, reads, writes, secrets, process } = situation;
  return (
    (hosts.length === 0 || can('network', 'browser', 'process_exec')) &&
    (http === undefined || can('network', 'browser')) &&
    (writes.length === 0 || can('filesystem_write', 'process_exec')) &&
    (reads.length === 0 || can('filesystem_read', 'filesystem_write', 'process_exec')) &&
    (secrets.length === 0 || can('secrets_read')) &&
    (process === undefined || can('process_exec'))
  );
}

/** What touches something that no rule names: a host, a folder, a secret. */
const UNNAMED: readonly Witness[] = [
  adding('hosts.all', ANY_HOST),
  adding('writes.all', ANY_INSIDE),
  adding('writes.all', ANY_OUTSIDE),
  adding('reads.all', ANY_INSIDE),
  adding('reads.all', ANY_OUTSIDE),
  adding('secrets', ANY_SECRET),
  ...['console', 'desktop', 'api', 'schedule', 'worker'].map((one) => setting('channel', one)),
  ...['A', 'B', 'C'].map((one) => setting('tier', one)),
].flatMap((edit) => (edit === undefined ? [] : [[edit]]));

/** Of two rules that have to apply together, so many ways of each are combined. */
const MAX_TOGETHER = 3;
/** Of a rule that changed, so many of its cases are asked for one by one, each in so many ways. */
const MAX_CASES = 64;
const MAX_WAYS = 2;
/** So many ways of all that changed are combined with each of what no rule names. */
const MAX_COMBINED = 48;

function situationsFor(
  remaining: readonly Remaining[],
  cases: RulesToCompare['cases'],
): readonly ProbedSituation[] {
  const rules = (isChanged: boolean) =>
    remaining.filter(({ read }) => read.isChanged === isChanged).map(({ read }) => read.rule);
  const others = rules(false);
  const changed = rules(true).map((rule) => ({ rule, ways: waysOf(rule, cases.get(rule) ?? []) }));
  const own = alternating(changed.map(({ ways }) => ways));
  const witnesses = [
    [],
    ...UNNAMED,
    ...own,
    ...changed.flatMap(({ rule }) => circumstancesOf(rule)),
    ...together(
      changed.map(({ ways }) => ways),
      others,
    ),
    ...UNNAMED.flatMap((one) => own.slice(0, MAX_COMBINED).map((other) => [...other, ...one])),
    ...others.flatMap(witnessesOf),
    ...others.flatMap(circumstancesOf),
  ];
  return witnesses.slice(0, MAX_SITUATIONS).map(situationOf);
}

/** What is new about a rule first. */
function waysOf(rule: Rule, cases: readonly Case[]): readonly Witness[] {
  const own = cases.slice(0, MAX_CASES).flatMap((one) => witnessesOfCase(one).slice(0, MAX_WAYS));
  return [...own, ...witnessesOf(rule)];
}

/** The first of each, then the second: when it is too much, all go short alike. */
function alternating(all: readonly (readonly Witness[])[]): readonly Witness[] {
  const most = Math.max(0, ...all.map(({ length }) => length));
  return Array.from({ length: most }, (_, place) =>
    all.flatMap((ways) => ways.slice(place, place + 1)),
  ).flat();
}

/** What changed shows where something else lets the call through, or spares its question. */
function together(
  changed: readonly (readonly Witness[])[],
  others: readonly Rule[],
): readonly Witness[] {
  const permits = others
    .filter(({ effect }) => effect === 'permit')
    .flatMap((rule) => witnessesOf(rule).slice(0, MAX_TOGETHER));
  const own = alternating(changed);
  const room = Math.floor(MAX_SITUATIONS / 4 / Math.max(1, permits.length));
  const few = Math.max(room, MAX_TOGETHER * changed.length);
  return own.slice(0, few).flatMap((two) => permits.map((one) => [...one, ...two]));
}

/** What is plain anyway need not be said. */
function situationOf(witness: Witness): ProbedSituation {
  let situation: Situation = PLAIN;
  const said = new Set<string>();
  for (const { says, apply } of witness) {
    const next = apply(situation);
    if (!isDeepStrictEqual(next, situation)) said.add(says);
    situation = next;
  }
  return { ...situation, says: [...said] };
}
