import { PalyraError, visibleText } from '@palyra/kernel';
import { systemCode } from '@palyra/private-files';
import type { PolicyFile, Problem } from '../model.ts';
import { MAX_PROBLEM_TEXT } from './limits.ts';

export interface Complaint {
  readonly reason: string;
  readonly help: string;
  /** The annotation that is at fault, without its `@`; absent when it is the rule as a whole. */
  readonly annotation?: string;
}

export type FilePlace = Pick<PolicyFile, 'layer' | 'name'>;

/** About a file as a whole; `.` is the directory of its layer. */
export function problemOf({ layer, name }: FilePlace, complaint: Complaint): Problem {
  return { layer, file: shown(name), line: 0, column: 0, ...bounded(complaint) };
}

/** About the character of a file at `offset`, in UTF-16 units. */
export function problemAt(file: PolicyFile, offset: number, complaint: Complaint): Problem {
  return { ...problemOf(file, complaint), ...placeIn(file.text, offset) };
}

/** From 1; a column counts characters, as an editor does. */
export function placeIn(
  text: string,
  offset: number,
): { readonly line: number; readonly column: number } {
  let line = 1;
  let lineStart = 0;
  for (
    let end = text.indexOf('\n');
    end !== -1 && end < offset;
    end = text.indexOf('\n', end + 1)
  ) {
    line += 1;
    lineStart = end + 1;
  }
  return { line, column: lengthOf(text.slice(lineStart, offset)) + 1 };
}

function lengthOf(text: string): number {
  let length = 0;
  for (const _character of text) length += 1;
  return length;
}

/** The first few in one line; who wants all of them has them checked. */
const MAX_NAMED = 3;

export function invalid(problems: readonly Problem[]): PalyraError {
  const named = problems.slice(0, MAX_NAMED).map(lineOf).join('; ');
  const more = problems.length > MAX_NAMED ? ` (and ${problems.length - MAX_NAMED} more)` : '';
  const help = problems[0]?.help;
  return new PalyraError('POLICY_INVALID', `${named}${more}`, help === undefined ? {} : { help });
}

function lineOf({ layer, file, line, column, reason }: Problem): string {
  const place = line === 0 ? '' : `:${line}:${column}`;
  return `${layer}/${file}${place}: ${reason}`;
}

export function unreadable(error: unknown): Complaint {
  return {
    reason: `it cannot be read (${systemCode(error) ?? 'unknown reason'})`,
    help: 'make it readable for the user that runs Palyra, or move it away',
  };
}

function bounded({ reason, help }: Complaint): Pick<Problem, 'reason' | 'help'> {
  return { reason: shown(reason), help: shown(help) };
}

/** Parts of it come from the file: on one line, nothing unseen in it, no longer than need be. */
function shown(text: string): string {
  const line = visibleText(text.replaceAll(/\s+/g, ' '), 'one-line');
  return line.length > MAX_PROBLEM_TEXT ? `${line.slice(0, MAX_PROBLEM_TEXT)}…` : line;
}
