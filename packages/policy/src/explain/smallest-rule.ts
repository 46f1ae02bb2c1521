import { setImmediate as nextTurn } from 'node:timers/promises';
import { canonicalJson } from '@palyra/kernel';
import { DecisionKind } from '@palyra/protocol';
import { decide } from '../engine/decide.ts';
import type { LoadedSet } from '../engine/loaded-set.ts';
import type { PolicyDecision, PolicyRequest, Rule } from '../model.ts';
import { type KnownTools, checkRule } from '../sets/check-rule.ts';
import { MAX_RULE_BYTES } from '../sets/limits.ts';
import { changedSet } from './changed-set.ts';
import { type Draft, draftException, draftPermit, draftUnattended } from './drafts.ts';
import { type NearPermit, isApplying, isElsewhere } from './near-permits.ts';
import { refusalOf } from './reason.ts';
import { holdsSecret } from './shown-request.ts';
import { unsparedBy } from './sparing.ts';
import { isUnknownTool } from './unknown-tool.ts';
import type { Workbench } from './workbench.ts';

/** The smallest change of the rules for just one call, tried out; or that there is none, or why. */
export type Offer =
  | { readonly kind: 'offered'; readonly text: string; readonly effect: OfferEffect }
  | { readonly kind: 'none' }
  /** No rule may name it. */
  | { readonly kind: 'unknown-tool' }
  | { readonly kind: 'withheld'; readonly why: string };

export type OfferEffect = 'allows it' | 'allows it, and asks' | 'spares the question';

/** More forbids than these against one call want a person to look at them. */
const MAX_AMENDED = 4;

export interface Trial {
  readonly loaded: LoadedSet;
  readonly workbench: Workbench;
  readonly request: PolicyRequest;
  /** The permits that come close, or apply. */
  readonly near: readonly NearPermit[];
  /** Those that rules may name; all, when nobody says. */
  readonly tools?: KnownTools | undefined;
}

/** Tried as if nobody had been asked yet: then it shows whether somebody would be. */
export async function smallestRule(
  { request, ...others }: Trial,
  decision: PolicyDecision,
): Promise<Offer> {
  const { approval: _, ...context } = request.context;
  const trial = { ...others, request: { ...request, context } };
  if (decision.kind === DecisionKind.ALLOW) return NONE;
  if (decision.kind === DecisionKind.NEEDS_APPROVAL) {
    return await spareTheQuestion(trial, decision.gates);
  }
  return await liftTheDenial(trial, decision);
}

const NONE: Offer = { kind: 'none' };
const UNKNOWN_TOOL: Offer = { kind: 'unknown-tool' };

async function liftTheDenial(trial: Trial, decision: PolicyDecision): Promise<Offer> {
  const refusal = refusalOf(decision);
  switch (refusal.by) {
    case 'error':
    case 'time':
    case 'hard-forbid':
    case 'mode':
    case 'built-in-forbid':
      return NONE;
    case 'gate':
      return await spareTheQuestion(trial, refusal.gates);
    case 'unknown-tool':
    case 'default':
      if (isUnknownTool(trial.request, trial.tools)) return UNKNOWN_TOOL;
      return await tryOut(trial, [draftPermit(trial.request)], ALLOWS);
    case 'forbid':
      return await amend(trial, refusal.rules);
  }
}

async function spareTheQuestion(trial: Trial, gates: readonly Rule[]): Promise<Offer> {
  if (unsparedBy(gates, trial.request).length > 0) return NONE;
  return await tryOut(trial, [draftUnattended(trial.request)], SPARES);
}

async function amend(trial: Trial, forbids: readonly Rule[]): Promise<Offer> {
  if (forbids.length > MAX_AMENDED) return NONE;
  const exceptions = forbids.map((rule) => draftException(rule, trial.request));
  const offer = await tryOut(trial, exceptions, ALLOWS);
  if (offer.kind !== 'none') return offer;
  return await tryOut(trial, [...exceptions, draftPermit(trial.request)], ALLOWS);
}

