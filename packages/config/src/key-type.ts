import { redactText, visibleText } from '@palyra/kernel';
import type * as z from 'zod';
import { type KeyDeclaration, type Sections, declareKeys, jsonSchemaOf } from './sections.ts';
import { isTomlTable } from './toml-table.ts';

type KeySchema = z.core.JSONSchema.BaseSchema;
export type Option = NonNullable<KeySchema['enum']>[number];

const MAX_PREVIEW = 60;

/** In words, what a key takes: `a whole number from 1 to 10`. */
export function describeType(declaration: KeyDeclaration): string {
  return describeSchema(jsonSchemaOf(declaration.schema));
}

/** Text keys take text as it is; every other key is written as in TOML. */
export function isTextKey(declaration: KeyDeclaration): boolean {
  return jsonSchemaOf(declaration.schema).type === 'string';
}

/** The options of an enum in the order of their declaration; empty for other types. */
export function optionsOf(declaration: KeyDeclaration): readonly Option[] {
  return jsonSchemaOf(declaration.schema).enum ?? [];
}

/** Keys whose size nothing bounds. A guard over all sections expects none. */
export function unboundedKeys(sections: Sections): readonly string[] {
  return [...declareKeys(sections).values()]
    .filter(({ schema }) => !isBounded(jsonSchemaOf(schema)))
    .map(({ path }) => path);
}

/** A value as a message may show it: short, on one line, and nothing of what it holds inside. */
export function previewValue(value: unknown): string {
  switch (typeof value) {
    case 'string': {
      // A key or token may have been pasted to the wrong place.
      const shown = visibleText(redactText(value).slice(0, MAX_PREVIEW), 'one-line');
      return value.length > MAX_PREVIEW ? `text \`${shown}…\`` : `text \`${shown}\``;
    }
    case 'number':
    case 'boolean':
    case 'bigint':
      return `\`${value}\``;
    case 'object':
      return previewObject(value);
    case 'undefined':
    case 'function':
    case 'symbol':
      return 'nothing';
  }
}

function previewObject(value: object | null): string {
  if (Array.isArray(value)) return 'a list';
  return isTomlTable(value) ? 'a table' : 'a date or time';
}

function describeSchema(schema: KeySchema): string {
  if (schema.enum !== undefined) return describeOptions(schema.enum);
  switch (typeOf(schema)) {
    case 'integer':
      return `a whole number${describeRange(schema)}`;
    case 'number':
      return `a number${describeRange(schema)}`;
    case 'boolean':
      return '`true` or `false`';
    case 'string':
      return `text${describeLength(schema)}`;
    case 'array':
      return `a list${describeItems(schema)}`;
    case 'object':
      return 'a table';
    case 'null':
    case undefined:
      return describeAlternatives(schema);
  }
}

/** A choice between types is spelled with `anyOf`; a list of types never comes out of zod. */
function typeOf({ type }: KeySchema): z.core.JSONSchema.SchemaType | undefined {
  return Array.isArray(type) ? undefined : type;
}

function describeOptions(options: readonly Option[]): string {
  const shown = options.map((option) => `\`${String(option)}\``);
  return shown.length === 1 ? shown.join('') : `one of ${shown.join(', ')}`;
}

function describeRange(schema: KeySchema): string {
  const { low, high } = rangeOf(schema);
  if (low !== undefined && high !== undefined) return ` from ${low} to ${high}`;
  if (low !== undefined) return ` of at least ${low}`;
  return high === undefined ? '' : ` of at most ${high}`;
}

/** The ends of what a float holds exactly are put there by zod and bound nothing. */
function rangeOf({ minimum, maximum }: KeySchema): { low?: number; high?: number } {
  const hasLow = minimum !== undefined && minimum > Number.MIN_SAFE_INTEGER;
  const hasHigh = maximum !== undefined && maximum < Number.MAX_SAFE_INTEGER;
  return { ...(hasLow ? { low: minimum } : {}), ...(hasHigh ? { high: maximum } : {}) };
}

function describeLength({ minLength = 0, maxLength, pattern }: KeySchema): string {
  const shape = pattern === undefined ? '' : ` like \`${pattern}\``;
  if (maxLength === undefined) return `${minLength > 0 ? ' that is not empty' : ''}${shape}`;
  const length = minLength > 0 ? `${minLength} to ${maxLength}` : `at most ${maxLength}`;
  return ` of ${length} characters${shape}`;
}

function describeItems({ items, maxItems }: KeySchema): string {
  const most = maxItems === undefined ? '' : ` of at most ${maxItems}`;
  if (typeof items !== 'object' || Array.isArray(items)) return most;
  return `${most}, each ${describeSchema(items)}`;
}

function describeAlternatives({ anyOf = [] }: KeySchema): string {
  return anyOf.length === 0
    ? 'a value'
    : anyOf.map((schema) => describeSchema(schema)).join(' or ');
}

function isBounded(schema: KeySchema): boolean {
  if (schema.enum !== undefined || schema.const !== undefined) return true;
  switch (typeOf(schema)) {
    case 'boolean':
    case 'null':
      return true;
    case 'integer':
    case 'number':
      return Object.keys(rangeOf(schema)).length === 2;
    case 'string':
      return schema.maxLength !== undefined;
    case 'array':
      return schema.maxItems !== undefined && isBoundedInside(schema.items);
    case 'object':
      return false;
    case undefined:
      return schema.anyOf !== undefined && schema.anyOf.every((part) => isBounded(part));
  }
}

function isBoundedInside(items: KeySchema['items']): boolean {
  return typeof items === 'object' && !Array.isArray(items) && isBounded(items);
}
