import { DecisionKind, GainKind } from '@palyra/protocol';
import { type Answer, type Changed, causesOf, isWider } from './answer.ts';
import {
  ANY_HOST,
  ANY_INSIDE,
  ANY_OUTSIDE,
  ANY_SECRET,
  type ProbedSituation,
} from './probed-situation.ts';
import type { Question } from './questions.ts';
import type { Target } from './target.ts';

/** One thing that one principal may do more. */
export interface Finding {
  readonly kind: GainKind;
  readonly principal: string;
  readonly what: string;
  /** What it may be called when all of the target's family are found alike. */
  readonly family?: string;
  readonly ruleIds: readonly string[];
}

/** What was asked about one principal and one target. */
export interface Member {
  readonly answers: readonly Answer[];
  /** To which both sets say the same. */
  readonly others: readonly Question[];
  /** Whether that is anything but no. It costs a decision. */
  readonly isOpen: (other: Question) => boolean;
}

export function findingsIn(member: Member, changed: Changed): readonly Finding[] {
  const { answers } = member;
  const wider = answers.filter(isWider);
  const opened = wider.filter(({ before }) => before.kind === DecisionKind.DENY);
  const lifted = wider.filter(({ before }) => before.kind !== DecisionKind.DENY);
  return [
    ...findingsOpened({ opened, member, changed }),
    ...one(GainKind.GATE_REMOVED, { answers: lifted, changed }),
  ];
}

interface Opened {
  readonly opened: readonly Answer[];
  readonly member: Member;
  readonly changed: Changed;
}

/** The tool itself when none of its calls went through before, and what it now reaches. */
function findingsOpened({ opened, member, changed }: Opened): readonly Finding[] {
  const [first] = opened;
  if (first === undefined) return [];
  const { target } = first.question;
  if (target.resource.type !== 'Tool') return one(kindOf(target), { answers: opened, changed });
  const reached = TOUCHES.flatMap((touch) => findingsTouched(touch, { opened, member, changed }));
  if (!wasOpen(member, () => true)) {
    return [...one(GainKind.TOOL, { answers: opened, changed, isAnyCase: true }), ...reached];
  }
  // A call that was possible with other circumstances, and touches nothing new.
  const rest = opened.filter(
    ({ question: { situation } }) => !TOUCHES.some((touch) => touch.of(situation).length > 0),
  );
  const isTold = reached.length > 0 && rest.length === 0;
  return isTold
    ? reached
    : [...reached, ...one(GainKind.TOOL, { answers: rest.length > 0 ? rest : opened, changed })];
}

function kindOf({ resource }: Target): GainKind {
  if (resource.type === 'Host') return GainKind.HOST;
  return resource.type === 'Secret' ? GainKind.SECRET : GainKind.OTHER;
}

interface Touch {
  readonly kind: GainKind;
  readonly of: (situation: ProbedSituation) => readonly string[];
}

const TOUCHES: readonly Touch[] = [
  { kind: GainKind.HOST, of: ({ hosts }) => hosts.map(({ name }) => name) },
  { kind: GainKind.WRITE_ROOT, of: ({ writes }) => writes },
  { kind: GainKind.SECRET, of: ({ secrets }) => secrets },
];

/** What stands for all that no rule names is told as that. */
const ANY: ReadonlyMap<string, string> = new Map([
  [`${GainKind.HOST} ${ANY_HOST}`, 'any host that no rule names'],
  [`${GainKind.WRITE_ROOT} ${ANY_INSIDE}`, 'any path of the workspace that no rule names'],
  [`${GainKind.WRITE_ROOT} ${ANY_OUTSIDE}`, 'any path outside the workspace that no rule names'],
  [`${GainKind.SECRET} ${ANY_SECRET}`, 'any secret that no rule names'],
]);

function findingsTouched(
  { kind, of }: Touch,
  { opened, member, changed }: Opened,
): readonly Finding[] {
  const names = new Set(opened.flatMap(({ question }) => of(question.situation)));
  return [...names].flatMap((name) => {
    const touches = ({ situation }: Question) => of(situation).includes(name);
    if (wasOpen(member, touches)) return [];
    const answers = opened.filter(({ question }) => touches(question));
    const what = ANY.get(`${kind} ${name}`) ?? name;
    return one(kind, { answers, changed, what });
  });
}

/** Whether any of these questions was answered with anything but no before. */
function wasOpen({ answers, others, isOpen }: Member, which: (one: Question) => boolean): boolean {
  return (
    answers.some(({ question, before }) => before.kind !== DecisionKind.DENY && which(question)) ||
    others.some((question) => which(question) && isOpen(question))
  );
}

interface Told {
  readonly answers: readonly Answer[];
  readonly changed: Changed;
  /** What is reached with the target, where that is not the target itself. */
  readonly what?: string;
  /** It never went through before, so under which circumstances it does now is not told. */
  readonly isAnyCase?: true;
}

function one(kind: GainKind, { answers, changed, what, isAnyCase }: Told): readonly Finding[] {
  const simplest = answers.toSorted((left, right) => circumstances(left) - circumstances(right))[0];
  if (simplest === undefined) return [];
  const { principal, target, situation } = simplest.question;
  const only = isAnyCase === true || what !== undefined ? '' : inWords(situation.says);
  return [
    {
      kind,
      principal: principal.label,
      ...(what === undefined
        ? { what: `${target.label}${only}`, family: `${target.family}${only}` }
        : { what: `${what}, through ${target.label}` }),
      ruleIds: [...new Set(answers.flatMap((answer) => causesOf(answer, changed)))].toSorted(),
    },
  ];
}

function circumstances({ question }: Answer): number {
  return question.situation.says.length;
}

function inWords(says: readonly string[]): string {
  return says.length === 0 ? '' : ` (with ${says.join(', ')})`;
}
