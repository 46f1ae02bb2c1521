import { type Expression, pathOf, walk } from './expression.ts';

/** Of the context, at its first level; `all` when a condition uses it as a whole. */
export function attributesIn(expression: Expression): ReadonlySet<string> | 'all' {
  const read = new Set<string>();
  for (const part of walk(expression)) {
    const name = attributeOf(part);
    if (name !== undefined) read.add(name);
    else if (usesContext(part)) return 'all';
  }
  return read;
}

/** Which of `principal`, `action`, `resource` and `context` a condition speaks of. */
export function variablesIn(expression: Expression): ReadonlySet<string> {
  const variables = walk(expression).filter(({ op }) => op === 'Var');
  return new Set(variables.map(({ name }) => name));
}

function attributeOf({ op, args, name }: Expression): string | undefined {
  if (op !== '.' && op !== 'has') return undefined;
  const [left] = args;
  if (left === undefined || pathOf(left)?.join('.') !== 'context') return undefined;
  return op === 'has' ? name.split('.')[0] : name;
}

function usesContext({ args }: Expression): boolean {
  return args.some(({ op, name }) => op === 'Var' && name === 'context');
}
