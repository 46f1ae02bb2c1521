import { isDeepStrictEqual } from 'node:util';
import type { Rule } from '../model.ts';
import type { Concern, Reads } from './concern.ts';
import { adding, setting } from './edit.ts';
import { PLAIN, type Situation } from './situation.ts';
import type { Target } from './target.ts';
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

/** A situation, and all that the rules which are concerned can see of it. */
export interface SeenSituation {
  readonly situation: ProbedSituation;
  readonly seen: string;
}

type Probe = (concern: Concern, target: Target) => readonly SeenSituation[];

/** Situations that the rules which are concerned can tell apart, and that the target can be in. */
export function probing(): Probe {
  const situations = new Map<string, readonly ProbedSituation[]>();
  const known = new Map<string, readonly SeenSituation[]>();
  return (concern, target) => {
    const { key, reads } = concern;
    const place = `${key} ${target.resource.type} ${target.capabilities.join()}`;
    const all = situations.get(key) ?? situationsFor(concern);
    situations.set(key, all);
    const found = known.get(place) ?? apart(all, reads, target);
    known.set(place, found);
    return found;
  };
}

function apart(
  situations: readonly ProbedSituation[],
  { attributes }: Reads,
  target: Target,
): readonly SeenSituation[] {
  const different = new Map<string, ProbedSituation>();
  for (const situation of situations) {
    if (!isPossible(situation, target)) continue;
    const { says: _says, ...facts } = situation;
    const seen = Object.entries(facts).filter(
      ([name]) => attributes === 'all' || attributes.has(name),
    );
    const key = JSON.stringify(seen.toSorted(([one], [other]) => (one < other ? -1 : 1)));
    if (!different.has(key)) different.set(key, situation);
  }
  return [...different].map(([seen, situation]) => ({ situation, seen }));
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

function situationsFor({ changed, others }: Concern): readonly ProbedSituation[] {
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

function together(changed: readonly Rule[], others: readonly Rule[]): readonly Witness[] {
  const few = (rule: Rule) => witnessesOf(rule).slice(0, MAX_TOGETHER);
  return changed.flatMap((rule) => {
    const own = few(rule);
    return others.flatMap((other) =>
      few(other).flatMap((one) => own.map((two) => [...one, ...two])),
    );
  });
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
