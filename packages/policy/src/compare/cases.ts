import { OF_TARGET } from './condition.ts';
import { type Conjunct, type Expression, expressionOf, pathOf, split } from './expression.ts';

/** One of the ways in which conditions come to hold: all of these do. */
export type Case = readonly Conjunct[];

/**
 * Conditions taken apart where they leave a choice, one choice at a time: in one of these cases they
 * hold whenever they hold at all, but for sets that may hold several of the names of a list.
 */
export function casesOf(conjuncts: readonly Conjunct[]): readonly Case[] {
  const chosen = conjuncts.flatMap((conjunct, place) =>
    choicesIn(conjunct)
      .flatMap(casesOf)
      .map((choice) => conjuncts.toSpliced(place, 1, ...choice)),
  );
  return chosen.length === 0 ? [conjuncts] : chosen;
}

/** None where there is nothing to choose. */
function choicesIn({ expression, wants }: Conjunct): readonly Case[] {
  const { op, args } = expression;
  if (op === (wants ? '||' : '&&')) return args.map((arg) => split(arg, wants));
  const [left, right] = args;
  if (!wants || left === undefined || right === undefined) return [];
  return namesIn(op, left, right).map((choice) => split(choice, true));
}

/** A list of one name is no choice. */
function namesIn(op: string, left: Expression, right: Expression): readonly Expression[] {
  const [first, second] = [left, right].map(listOf);
  switch (op) {
    case 'contains':
      return (first ?? []).map((one) => expressionOf('==', [one, right]));
    case 'containsAny':
      return second === undefined
        ? (first ?? []).map((one) => expressionOf('contains', [right, one]))
        : second.map((one) => expressionOf('contains', [left, one]));
    case 'containsAll':
      return (first ?? []).map((one) => expressionOf(op, [expressionOf('Set', [one]), right]));
    case 'in':
      return (second ?? []).map((one) => expressionOf(op, [left, one]));
    default:
      return [];
  }
}

function listOf({ op, args }: Expression): readonly Expression[] | undefined {
  return op === 'Set' && args.length > 1 ? args : undefined;
}

/** What has to fail, each by itself, for conditions not to hold. */
export function denialsOf(conjuncts: readonly Conjunct[]): readonly Case[] {
  return conjuncts.map(({ expression, wants }) => split(expression, !wants));
}

/** One port stands for all that no rule names, and says nothing of how they are ordered. */
const ORDERING = new Set('< <= > >='.split(' '));
const COMPARING = new Set('== != < <= > >= contains containsAny containsAll in'.split(' '));
const ASKING = new Set(['is', 'isEmpty', 'has', '.', 'Value', 'Var']);

/**
 * Whether a question that meets a condition tells what it is about: something is compared with what the
 * rule names. What compares two facts of a call with each other, or asks for a pattern, is met by too
 * many calls that have nothing else in common.
 */
export function isPlain(conjunct: Conjunct): boolean {
  // Each choice is a case of its own.
  if (choicesIn(conjunct).length > 0) return true;
  const { op, args } = conjunct.expression;
  if (conjunct.wants && isFolderLike(conjunct.expression)) return true;
  if (!COMPARING.has(op)) return ASKING.has(op) && args.every((arg) => pathOf(arg) !== undefined);
  const named = args.filter(isNamed);
  const read = args.filter((arg) => pathOf(arg) !== undefined);
  if (named.length + read.length < args.length) return false;
  if (isOfConnection(op, args)) return true;
  if (ORDERING.has(op) && args.some(isPortOfHost)) return false;
  return named.length > 0 || !read.some(isOfSituation);
}

/** A folder is asked about that stands for all that are like a pattern, and is told by it. */
export function isFolderLike({ op, args }: Expression): boolean {
  const [left] = args;
  return op === 'like' && left !== undefined && pathOf(left)?.join('.') === 'resource.path';
}

/** Whether a call names whom it connects to is asked about in every way in which it can be. */
function isOfConnection(op: string, args: readonly Expression[]): boolean {
  const [set, one] = args.map((arg) => pathOf(arg)?.join('.'));
  return op === 'contains' && CONNECTIONS.has(`${set} ${one}`);
}

function isPortOfHost(expression: Expression): boolean {
  return pathOf(expression)?.join('.') === 'resource.port';
}

const CONNECTIONS = new Set([
  'context.hosts.all resource.name',
  'context.hosts.ports resource.port',
]);

/** Who asks for what is asked about one by one, each with all that comes with it. */
function isOfSituation(expression: Expression): boolean {
  const [root, name = ''] = pathOf(expression) ?? [];
  return root === 'context' && !OF_TARGET.includes(name);
}

function isNamed({ op, args }: Expression): boolean {
  return op === 'Value' || (op === 'Set' && args.every(isNamed));
}
