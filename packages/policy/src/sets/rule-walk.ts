import type { PolicyJson } from '@cedar-policy/cedar-wasm/nodejs';
import { isJsonObject } from '@palyra/kernel';
import type { EntityRef } from '../model.ts';

/** What a rule's JSON holds, found in one walk. */
export interface RuleContents {
  readonly levels: number;
  readonly entities: readonly EntityRef[];
  readonly strings: readonly string[];
  /** Numbers that no double can hold: they are not in the JSON what they are in the text. */
  readonly hasUnsafeNumber: boolean;
}

export function contentsOf(json: PolicyJson): RuleContents {
  const strings: string[] = [];
  let levels = 0;
  let hasUnsafeNumber = false;
  visit(json, (value, level) => {
    levels = Math.max(levels, level);
    if (typeof value === 'string') strings.push(value);
    if (typeof value === 'number' && !Number.isSafeInteger(value)) hasUnsafeNumber = true;
  });
  return { levels, entities: entitiesIn(json), strings, hasUnsafeNumber };
}

/** How long each pattern with a `*` is that a `like` of the rule compares with. */
export function patternsIn(part: unknown): readonly number[] {
  const lengths: number[] = [];
  visit(part, (value) => {
    const like = isRecord(value) ? value['like'] : undefined;
    const pattern = isRecord(like) ? like['pattern'] : undefined;
    if (Array.isArray(pattern) && pattern.includes('Wildcard')) lengths.push(lengthOf(pattern));
  });
  return lengths;
}

function lengthOf(pattern: readonly unknown[]): number {
  const literals = pattern.map((piece) => (isRecord(piece) ? piece['Literal'] : undefined));
  return literals.reduce<number>(
    (sum, literal) => sum + (typeof literal === 'string' ? literal.length : 1),
    0,
  );
}

/** The entities that a rule or a part of it names. */
export function entitiesIn(part: unknown): readonly EntityRef[] {
  const entities: EntityRef[] = [];
  visit(part, (value) => {
    if (isEntity(value)) entities.push(value);
  });
  return entities;
}

export interface ContextReads {
  readonly attributes: ReadonlySet<string>;
  /** It is used other than by naming an attribute, so all of it may be read. */
  readonly isWhole: boolean;
}

/** Which attributes of `context` an expression can depend on. */
export function contextReads(expression: unknown): ContextReads {
  const attributes = new Set<string>();
  let mentions = 0;
  let named = 0;
  visit(expression, (value) => {
    if (isContext(value)) mentions += 1;
    for (const attribute of attributesOfContext(value)) {
      attributes.add(attribute);
      named += 1;
    }
  });
  return { attributes, isWhole: mentions > named };
}

/** `context.a`, `context["a"]`, `context has a`, `context has a.b`: each names `a`, once. */
function attributesOfContext(node: unknown): readonly string[] {
  if (!isRecord(node)) return [];
  return ['.', 'has'].flatMap((operator) => {
    const access = node[operator];
    if (!isRecord(access) || !isContext(access['left'])) return [];
    const { attr } = access;
    const first: unknown = Array.isArray(attr) ? attr[0] : attr;
    return typeof first === 'string' ? [first] : [];
  });
}

function visit(value: unknown, see: (value: unknown, level: number) => void, level = 0): void {
  see(value, level);
  if (typeof value !== 'object' || value === null) return;
  for (const inner of Object.values(value)) visit(inner, see, level + 1);
}

function isContext(value: unknown): boolean {
  return isRecord(value) && value['Var'] === 'context';
}

function isEntity(value: unknown): value is EntityRef {
  return isRecord(value) && typeof value['type'] === 'string' && typeof value['id'] === 'string';
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return isJsonObject(value);
}
