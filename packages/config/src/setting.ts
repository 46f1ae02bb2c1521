import { visibleText } from '@palyra/kernel';
import type * as z from 'zod';
import { describeType, previewValue } from './key-type.ts';
import { type Origin, describeOrigin } from './origin.ts';
import { type ConfigProblem, MAX_PROBLEMS } from './problem.ts';
import type { KeyDeclaration } from './sections.ts';

/** One value that one layer gives to one key, checked. */
export interface Setting {
  readonly declaration: KeyDeclaration;
  readonly value: unknown;
  readonly origin: Origin;
}

/** What one layer says: what is good of it and what is not. */
export interface LayerReading {
  readonly settings: readonly Setting[];
  readonly problems: readonly ConfigProblem[];
}

const MAX_SHOWN_NAME = 120;
const MAX_SHOWN_ITEM = 60;

/** Not `palyra config show`: with a configuration that is refused it fails, too. */
export const LIST_OF_KEYS = '`docs/reference/config.md` lists every key';

export type Checked =
  | { readonly kind: 'setting'; readonly setting: Setting }
  | { readonly kind: 'problem'; readonly problem: ConfigProblem };

export function checkValue(declaration: KeyDeclaration, raw: unknown, origin: Origin): Checked {
  const judged = judgeValue(declaration, raw);
  return judged.kind === 'good'
    ? { kind: 'setting', setting: { declaration, value: judged.value, origin } }
    : { kind: 'problem', problem: invalidValue(declaration, judged.reason, origin) };
}

type JudgedValue =
  | { readonly kind: 'good'; readonly value: unknown }
  /** The reason goes on after the name of the key. */
  | { readonly kind: 'bad'; readonly reason: string };

export function judgeValue(declaration: KeyDeclaration, raw: unknown): JudgedValue {
  const result = declaration.schema.safeParse(raw);
  if (result.success) return { kind: 'good', value: result.data };
  return { kind: 'bad', reason: reasonOf(declaration, raw, result.error) };
}

export function invalidValue(
  { path }: KeyDeclaration,
  reason: string,
  origin: Origin,
): ConfigProblem {
  return {
    code: 'CONFIG_INVALID',
    key: path,
    origin,
    message: `\`${path}\` (${describeOrigin(origin)}) ${reason}`,
    help: helpForValue(path),
  };
}

export function helpForValue(path: string): string {
  return `correct the value; \`palyra config explain ${path}\` tells what the key takes`;
}

/** `name` is what was written: `section.key`, a section or a variable. */
export function unknownKey(
  name: string,
  origin: Origin,
  nearest: string | undefined,
): ConfigProblem {
  const shown = shownName(name);
  const guess = nearest === undefined ? 'remove it;' : `did you mean \`${nearest}\`?`;
  return {
    code: 'CONFIG_UNKNOWN_KEY',
    key: shown,
    origin,
    message: `\`${shown}\` (${describeOrigin(origin)}) is not a key`,
    help: `${guess} ${LIST_OF_KEYS}`,
  };
}

/** A name that somebody else wrote, fit for a message. */
export function shownName(name: string): string {
  return visibleText(name.slice(0, MAX_SHOWN_NAME), 'one-line');
}

/** Stops at MAX_PROBLEMS: to find a suggestion for each of thousands of names takes seconds. */
export function gather(checked: Iterable<Checked>): LayerReading {
  const settings: Setting[] = [];
  const problems: ConfigProblem[] = [];
  for (const one of checked) {
    if (one.kind === 'setting') settings.push(one.setting);
    else problems.push(one.problem);
    if (problems.length === MAX_PROBLEMS) break;
  }
  return { settings, problems };
}

/** Where the value is of the right type, only the rule of our own that it breaks, or the item, helps. */
function reasonOf(declaration: KeyDeclaration, raw: unknown, { issues }: z.ZodError): string {
  const { isSecret, isSecretWhenRefused } = declaration;
  const shown = isSecretWhenRefused ? 'what is set' : previewValue(raw);
  const takes = `takes ${describeType(declaration)}`;
  const [issue] = issues;
  if (issue === undefined || isSecret) return `${takes}, not ${shown}`;
  if (issue.path.length > 0) {
    const item = visibleText(issue.path.join('.').slice(0, MAX_SHOWN_ITEM), 'one-line');
    return `${takes}: item \`${item}\` is wrong`;
  }
  return `${issue.code === 'custom' ? issue.message : takes}, not ${shown}`;
}
