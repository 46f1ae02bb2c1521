/** Marks of a quotation or a list, one in the other: nobody writes more, and each is a step of recursion. */
const DEEPEST = 12;
/** Deeper than code is ever indented. */
const WIDEST_INDENT = 200;
/** A line of so many marks of emphasis or brackets is no text; looking for pairs in it takes for ever. */
const MOST_MARKS = 400;
/** More is no paragraph that somebody would read. */
export const LONGEST_BLOCK = 16 * 1024;

/** Whether a text is worth being read as markdown; what is not is shown as it stands. */
export function isReadable(text: string): boolean {
  if (text.length > LONGEST_BLOCK) return false;
  return text.split('\n').every((line) => !isDeep(line) && countOf(line, MARKS) <= MOST_MARKS);
}

const MARKS = /[*_~`[\]()<>!]/g;
const NESTING = /^(?:[ \t]*(?:>|[-+*](?=\s)|\d{1,9}[.)](?=\s)))+/;
const ONE_NESTING = />|[-+*]|\d{1,9}[.)]/g;

function isDeep(line: string): boolean {
  const [opening = ''] = NESTING.exec(line.slice(0, WIDEST_INDENT)) ?? [];
  return countOf(opening, ONE_NESTING) > DEEPEST || line.search(/[^ \t]/) > WIDEST_INDENT;
}

function countOf(text: string, pattern: RegExp): number {
  return text.match(pattern)?.length ?? 0;
}
