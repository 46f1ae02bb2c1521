import { DecisionKind, GainKind } from '@palyra/protocol';
import { type Answer, type Changed, causesOf, isWider } from './answer.ts';
import {
  ANY_HOST,
  ANY_INSIDE,
  ANY_OUTSIDE,
  ANY_SECRET,
  type ProbedSituation,
  type SeenSituation,
} from './probed-situation.ts';
import type { Pair } from './lots.ts';
import type { ProbedHost } from './situation.ts';
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

/** What one lot of questions was answered, with one of its targets: they are all of a type. */
export interface Member {
  readonly target: Target;
  readonly answers: readonly Answer[];
  /** Situations in which both sets say the same. */
  readonly others: readonly SeenSituation[];
  /** Whether that is anything but no. It costs a decision. */
  readonly isOpen: (other: SeenSituation) => boolean;
}

/** What all pairs of a lot may do more. */
export interface Discovery {
  readonly kind: GainKind;
  readonly ruleIds: readonly string[];
  /** What is reached with the target, where that is not the target itself. */
  readonly reached?: string;
  /** Under which circumstances, and whether it is a gate that is weaker now. */
  readonly only: string;
  /** That show it. */
  readonly answers: readonly Answer[];
}

export function findingOf(
  { kind, ruleIds, reached, only }: Discovery,
  { principal, target }: Pair,
): Finding {
  const told =
    reached === undefined
      ? { what: `${target.label}${only}`, family: `${target.family}${only}` }
      : { what: `${reached}, through ${target.label}` };
  return { kind, principal: principal.label, ...told, ruleIds };
}

export function discoveriesIn(member: Member, changed: Changed): readonly Discovery[] {
  const wider = member.answers.filter(isWider);
  const opened = wider.filter(({ before }) => before.kind === DecisionKind.DENY);
  const lifted = wider.filter(({ before }) => before.kind !== DecisionKind.DENY);
  return [
    ...discoveriesOpened({ opened, member, changed }),
    ...one(GainKind.GATE_REMOVED, { answers: lifted, changed }),
  ];
}

interface Opened {
  readonly opened: readonly Answer[];
  readonly member: Member;
  readonly changed: Changed;
}

/** The tool itself when none of its calls went through before, and what it now reaches. */
function discoveriesOpened({ opened, member, changed }: Opened): readonly Discovery[] {
  if (opened.length === 0) return [];
  const { target } = member;
  if (target.resource.type !== 'Tool') return one(kindOf(target), { answers: opened, changed });
  const reached = TOUCHES.flatMap((touch) =>
    discoveriesTouched(touch, { opened, member, changed }),
  );
  if (!wasOpen(member, () => true)) {
    return [...one(GainKind.TOOL, { answers: opened, changed, isAnyCase: true }), ...reached];
  }
  // A call that was possible with other circumstances, and touches nothing new.
  const told = new Set(reached.flatMap(({ answers }) => answers));
  const rest = opened.filter((answer) => !told.has(answer));
  return [...reached, ...one(GainKind.TOOL, { answers: rest, changed })];
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
  { kind: GainKind.HOST, of: ({ hosts }) => hosts.map(hostWords) },
  { kind: GainKind.WRITE_ROOT, of: ({ writes }) => writes },
  { kind: GainKind.SECRET, of: ({ secrets }) => secrets },
];

/** Another port of a host is another server. */
function hostWords({ name, port }: ProbedHost): string {
  if (port === HTTPS) return name;
  return name === ANY_HOST ? `any host that no rule names, at port ${port}` : `${name}:${port}`;
}

const HTTPS = 443;

/** What stands for all that no rule names is told as that. */
const ANY: ReadonlyMap<string, string> = new Map([
  [`${GainKind.HOST} ${ANY_HOST}`, 'any host that no rule names'],
  [`${GainKind.WRITE_ROOT} ${ANY_INSIDE}`, 'any path of the workspace that no rule names'],
  [`${GainKind.WRITE_ROOT} ${ANY_OUTSIDE}`, 'any path outside the workspace that no rule names'],
  [`${GainKind.SECRET} ${ANY_SECRET}`, 'any secret that no rule names'],
]);

function discoveriesTouched(
  { kind, of }: Touch,
  { opened, member, changed }: Opened,
): readonly Discovery[] {
  const names = new Set(opened.flatMap(({ situation }) => of(situation)));
  return [...names].flatMap((name) => {
    const touches = (situation: ProbedSituation) => of(situation).includes(name);
    if (wasOpen(member, touches)) return [];
    const answers = opened.filter(({ situation }) => touches(situation));
    return one(kind, { answers, changed, reached: ANY.get(`${kind} ${name}`) ?? name });
  });
}

/** Whether anything but no was said before in any of these situations. */
function wasOpen(
  { answers, others, isOpen }: Member,
  which: (situation: ProbedSituation) => boolean,
): boolean {
  return (
    answers.some(
      ({ situation, before }) => before.kind !== DecisionKind.DENY && which(situation),
    ) || others.some((other) => which(other.situation) && isOpen(other))
  );
}

interface Told {
  readonly answers: readonly Answer[];
  readonly changed: Changed;
  readonly reached?: string;
  /** It never went through before, so under which circumstances it does now is not told. */
  readonly isAnyCase?: true;
}

function one(kind: GainKind, told: Told): readonly Discovery[] {
  const { answers, changed, reached, isAnyCase } = told;
  if (answers.length === 0) return [];
  const causes = answers.flatMap((answer) => causesOf(answer, changed));
  const ruleIds = [...new Set(causes.map(({ id }) => id))].toSorted();
  const words = isAnyCase === true ? '' : inWords(answers.map(({ situation }) => situation.says));
  const weaker = kind === GainKind.GATE_REMOVED ? weakerWords(ruleIds, changed) : '';
  const only = `${weaker}${words}`;
  return [{ kind, ruleIds, only, answers, ...(reached === undefined ? {} : { reached }) }];
}

/** Where every gate that is to blame is a gate still. */
function weakerWords(ruleIds: readonly string[], { altered }: Changed): string {
  const isAltered = ruleIds.length > 0 && ruleIds.every((id) => altered.gates.has(id));
  return isAltered ? `, ${altered.word}` : '';
}

/** So many sets of circumstances are told in words; of more, the number. */
const MOST_TOLD = 24;

/** The simplest circumstances, and all others that are not these with something added. */
function inWords(all: readonly (readonly string[])[]): string {
  const told: ReadonlySet<string>[] = [];
  for (const says of all.toSorted((left, right) => left.length - right.length)) {
    const circumstances = new Set(says);
    if (!told.some((known) => known.isSubsetOf(circumstances))) told.push(circumstances);
  }
  if (told[0] === undefined || told[0].size === 0) return '';
  const common = told.reduce((left, right) => left.intersection(right));
  const own = told.slice(0, MOST_TOLD).map((says) => [...says.difference(common)].join(', '));
  const rest = told.length - own.length;
  const words = [...common, own.join('; or ')].filter((part) => part !== '').join(', ');
  return ` (with ${words}${rest === 0 ? '' : `; and ${rest} more`})`;
}
