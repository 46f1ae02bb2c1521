import { isDeepStrictEqual } from 'node:util';
import type { PolicyContext, Rule } from '../model.ts';
import { adding, setting } from './edit.ts';
import type { Remaining } from './remaining.ts';
import { PLAIN, type Situation } from './situation.ts';
import { situationContext, type Target } from './target.ts';
import { circumstancesOf, type Witness, witnessesOf } from './witness.ts';

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
export function probing(): Probe {
  const situations = new Map<string, readonly ProbedSituation[]>();
  const seen = new Map<string, SeenSituation>();
  const see = (situation: ProbedSituation, target: Target): SeenSituation => {
    const { says: _says, ...facts } = situation;
    const key = JSON.stringify([target.resource.type === 'Gateway', facts]);
    const known = seen.get(key) ?? { situation, context: situationContext(target, situation) };
    seen.set(key, known);
    return known;
  };
  return (remaining, target) => {
    const key = remaining.map(({ read }) => read.place).join();
    const all = situations.get(key) ?? situationsFor(remaining);
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

function situationsFor(remaining: readonly Remaining[]): readonly ProbedSituation[] {
  const rules = (isChanged: boolean) =>
    remaining.filter(({ read }) => read.isChanged === isChanged).map(({ read }) => read.rule);
  const [changed, others] = [rules(true), rules(false)];
  const own = changed.flatMap(witnessesOf);
  const witnesses = [
    [],
    ...UNNAMED,
    ...own,
    ...changed.flatMap(circumstancesOf),
    ...together(changed, others),
    ...UNNAMED.flatMap((one) => own.map((other) => [...other, ...one])),
    ...others.flatMap(witnessesOf),
    ...others.flatMap(circumstancesOf),
  ];
  return witnesses.slice(0, MAX_SITUATIONS).map(situationOf);
}

/** What changed shows where something else lets the call through, or spares its question. */
function together(changed: readonly Rule[], others: readonly Rule[]): readonly Witness[] {
  const few = (rule: Rule) => witnessesOf(rule).slice(0, MAX_TOGETHER);
  const permits = others.filter(({ effect }) => effect === 'permit').flatMap(few);
  const own = changed.flatMap(few);
  return permits.flatMap((one) => own.map((two) => [...one, ...two]));
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
