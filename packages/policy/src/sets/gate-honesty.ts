import { Role } from '@palyra/protocol';
import { type Expression, pathOf, readExpression, walk } from '../compare/expression.ts';
import type { GateTerms, Rule } from '../model.ts';
import { approvalFacts } from '../request/approval.ts';
import type { Complaint } from './problems.ts';

/** As many as can be asked for: of people with lesser rights even these must not do. */
const MOST = 9;

/**
 * People are asked for what the annotations of a gate say, and its `unless` decides what suffices: less
 * than that must not. It is told from how it is written, alternative by alternative; what cannot be told so
 * (approvers by name, a comparison with anything but a number) is taken as it stands.
 */
export function honestyComplaints(
  json: Rule['json'],
  terms: GateTerms | undefined,
): readonly Complaint[] {
  if (terms === undefined) return [];
  const bodies = json.conditions
    .filter(({ kind }) => kind === 'unless')
    .map(({ body }) => readExpression(body));
  const isLifted = (approval: Approval) =>
    bodies.some((body) => opensFor(body, approval) === 'yes');
  if (!lesserThan(terms).some(isLifted)) return [];
  return [
    {
      reason: 'less approval lifts this gate than its annotations ask for',
      help: `demand it in \`unless\` too: \`${demandText(terms)}\``,
    },
  ];
}

type Approval = ReturnType<typeof approvalFacts>;

/** The best that is still too little: one person short, or none of them proven well enough. */
function lesserThan({ approvers, quorum, strength }: GateTerms): readonly Approval[] {
  const lesser = approvers > Role.OPERATOR ? Math.max(0, MOST - quorum + 1) : 0;
  const tooFew = [...people(quorum - 1, Role.OWNER), ...people(lesser, belowOf(approvers))];
  const short = approvalFacts({ approvers: named(tooFew, 'passkey') });
  if (strength === 'device') return [short];
  return [short, approvalFacts({ approvers: named(people(MOST, Role.OWNER), 'device') })];
}

function people(count: number, role: Role): readonly Role[] {
  return Array.from({ length: count }, () => role);
}

function belowOf(role: Role): Role {
  return role === Role.OWNER ? Role.ADMIN : Role.OPERATOR;
}

function named(roles: readonly Role[], strength: GateTerms['strength']) {
  return roles.map((role, place) => ({ principal: `approver:${place}`, role, strength }));
}

/** `elsewhere` for what says nothing about approvals: it may come out either way. */
type Opens = 'yes' | 'no' | 'elsewhere' | 'unclear';

/** Whether an approval suffices wherever everything that is not about approvals holds. */
function opensFor(body: Expression, approval: Approval): Opens {
  if (!isAboutApproval(body)) return 'elsewhere';
  if (body.op === '&&' || body.op === '||') {
    const parts = body.args.map((arg) => opensFor(arg, approval));
    const about = parts.filter((part) => part !== 'elsewhere');
    const settled = body.op === '&&' ? 'no' : 'yes';
    if (about.includes(settled)) return settled;
    return about.find((part) => part === 'unclear') ?? (settled === 'no' ? 'yes' : 'no');
  }
  const [negated] = body.args;
  if (body.op === '!' && negated !== undefined) return OPPOSITE[opensFor(negated, approval)];
  const holds = comparisonHolds(body, approval);
  return holds === undefined ? 'unclear' : holds ? 'yes' : 'no';
}

const OPPOSITE = {
  yes: 'no',
  no: 'yes',
  elsewhere: 'elsewhere',
  unclear: 'unclear',
} as const satisfies Record<Opens, Opens>;

function isAboutApproval(expression: Expression): boolean {
  return walk(expression).some((part) => {
    if (part.op === 'has') return isContext(part.args[0]) && part.name.split('.')[0] === 'approval';
    return part.op === '.' && part.name === 'approval' && isContext(part.args[0]);
  });
}

function isContext(part: Expression | undefined): boolean {
  return part?.op === 'Var' && part.name === 'context';
}

/** `undefined` for what is not understood. */
function comparisonHolds(body: Expression, approval: Approval): boolean | undefined {
  const { op, args, name } = body;
  const [left, right] = args;
  if (left === undefined) return undefined;
  if (op === 'has') return name === 'approval' ? true : undefined;
  if (right === undefined) return undefined;
  if (op === 'contains') return strengthHolds(left, right, approval);
  const compare = COMPARISONS.get(op);
  const one = numberOf(left, approval);
  const other = numberOf(right, approval);
  if (compare === undefined || one === undefined || other === undefined) return undefined;
  return compare(one, other);
}

const COMPARISONS: ReadonlyMap<string, (one: number, other: number) => boolean> = new Map([
  ['>=', (one: number, other: number) => one >= other],
  ['>', (one: number, other: number) => one > other],
  ['<=', (one: number, other: number) => one <= other],
  ['<', (one: number, other: number) => one < other],
  ['==', (one: number, other: number) => one === other],
  ['!=', (one: number, other: number) => one !== other],
]);

function numberOf(part: Expression, { count, admins, owners }: Approval): number | undefined {
  if (typeof part.value === 'number') return part.value;
  const counts = new Map([
    ['context.approval.count', count],
    ['context.approval.admins', admins],
    ['context.approval.owners', owners],
  ]);
  return counts.get(pathOf(part)?.join('.') ?? '');
}

function strengthHolds(
  set: Expression,
  { key }: Expression,
  { strengths }: Approval,
): boolean | undefined {
  if (pathOf(set)?.join('.') !== 'context.approval.strengths') return undefined;
  return JSON.stringify(strengths).includes('"passkey"') || !key.includes('"passkey"');
}

const COUNTED: ReadonlyMap<Role, string> = new Map([
  [Role.ADMIN, 'admins'],
  [Role.OWNER, 'owners'],
]);

function demandText({ approvers, quorum, strength }: GateTerms): string {
  const passkey =
    strength === 'passkey' ? ' && context.approval.strengths.contains(Strength::"passkey")' : '';
  return `context has approval && context.approval.${COUNTED.get(approvers) ?? 'count'} >= ${quorum}${passkey}`;
}
