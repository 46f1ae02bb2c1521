import {
  type Draft,
  eraseAhead,
  eraseBack,
  eraseToLineEnd,
  eraseToLineStart,
  eraseWord,
  goLeft,
  goLineEnd,
  goLineStart,
  goRight,
  goWordLeft,
  goWordRight,
  insert,
} from './draft.ts';

export type KeyName =
  | 'return'
  | 'escape'
  | 'tab'
  | 'up'
  | 'down'
  | 'left'
  | 'right'
  | 'home'
  | 'end'
  | 'pageUp'
  | 'pageDown'
  | 'backspace'
  | 'delete';

/** One key, or the characters that came with one stroke. */
export interface Press {
  readonly name?: KeyName | undefined;
  readonly text?: string;
  readonly ctrl?: boolean;
  readonly alt?: boolean;
}

/** What a key does to a line of text wherever one is typed. */
export function edited(draft: Draft, { name, text = '', ctrl = false, alt = false }: Press): Draft {
  if (ctrl) return (CTRL.get(text) ?? same)(draft);
  if (name !== undefined) return ((alt ? ALT_NAMED : NAMED).get(name) ?? same)(draft);
  if (alt) return (ALT.get(text) ?? same)(draft);
  return insert(draft, text);
}

type Edit = (draft: Draft) => Draft;

const same: Edit = (draft) => draft;

/** The keys of every shell. */
const CTRL: ReadonlyMap<string, Edit> = new Map([
  ['a', goLineStart],
  ['b', goLeft],
  ['d', eraseAhead],
  ['e', goLineEnd],
  ['f', goRight],
  ['k', eraseToLineEnd],
  ['u', eraseToLineStart],
  ['w', eraseWord],
]);
const ALT: ReadonlyMap<string, Edit> = new Map([
  ['b', goWordLeft],
  ['f', goWordRight],
]);
const NAMED: ReadonlyMap<KeyName, Edit> = new Map<KeyName, Edit>([
  ['backspace', eraseBack],
  ['delete', eraseAhead],
  ['left', goLeft],
  ['right', goRight],
  ['home', goLineStart],
  ['end', goLineEnd],
]);
const ALT_NAMED: ReadonlyMap<KeyName, Edit> = new Map<KeyName, Edit>([
  ['backspace', eraseWord],
  ['left', goWordLeft],
  ['right', goWordRight],
]);
