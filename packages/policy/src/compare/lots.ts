import { isDeepStrictEqual } from 'node:util';
import type { PolicyContext } from '../model.ts';
import { Conditions } from './condition.ts';
import type { KnownTool } from './difference.ts';
import { principalsFor, type ProbedPrincipal } from './principals.ts';
import { probing, type SeenSituation } from './probed-situation.ts';
import { Reading, type Remaining, type RulesToCompare, readRules } from './remaining.ts';
import type { Asked } from './scope.ts';
import { type Sift, siftOf } from './sift.ts';
import { isSameDemand } from './suspects.ts';
import { askedFor, knownOf, type Target, targetsFor } from './target.ts';

export interface Pair {
  readonly principal: ProbedPrincipal;
  readonly target: Target;
}

/** Who asks for what, as far as no rule can tell them apart in any situation: one answers for all. */
export interface Lot {
  readonly pairs: readonly Pair[];
  /** By the first of them. */
  readonly asked: Asked;
  readonly known: PolicyContext;
  readonly target: Target;
  readonly remaining: readonly Remaining[];
  readonly situations: readonly SeenSituation[];
  /** Of what remains, in one of them. */
  readonly sift: Sift;
}

export interface Lots {
  readonly lots: readonly Lot[];
  readonly reading: Reading;
}

/** Contract: the same sets give the same lots in the same order. */
export function lotsFor(compared: RulesToCompare, tools: readonly KnownTool[]): Lots {
  const { schema } = compared.old;
  const conditions = new Conditions();
  const read = readRules(compared, conditions);
  const rules = read.map(({ rule }) => rule);
  const reading = new Reading(read, conditions, schema);
  const probe = probing(compared.cases);
  const targets = targetsFor(rules, { tools, schema });
  const alike = new Map<string, OpenLot>();
  for (const principal of principalsFor(rules)) {
    for (const target of targets.filter(({ action }) => principal.mayHold(action))) {
      put(alike, lotOf({ principal, target }, reading));
    }
  }
  const lots = [...alike.values()]
    .filter(({ remaining }) => canDiffer(remaining))
    .map((lot) => ({
      ...lot,
      situations: probe(lot.remaining, lot.target),
      sift: siftOf(lot.remaining),
    }));
  return { lots, reading };
}

interface OpenLot extends Omit<Lot, 'situations' | 'sift'> {
  readonly pairs: Pair[];
  readonly key: string;
}

function lotOf(pair: Pair, reading: Reading): OpenLot {
  const { target, principal } = pair;
  const asked = askedFor(principal, target);
  const known = knownOf(target);
  const remaining = reading.ofPair(asked, known);
  const key = `${keyOf(pair, asked, remaining)} ${knownKey(known, remaining)}`;
  return { pairs: [pair], asked, known, remaining, target, key };
}

function put(alike: Map<string, OpenLot>, lot: OpenLot): void {
  const known = alike.get(lot.key);
  if (known === undefined) alike.set(lot.key, lot);
  else known.pairs.push(...lot.pairs);
}

/** What a tool can do says in which situations it can be, too. */
function keyOf(
  { target: { action, resource, capabilities } }: Pair,
  asked: Asked,
  remaining: readonly Remaining[],
): string {
  const rules = remaining.map(({ read, open }) => [read.place, ...open.map(({ id }) => id)]);
  const isOpen = remaining.some(({ open }) => open.some(({ depends }) => depends === 'everything'));
  return JSON.stringify([action, resource.type, capabilities, rules, isOpen ? asked : null]);
}

/** What a call names comes with the host that it connects to, where rules look at it. */
function knownKey({ hosts }: PolicyContext, remaining: readonly Remaining[]): string {
  const isRead = remaining.some(({ open }) =>
    open.some(({ attributes }) => attributes === 'all' || attributes.has('hosts')),
  );
  return hosts === undefined || !isRead ? '' : JSON.stringify(hosts);
}

/** Whether anything is left of the rules that changed which is not the same before and after. */
function canDiffer(remaining: readonly Remaining[]): boolean {
  const changed = remaining.filter(({ read }) => read.isChanged);
  const gone = changed.filter(({ read }) => read.isOf.old);
  const come = changed.filter(({ read }) => read.isOf.candidate);
  const isWithout = (some: readonly Remaining[], others: readonly Remaining[]) =>
    some.some((one) => !others.some((other) => isSame(one, other)));
  return isWithout(gone, come) || isWithout(come, gone);
}

function isSame(one: Remaining, other: Remaining): boolean {
  const [left, right] = [one.read.rule, other.read.rule];
  return (
    left.effect === right.effect &&
    isSameDemand(left.gate, right.gate) &&
    isDeepStrictEqual(left.json.action, right.json.action) &&
    isDeepStrictEqual(idsOf(one), idsOf(other))
  );
}

function idsOf({ open }: Remaining): readonly number[] {
  return open.map(({ id }) => id);
}
