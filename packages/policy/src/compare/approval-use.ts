import { Role } from '@palyra/protocol';
import { type GateTerms, type Rule, type RuleSet, STRENGTHS } from '../model.ts';
import { type Expression, pathOf, readExpression, walk } from './expression.ts';

/**
 * Whether it makes no difference which gates ask, beyond that they ask: every gate is content with
 * what it asks for itself, and with more; nobody else looks at approvals.
 *
 * Where this does not hold, one more gate can allow more: its approval may be the one that a permit,
 * or a gate that asks for too little, waits for.
 */
export function usesApprovalsPlainly({ rules }: RuleSet): boolean {
  return rules.every((rule) => {
    if (!clausesAboutApproval(rule).some(({ isAbout }) => isAbout)) return true;
    return rule.gate !== undefined && isContent(rule, rule.gate);
  });
}

function isContent(rule: Rule, terms: GateTerms): boolean {
  const about = clausesAboutApproval(rule).filter(({ isAbout }) => isAbout);
  return (
    about.every(({ kind, body }) => kind === 'unless' && isRising(body)) &&
    about.some(({ body }) => isMet(body, terms))
  );
}

function clausesAboutApproval({ json }: Rule) {
  return json.conditions.map(({ kind, body }) => {
    const expression = readExpression(body);
    return { kind, body: expression, isAbout: isAboutApproval(expression) };
  });
}

/** A use of the whole context counts: it may be compared with another. */
function isAboutApproval(expression: Expression): boolean {
  const names = walk(expression).map((part) => part.name.split('.')[0]);
  return names.some((name) => name === 'approval') || usesWholeContext(expression);
}

function usesWholeContext(expression: Expression): boolean {
  return walk(expression).some(
    ({ op, args }) => op !== '.' && op !== 'has' && args.some((arg) => isContext(arg)),
  );
}

function isContext({ op, name }: Expression): boolean {
  return op === 'Var' && name === 'context';
}

/** More approval never makes it false. */
function isRising(body: Expression): boolean {
  if (!isAboutApproval(body)) return true;
  if (body.op === '&&' || body.op === '||') return body.args.every(isRising);
  return demandOf(body) !== undefined;
}

/** True whatever else is asked, once the approval is what the terms ask for. */
function isMet(body: Expression, terms: GateTerms): boolean {
  if (body.op === '&&') return body.args.every((arg) => isMet(arg, terms));
  if (body.op === '||') return body.args.some((arg) => isMet(arg, terms));
  const demand = demandOf(body);
  return demand !== undefined && demand(terms);
}

type Demand = (terms: GateTerms) => boolean;

/** What one comparison asks of an approval; `undefined` for anything that is not understood. */
function demandOf({ op, args, name }: Expression): Demand | undefined {
  const [left, right] = args;
  if (left === undefined) return undefined;
  if (op === 'has') return isContext(left) && name === 'approval' ? () => true : undefined;
  const path = pathOf(left)?.join('.');
  if (right === undefined || path === undefined) return undefined;
  const { value } = right;
  if (op === '>=' && typeof value === 'number') return countDemand(path, value);
  if (op === 'contains' && path === 'context.approval.strengths') return strengthDemand(right.key);
  return undefined;
}

/** Whom each of the counts counts. */
const COUNTED = new Map([
  ['context.approval.count', Role.OPERATOR],
  ['context.approval.admins', Role.ADMIN],
  ['context.approval.owners', Role.OWNER],
]);

function countDemand(path: string, least: number): Demand | undefined {
  const role = COUNTED.get(path);
  if (role === undefined) return undefined;
  return ({ quorum, approvers }) => least <= 0 || (approvers >= role && quorum >= least);
}

function strengthDemand(key: string): Demand | undefined {
  const asked = STRENGTHS.findIndex((strength) => key.includes(`"id":"${strength}"`));
  if (asked === -1) return undefined;
  return ({ strength }) => STRENGTHS.indexOf(strength) >= asked;
}
