import type { Clause, Expr } from '@cedar-policy/cedar-wasm/nodejs';
import { canonicalJson, isJsonObject, type Json } from '@palyra/kernel';

/** Cedar's JSON of an expression, all operators alike: what looks at rules wants to walk, not to tell forms apart. */
export interface Expression {
  /** As in Cedar's JSON: `&&`, `==`, `.`, `Value`, or the name of an extension function. */
  readonly op: string;
  readonly args: readonly Expression[];
  /** Of `.` and `has` the attribute, of `Var` the variable, of `is` the type. */
  readonly name: string;
  /** Of a `Value`. */
  readonly value?: Json;
  /** Of `like`: literal text, `undefined` for a wildcard. */
  readonly pattern?: readonly (string | undefined)[];
  /** Equal for equal expressions and for no others. */
  readonly key: string;
}

/** A condition that must come out as `wants` for the rule to apply. */
export interface Conjunct {
  readonly expression: Expression;
  readonly wants: boolean;
  readonly key: string;
}

export function readExpression(expr: Expr): Expression {
  return read(expr);
}

/** Everything that has to hold, each by itself: `when { a && b } unless { c || d }` are four. */
export function conjunctsOf(conditions: readonly Clause[]): readonly Conjunct[] {
  return conditions.flatMap(({ kind, body }) => split(read(body), kind === 'when'));
}

/** Likewise, of one condition. */
export function split(expression: Expression, wants: boolean): readonly Conjunct[] {
  const { op, args, key } = expression;
  if (op === '!') return args.flatMap((arg) => split(arg, !wants));
  if (op === (wants ? '&&' : '||')) return args.flatMap((arg) => split(arg, wants));
  return [{ expression, wants, key: `${String(wants)} ${key}` }];
}

/** The same with other arguments. Contract: of an operator that has nothing else. */
export function withArguments(expression: Expression, args: readonly Expression[]): Expression {
  return { ...expression, args, key: keyOf(expression.op, '', args) };
}

/** One that no rule has written. Contract: an operator that has nothing but arguments. */
export function expressionOf(op: string, args: readonly Expression[]): Expression {
  return { op, args, name: '', key: keyOf(op, '', args) };
}

/** Every part of an expression, itself first. */
export function* walk(expression: Expression): Generator<Expression> {
  yield expression;
  for (const arg of expression.args) yield* walk(arg);
}

/** `context.process.name` → `['context', 'process', 'name']`; `undefined` for what is no path. */
export function pathOf({ op, args, name }: Expression): readonly string[] | undefined {
  if (op === 'Var') return [name];
  const [left] = args;
  if (op !== '.' || left === undefined) return undefined;
  const path = pathOf(left);
  return path === undefined ? undefined : [...path, name];
}

function read(json: unknown): Expression {
  const [op, body] = Object.entries(isJsonObject(json) ? json : {})[0] ?? ['', null];
  if (op === 'Value') {
    return { op, args: [], name: '', value: body, key: `(Value ${canonicalJson(body)})` };
  }
  const args = argumentsOf(op, body).map(read);
  const key = keyOf(op, shapeOf(op, body), args);
  const expression = { op, args, name: nameOf(body), key };
  if (op !== 'like' || !isJsonObject(body)) return expression;
  return { ...expression, pattern: patternOf(body['pattern']) };
}

function keyOf(op: string, shape: string, args: readonly Expression[]): string {
  return `(${op} ${shape} ${args.map((arg) => arg.key).join(',')})`;
}

/** Whatever is not an argument. */
function shapeOf(op: string, body: Json): string {
  if (typeof body === 'string') return canonicalJson(body);
  if (!isJsonObject(body)) return '';
  if (op === 'Record') return canonicalJson(Object.keys(body).toSorted());
  const { attr, entity_type: type, pattern } = body;
  return canonicalJson([attr ?? null, type ?? null, pattern ?? null]);
}

function argumentsOf(op: string, body: Json): readonly Json[] {
  if (Array.isArray(body)) return body;
  if (!isJsonObject(body)) return [];
  if (op === 'Record')
    return Object.keys(body)
      .toSorted()
      .map((key) => body[key] ?? null);
  return ['arg', 'left', 'right', 'in', 'if', 'then', 'else'].flatMap((part) => {
    const arg = body[part];
    return arg === undefined ? [] : [arg];
  });
}

function nameOf(body: Json): string {
  if (typeof body === 'string') return body;
  if (!isJsonObject(body)) return '';
  const { attr, entity_type: type } = body;
  if (typeof attr === 'string') return attr;
  if (Array.isArray(attr)) return attr.filter((part) => typeof part === 'string').join('.');
  if (typeof type === 'string') return type;
  return '';
}

function patternOf(elements: Json | undefined): readonly (string | undefined)[] {
  if (!Array.isArray(elements)) return [];
  return elements.map((element) => {
    const literal = isJsonObject(element) ? element['Literal'] : undefined;
    return typeof literal === 'string' ? literal : undefined;
  });
}
