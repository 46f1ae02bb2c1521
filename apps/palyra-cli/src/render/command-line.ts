import { redactText } from '@palyra/kernel';
import type { ToolProposal } from '@palyra/protocol';
import { inline } from './words.ts';

/** Words as a person would type them into a shell. Contract: not yet fit for a terminal. */
export function commandLine(words: readonly string[]): string {
  return words.map(shellWord).join(' ');
}

function shellWord(word: string): string {
  return /^[\w@%+:,./=-]+$/.test(word) ? word : `'${word.replaceAll("'", String.raw`'\''`)}'`;
}

/** What a call does, in one line: a command, a request, or the tool's arguments. */
export function callLine({ facts, arguments: given }: ToolProposal): string {
  const { process, http } = facts ?? {};
  if (process !== undefined) {
    return fit(commandLine([process.executable, ...process.arguments]));
  }
  if (http === undefined) return fit(JSON.stringify(given ?? {}));
  const { method, scheme, host, port, path } = http;
  return fit(`${method} ${scheme}://${host}:${port}${path}`);
}

function fit(text: string): string {
  return inline(redactText(text));
}
