import { quote } from '@palyra/kernel';
import type * as z from 'zod';
import type { NotUnderstood } from './manifest.ts';

/** The first thing that is wrong, in a sentence, with a way out. */
export function notUnderstood(error: z.ZodError): NotUnderstood {
  const [issue] = error.issues;
  if (issue === undefined) return because('the arguments cannot be read', LOOK_AT_SCHEMA);
  const name = issue.path.length === 0 ? 'the arguments' : quote(nameOf(issue.path));
  switch (issue.code) {
    case 'custom':
      return because(`${name} ${issue.message}`, helpIn(issue.params));
    case 'unrecognized_keys':
      return because(`${name} hold ${quote(issue.keys[0] ?? '')}, which is no argument`, NO_OTHERS);
    case 'invalid_type':
      return because(`${name} ${typeProblem(issue)}`, LOOK_AT_SCHEMA);
    case 'invalid_value':
      return because(`${name} must be one of ${issue.values.join(', ')}`, LOOK_AT_SCHEMA);
    case 'too_big':
      return because(`${name} must be at most ${issue.maximum}${unitOf(issue.origin)}`, SHORTEN);
    case 'too_small':
      return because(`${name} ${tooSmall(issue)}`, LOOK_AT_SCHEMA);
    case 'invalid_element':
    case 'invalid_format':
    case 'invalid_key':
    case 'invalid_union':
    case 'not_multiple_of':
      return because(`${name} cannot be read`, LOOK_AT_SCHEMA);
  }
}

const LOOK_AT_SCHEMA = 'the schema of the tool says what each argument has to be';
const NO_OTHERS = 'leave it out; the schema of the tool names all arguments';
const SHORTEN = 'split the call into several';

function because(reason: string, help: string): NotUnderstood {
  return { kind: 'not-understood', reason, help };
}

/** `edits[2].find` */
function nameOf(path: readonly PropertyKey[]): string {
  return path.reduce<string>((name, part) => {
    if (typeof part === 'number') return `${name}[${part}]`;
    return name === '' ? String(part) : `${name}.${String(part)}`;
  }, '');
}

function helpIn(params: Readonly<Record<string, unknown>> | undefined): string {
  const help = params?.['help'];
  return typeof help === 'string' ? help : LOOK_AT_SCHEMA;
}

function typeProblem({ expected, input }: { expected: string; input?: unknown }): string {
  return input === undefined ? 'is missing' : `must be ${WORDS[expected] ?? expected}`;
}

const WORDS: Readonly<Record<string, string>> = {
  array: 'a list',
  int: 'a whole number',
  number: 'a number',
  object: 'an object',
  string: 'a text',
};

/** A text or a list is only ever asked to hold something. */
function tooSmall({ minimum, origin }: { minimum: number | bigint; origin: string }): string {
  return origin === 'number' || origin === 'int' ? `must be at least ${minimum}` : 'is empty';
}

function unitOf(origin: string): string {
  if (origin === 'string') return ' characters';
  return origin === 'array' ? ' items' : '';
}
