import { setImmediate as nextTurn } from 'node:timers/promises';
import { hideSecretsIn, quote } from '@palyra/kernel';
import { DecisionKind } from '@palyra/protocol';
import { ENGINE_VERSION, loadCedar } from '../engine/cedar.ts';
import type { LoadedSet } from '../engine/loaded-set.ts';
import type { PolicyDecision, Rule } from '../model.ts';
import type { KnownTools } from '../sets/check-rule.ts';
import type { Explanation } from './explanation.ts';
import { missingFrom } from './missing.ts';
import { nearPermits } from './near-permits.ts';
import { NO_SUCH_TOOL, askedFor, helpOf, onlyApprovers, reasonOf, refusalOf } from './reason.ts';
import { shownRequest } from './shown-request.ts';
import { type Offer, smallestRule } from './smallest-rule.ts';
import { unsparedBy } from './sparing.ts';
import { openWorkbench } from './workbench.ts';

/**
 * Why a decision came out as it did, and what would change it. Takes milliseconds, so on demand only.
 * `tools` are those that a rule may name; without them, any.
 * Contract: one at a time in a thread, since they share the names of the workbench. Gives others a turn
 * between its steps, of which none takes longer for more rules than a decision does. Leaves every
 * loaded set as it is; rejects with CONFLICT when the one given was loaded over.
 */
export async function explain(
  loaded: LoadedSet,
  decision: PolicyDecision,
  tools?: KnownTools,
): Promise<Explanation> {
  const cedar = await loadCedar();
  const { request } = decision;
  const { schema } = loaded.set;
  const workbench = openWorkbench(cedar, { schema, action: request.action });
  const shown = shownRequest(request);
  await nextTurn();
  const near = isSettled(decision) ? [] : await nearPermits(workbench, loaded.set.rules, request);
  const offer = await smallestRule({ loaded, workbench, request, near, tools }, decision);
  await nextTurn();
  return {
    kind: decision.kind,
    reason: reasonOf(decision),
    help: helpWith(offer, decision),
    rules: decidingFirst(decision),
    gates: decision.gates,
    errors: decision.errors.map(hideSecretsIn),
    request: shown,
    missing: missingFrom({ workbench, near, decision, shown, offer }),
    smallestRule: offer.kind === 'offered' ? offer.text : '',
    smallestRuleEffect: offer.kind === 'offered' ? offer.effect : '',
    policySetHash: decision.setHash,
    engine: ENGINE_VERSION,
  };
}

/** Whether looking for permits is of no use. */
function isSettled({ kind, errors }: PolicyDecision): boolean {
  return kind !== DecisionKind.DENY || errors.length > 0;
}

/** Forbids decide before permits do, and those that nobody lifts before the others. */
function decidingFirst({ rules, gates }: PolicyDecision): readonly Rule[] {
  const all = [...new Set([...rules, ...gates])];
  return all.toSorted((one, other) => weight(one) - weight(other));
}

function weight({ effect, isHard, gate }: Rule): number {
  if (effect === 'permit') return 3;
  if (isHard) return 0;
  return gate === undefined ? 1 : 2;
}

function helpWith(offer: Offer, decision: PolicyDecision): string {
  switch (offer.kind) {
    case 'offered':
      return offeredHelp(decision);
    case 'withheld':
      return `no exact rule is offered: ${offer.why}`;
    case 'unknown-tool':
      return NO_SUCH_TOOL;
    case 'none':
      return helpWithout(decision);
  }
}

/** A rule on `tool.unattended` was tried, and did not do it. */
function helpWithout(decision: PolicyDecision): string {
  const [first] = decision.gates;
  const { kind, gates, request } = decision;
  const isTried = kind === DecisionKind.NEEDS_APPROVAL && unsparedBy(gates, request).length === 0;
  return isTried && first !== undefined ? onlyApprovers(gates, first) : helpOf(decision);
}

function offeredHelp(decision: PolicyDecision): string {
  if (decision.kind === DecisionKind.NEEDS_APPROVAL) {
    return `it waits for ${askedFor(decision.gates)}; the smallest rule would spare just this call the question`;
  }
  const refusal = refusalOf(decision);
  if (refusal.by !== 'forbid')
    return 'the smallest rule, among the rules of the operator, is for just this call';
  const names = refusal.rules.map(({ id, file }) => `${quote(id)} in ${quote(file)}`).join(', ');
  return `the smallest rule, in the place of ${names}, makes an exception for just this call`;
}
