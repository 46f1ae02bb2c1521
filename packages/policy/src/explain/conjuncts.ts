import type { Clause, Expr, PolicyJson } from '@cedar-policy/cedar-wasm/nodejs';
import { type Expression, pathOf, readExpression } from '../compare/expression.ts';
import { ANYTHING } from './workbench.ts';

/** A part of a rule that has to come out as `wants` by itself, whatever the other parts say. */
export interface Conjunct {
  readonly body: Expr;
  readonly wants: boolean;
}

/** `when { a && b } unless { c || !d }` are four: a and b must hold, c must not, d must. */
export function conjunctsOf(conditions: readonly Clause[]): readonly Conjunct[] {
  return conditions.flatMap(({ kind, body }) => split(body, kind === 'when'));
}

/** A permit that applies exactly when the conjunct is as it should be. */
export function probeOf({ body, wants }: Conjunct): PolicyJson {
  const kind = wants ? 'when' : 'unless';
  return { ...ANYTHING, effect: 'permit', conditions: [{ kind, body }] };
}

/** What of the request a condition looks at: `['context', 'process', 'first']`. */
export function looksAt(body: Expr): readonly (readonly string[])[] {
  const paths = pathsIn(readExpression(body));
  return [...new Map(paths.map((path) => [path.join('.'), path])).values()];
}

function split(body: Expr, wants: boolean): readonly Conjunct[] {
  if ('!' in body && 'arg' in body['!']) return split(body['!'].arg, !wants);
  const parts = wants ? bothOf(body) : eitherOf(body);
  return parts?.flatMap((part) => split(part, wants)) ?? [{ body, wants }];
}

function bothOf(body: Expr): readonly Expr[] | undefined {
  return '&&' in body && 'left' in body['&&'] ? [body['&&'].left, body['&&'].right] : undefined;
}

function eitherOf(body: Expr): readonly Expr[] | undefined {
  return '||' in body && 'left' in body['||'] ? [body['||'].left, body['||'].right] : undefined;
}

function pathsIn(expression: Expression): readonly (readonly string[])[] {
  const path = pathOf(expression) ?? pathAsked(expression);
  return path === undefined ? expression.args.flatMap(pathsIn) : [path];
}

/** `context has process` looks at `context.process`. */
function pathAsked({ op, args, name }: Expression): readonly string[] | undefined {
  const [left] = args;
  if (op !== 'has' || left === undefined) return undefined;
  const path = pathOf(left);
  return path && [...path, ...name.split('.')];
}
