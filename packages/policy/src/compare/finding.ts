import { DecisionKind, GainKind } from '@palyra/protocol';
import { type Answer, type Changed, causesOf, isWider } from './answer.ts';
import {
  ANY_HOST,
  ANY_INSIDE,
  ANY_OUTSIDE,
  ANY_SECRET,
  type ProbedSituation,
} from './probed-situation.ts';
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

/** Contract: all answers are about the same principal and the same target. */
export function findingsIn(answers: readonly Answer[], changed: Changed): readonly Finding[] {
  const wider = answers.filter(isWider);
  const opened = wider.filter(({ before }) => before.kind === DecisionKind.DENY);
  const lifted = wider.filter(({ before }) => before.kind !== DecisionKind.DENY);
  return [
    ...findingsOpened({ opened, answers, changed }),
    ...one(GainKind.GATE_REMOVED, { answers: lifted, changed }),
  ];
}

interface Opened {
  readonly opened: readonly Answer[];
  readonly answers: readonly Answer[];
  readonly changed: Changed;
}

/** The tool itself when none of its calls went through before, and what it now reaches. */
function findingsOpened({ opened, answers, changed }: Opened): readonly Finding[] {
  const [first] = opened;
  if (first === undefined) return [];
  const { target } = first.question;
  const open = answers.filter(({ before }) => before.kind !== DecisionKind.DENY);
  if (target.resource.type !== 'Tool') return one(kindOf(target), { answers: opened, changed });
  const reached = TOUCHES.flatMap((touch) => findingsTouched(touch, { opened, open, changed }));
  if (open.length === 0) {
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
  {
    opened,
    open,
    changed,
  }: {
    readonly opened: readonly Answer[];
    readonly open: readonly Answer[];
    readonly changed: Changed;
  },
): readonly Finding[] {
  const touched = (answers: readonly Answer[]) =>
    answers.flatMap(({ question }) => of(question.situation));
  const known = new Set(touched(open));
  const names = [...new Set(touched(opened))].filter((name) => !known.has(name));
  return names.flatMap((name) => {
    const answers = opened.filter(({ question }) => of(question.situation).includes(name));
    const what = ANY.get(`${kind} ${name}`) ?? name;
    return one(kind, { answers, changed, what });
  });
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
