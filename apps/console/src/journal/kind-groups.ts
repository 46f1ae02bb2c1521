import { kindWords } from '@palyra/client';
import { JOURNAL_KINDS } from '@palyra/kernel';

export interface KindGroup {
  /** How its kinds begin, with the dot. */
  readonly prefix: string;
  readonly name: string;
  readonly kinds: readonly string[];
}

/** Every kind of entry, by how it begins. */
export const KIND_GROUPS: readonly KindGroup[] = Object.entries(
  Object.groupBy(Object.keys(JOURNAL_KINDS), (kind) => kind.slice(0, kind.indexOf('.') + 1)),
)
  .map(([prefix, kinds = []]) => ({ prefix, name: capital(prefix.slice(0, -1)), kinds }))
  .toSorted((one, other) => one.name.localeCompare(other.name, 'en'));

/** `tool.` is every kind of its group. */
export function choiceWords(kind: string): string {
  return kind.endsWith('.') ? `all of ${kind.slice(0, -1)}` : kindWords(kind);
}

function capital(word: string): string {
  return `${word.charAt(0).toUpperCase()}${word.slice(1)}`;
}
