import { quote } from '@palyra/kernel';
import { DecisionKind, type Role } from '@palyra/protocol';
import type { PolicyDecision, PolicyRequest, Rule } from '../model.ts';
import { MAX_EVALUATION_MS } from '../engine/stopwatch.ts';
import { HOST_CONNECT } from '../request/connection.ts';
import { unsparedBy } from './sparing.ts';
import { isUndeclared } from './unknown-tool.ts';
import { approversIn, ruleAt, saying, whatIs, whoAsks } from './words.ts';

/** Why it was decided so, in one sentence; from the decision alone. */
export function reasonOf(decision: PolicyDecision): string {
  const what = whatIs(decision.request);
  if (decision.kind === DecisionKind.ALLOW) {
    const unasked = decision.request.context['unattended'] === true ? ' without a question' : '';
    return decidedBy(decision.rules, `allows ${what}${unasked}`);
  }
  if (decision.kind === DecisionKind.NEEDS_APPROVAL) {
    return decidedBy(decision.gates, `wants ${what} approved`);
  }
  return whyDenied(decision, what);
}

/** What can be done about it; empty for what is allowed. */
export function helpOf(decision: PolicyDecision): string {
  if (decision.kind === DecisionKind.ALLOW) return '';
  if (decision.kind === DecisionKind.NEEDS_APPROVAL) {
    return waitingHelp(decision);
  }
  return wayOut(refusalOf(decision));
}

function waitingHelp({ gates, request }: PolicyDecision): string {
  if (request.action === HOST_CONNECT) return NOBODY_ASKED;
  const [always] = unsparedBy(gates, request);
  if (always !== undefined) return onlyApprovers(gates, always);
  return `it waits for ${askedFor(gates)}; a rule on \`tool.unattended\` would spare the question`;
}

const NOBODY_ASKED =
  'nobody is asked while a connection is made: have the rule ask about the call that names the host, too';

/** Contract: `gate` is one of them that no rule spares. */
export function onlyApprovers(gates: readonly Rule[], gate: Rule): string {
  return `it waits for ${askedFor(gates)}: ${ruleAt(gate)} cannot be spared, only its approvers can say yes`;
}

/** What stands in the way of a denied call; the one that is hardest to move comes first. */
export type Refusal =
  | { readonly by: 'error' }
  | { readonly by: 'time' }
  | { readonly by: 'hard-forbid'; readonly rule: Rule }
  | { readonly by: 'mode'; readonly rule: Rule; readonly mode: 'read-only' | 'closed' }
  | { readonly by: 'built-in-forbid'; readonly rule: Rule }
  | { readonly by: 'forbid'; readonly rule: Rule; readonly rules: readonly Rule[] }
  | {
      readonly by: 'gate';
      readonly rule: Rule;
      readonly gates: readonly Rule[];
      readonly approval: 'given' | 'useless';
    }
  | { readonly by: 'unknown-tool' }
  | { readonly by: 'default' };

export function refusalOf(decision: PolicyDecision): Refusal {
  if (decision.errors.length > 0) return { by: decision.fault === 'slow' ? 'time' : 'error' };
  const forbids = decision.rules.filter((rule) => rule.effect === 'forbid');
  const firm = forbids.filter((rule) => rule.gate === undefined);
  const gates = forbids.filter((rule) => rule.gate !== undefined);
  const unlisted = isUndeclared(decision.request) ? 'unknown-tool' : 'default';
  return hardest(firm) ?? gateLeft(gates, decision.request) ?? { by: unlisted };
}

/** Nothing can be mended before the gateway has rules, so `closed` comes before all others. */
function hardest(forbids: readonly Rule[]): Refusal | undefined {
  const builtIn = forbids.filter((rule) => rule.layer === 'built-in');
  const hard = forbids.find((rule) => rule.isHard);
  const lasting = hard && ({ by: 'hard-forbid', rule: hard } as const);
  const passing = modeOf('closed', builtIn) ?? lasting ?? modeOf('read-only', builtIn);
  if (passing !== undefined) return passing;
  const [rule] = builtIn;
  if (rule !== undefined) return { by: 'built-in-forbid', rule };
  const [first] = forbids;
  return first && { by: 'forbid', rule: first, rules: forbids };
}

/** The rules of a mode are told by their file. */
function modeOf(mode: 'read-only' | 'closed', builtIn: readonly Rule[]): Refusal | undefined {
  const rule = builtIn.find(({ file }) => file.endsWith(`${mode}.cedar`));
  return rule && { by: 'mode', rule, mode };
}

function gateLeft(gates: readonly Rule[], { context }: PolicyRequest): Refusal | undefined {
  const [rule] = gates;
  const approval = Object.hasOwn(context, 'approval') ? 'given' : 'useless';
  return rule && { by: 'gate', rule, gates, approval };
}

