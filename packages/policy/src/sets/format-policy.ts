import { formatPolicies } from '@cedar-policy/cedar-wasm/nodejs';
import type { PolicyFile, Problem } from '../model.ts';
import { byteOffsetOf, complaintOf, unitOffset } from './cedar-words.ts';
import { parseFile } from './parse-file.ts';
import { problemAt, problemOf } from './problems.ts';

export type Formatted =
  | { readonly kind: 'formatted'; readonly text: string }
  | { readonly kind: 'refused'; readonly problems: readonly Problem[] };

const LAYOUT = { lineWidth: 100, indentWidth: 2 };

/** In the one layout of rules; comments stay. Contract: never throws for anything in the file. */
export function formatPolicy(file: PolicyFile): Formatted {
  try {
    // Its bounds and what Cedar says of each rule; the formatter itself stops at the first.
    const { problems } = parseFile(file);
    if (problems.length > 0) return { kind: 'refused', problems };
    const answer = formatPolicies({ policyText: file.text, ...LAYOUT });
    if (answer.type === 'success') {
      return { kind: 'formatted', text: `${answer.formatted_policy.trimEnd()}\n` };
    }
    const found = answer.errors.map((error) =>
      problemAt(file, unitOffset(file.text, byteOffsetOf(error)), complaintOf(error)),
    );
    return { kind: 'refused', problems: found };
  } catch {
    const complaint = {
      reason: 'Cedar could not look at it',
      help: 'make its rules simpler: fewer brackets, shorter conditions',
    };
    return { kind: 'refused', problems: [problemOf(file, complaint)] };
  }
}
