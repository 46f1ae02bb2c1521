import { hideSecretsIn, redactText } from '@palyra/kernel';
import { callLine, inline } from '../../approvals/call-words.ts';
import type { CallStory } from './call.ts';

const LONGEST = 400;

/** What a call is about, on one line: a command, a request, files; else its arguments. */
export function callWhat({ proposal, written, hasAllArguments }: CallStory): string {
  if (written !== undefined && written !== '') return cut(inline(hideSecretsIn(written)));
  const { process, http, reads = [], writes = [], argumentBytes = 0 } = proposal.facts ?? {};
  const paths = [...new Set([...writes, ...reads])];
  if (process === undefined && http === undefined && paths.length > 0) {
    return cut(inline(redactText(paths.join(' '))));
  }
  if (!hasAllArguments && process === undefined && http === undefined) {
    return `${argumentBytes} B of arguments`;
  }
  return cut(callLine(proposal));
}

/** The whole of it stands in the open card. */
function cut(text: string): string {
  return text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text;
}