function whyDenied(decision: PolicyDecision, what: string): string {
  const refusal = refusalOf(decision);
  switch (refusal.by) {
    case 'error':
      return `the rules could not be evaluated for ${what}, so it is denied`;
    case 'time':
      return `the rules took longer than ${MAX_EVALUATION_MS} ms for ${what}, so it is denied`;
    case 'hard-forbid':
      return `${ruleAt(refusal.rule)} forbids ${what} for good${saying(refusal.rule)}`;
    case 'mode':
      return `the gateway is in mode \`${refusal.mode}\`: ${ruleAt(refusal.rule)} forbids ${what}`;
    case 'built-in-forbid':
    case 'forbid':
      return `${ruleAt(refusal.rule)} forbids ${what}${saying(refusal.rule)}`;
    case 'gate':
      return gateReason(refusal, what);
    // The model that made the name up hears this, and nothing of the way out.
    case 'unknown-tool':
      return `there is no such tool, so no rule allows ${what} ${whoAsks(decision.request)}`;
    case 'default':
      return `no rule allows ${what} ${whoAsks(decision.request)}`;
  }
}

function wayOut(refusal: Refusal): string {
  switch (refusal.by) {
    case 'error':
      return 'the rules or what they were asked are at fault, not the caller: the errors tell which';
    case 'time':
      return 'make the rules fewer or simpler, above all `like` with long patterns, or ask for something shorter';
    case 'hard-forbid':
      return HARD_HELP[refusal.rule.layer === 'admin' ? 'admin' : 'built-in'];
    case 'mode':
      return MODE_HELP[refusal.mode];
    case 'built-in-forbid':
      return 'it comes with the gateway and no other rule lifts it: ask for something that it does not cover';
    case 'forbid':
      return `only a change of that rule lifts it: it stands in ${quote(refusal.rule.file)}, ${LAYER_KEEPERS[refusal.rule.layer]}`;
    case 'gate':
      return GATE_HELP[refusal.approval];
    case 'unknown-tool':
      return NO_SUCH_TOOL;
    case 'default':
      return '`palyra policy explain` shows what is missing and the smallest rule that would allow it';
  }
}

function gateReason({ rule, gates, approval }: Refusal & { by: 'gate' }, what: string): string {
  const asked = `${ruleAt(rule)} asks for ${askedFor(gates)}`;
  return approval === 'given'
    ? `the approval does not suffice for ${what}: ${asked}`
    : `no approval lifts what forbids ${what}: ${asked}, and does not let it through then`;
}

/** Whoever writes the rule is told the same when it is loaded. */
export const NO_SUCH_TOOL = 'no such tool exists here, so there is no rule that could allow it';

const GATE_HELP = {
  given: 'ask again, and have it approved by those whom the rule names',
  useless: 'the rule forbids more than its annotations ask for: whoever keeps it has to mend it',
} as const;

const HARD_HELP = {
  'built-in':
    'nobody lifts it, neither the administrator with another rule nor an owner with an approval: ask for something that it does not cover',
  admin:
    "no other rule and no owner's approval lifts it, only this machine's administrator could take it back: ask for something that it does not cover",
} as const;

const MODE_HELP = {
  'read-only': 'set `policy.mode` to `ask` to let calls change things again',
  closed: 'mend the files that `palyra status` names, then run `palyra policy reload`',
} as const;

const LAYER_KEEPERS = {
  'built-in': 'which comes with the gateway',
  admin: "which is this machine's administrator's",
  operator: "which is the operator's",
  workspace: "which is the workspace's",
} as const satisfies Record<Rule['layer'], string>;

function decidedBy(rules: readonly Rule[], does: string): string {
  const [first, ...more] = rules;
  if (first === undefined) return `the set of rules ${does}`;
  const others = more.length === 0 ? '' : ` (and ${more.length} more)`;
  return `${ruleAt(first)} ${does}${others}${saying(first)}`;
}

/** Every gate wants its own terms met; who meets the strictest meets them all. */
export function askedFor(gates: readonly Rule[]): string {
  const terms = gates.flatMap((rule) => (rule.gate === undefined ? [] : [rule.gate]));
  const [first] = terms;
  if (first === undefined) return 'an approval';
  return approversIn({
    ...first,
    quorum: Math.max(...terms.map(({ quorum }) => quorum)),
    approvers: terms.map(({ approvers }) => approvers).reduce(higher),
    strength: terms.some(({ strength }) => strength === 'passkey') ? 'passkey' : 'device',
  });
}

function higher(one: Role, other: Role): Role {
  return one > other ? one : other;
}