/** What a change is worth, by the decision that it leads to. */
type Effects = ReadonlyMap<DecisionKind, OfferEffect>;

const ALLOWS: Effects = new Map<DecisionKind, OfferEffect>([
  [DecisionKind.ALLOW, 'allows it'],
  [DecisionKind.NEEDS_APPROVAL, 'allows it, and asks'],
]);
const SPARES: Effects = new Map([[DecisionKind.ALLOW, 'spares the question']]);

/**
 * Each step takes milliseconds; between them everybody else has a turn.
 * INVARIANT: what is offered is what was read, checked and decided with, to the letter.
 */
async function tryOut(trial: Trial, drafts: readonly Draft[], effects: Effects): Promise<Offer> {
  const readings: Reading[] = [];
  for (const draft of drafts) {
    await nextTurn();
    readings.push(readDraft(trial, draft));
  }
  const refused = readings.find((reading) => 'why' in reading);
  if (refused !== undefined) return { kind: 'withheld', why: refused.why };
  const rules = readings.flatMap((reading) => ('why' in reading ? [] : [reading]));
  const change = {
    permits: permitsFor(trial),
    added: rules.filter(({ effect }) => effect === 'permit'),
    amended: rules.filter(({ effect }) => effect === 'forbid'),
  };
  await nextTurn();
  const changed = changedSet(trial.loaded, change, trial.workbench);
  await nextTurn();
  const { kind } = decide(changed, trial.request);
  const effect = effects.get(kind);
  if (effect === undefined) return NONE;
  return { kind: 'offered', text: drafts.map(({ text }) => text).join('\n\n'), effect };
}

/** Those that are known to apply; if none is, all that might. */
function permitsFor({ loaded, near, request }: Trial): readonly Rule[] {
  const applying = near.filter(isApplying).map(({ rule }) => rule);
  const permits = loaded.set.rules.filter(({ effect }) => effect === 'permit');
  const actions = applying.length > 0 ? ['tool.unattended'] : ['tool.unattended', request.action];
  const others = permits.filter((rule) =>
    actions.some((action) => !isElsewhere(rule, { ...request, action })),
  );
  return [...new Set([...applying, ...others])];
}

const ANY_TOOLS: KnownTools = { names: new Set(), prefixes: [''] };

type Reading = Rule | { readonly why: string };

/** Read as a file of a layer is, so that what is offered here is not refused there. */
function readDraft({ loaded, workbench, tools }: Trial, { text, strings, amends }: Draft): Reading {
  if (Buffer.byteLength(text) > MAX_RULE_BYTES) return { why: TOO_LONG };
  if (strings.some(holdsSecret)) return { why: SECRET };
  const json = workbench.read(text);
  if (json === undefined) return { why: NOT_SAYABLE };
  const place = amends ?? { layer: 'operator', file: 'operator.cedar' };
  const file = { layer: place.layer, name: place.file, text };
  const parsed = { file, offset: 0, text, json, isPrepared: false };
  const { rule, problems } = checkRule(parsed, tools ?? ANY_TOOLS);
  const [problem] = problems;
  if (problem !== undefined) return { why: problem.reason };
  if (amends === undefined) {
    return loaded.set.rules.some(({ id }) => id === rule.id) ? { why: NOT_SAYABLE } : rule;
  }
  return isExceptionOf(json, amends) ? rule : { why: NOT_SAYABLE };
}

const TOO_LONG = 'the call is too long to be named in a rule';
const SECRET = 'the call holds what looks like a secret, and a rule would repeat it';
const NOT_SAYABLE = 'the call cannot be named exactly in a rule';

/** Adding an `unless` at the end must have changed nothing but that. */
function isExceptionOf(json: Rule['json'], { json: old }: Rule): boolean {
  const last = json.conditions.at(-1);
  const others = { ...json, conditions: json.conditions.slice(0, -1) };
  return last?.kind === 'unless' && canonicalJson(others) === canonicalJson(old);
}
