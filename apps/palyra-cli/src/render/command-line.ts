import { byteWords } from '@palyra/client';
import { hideSecretWords, hideSecrets, hideSecretsIn } from '@palyra/kernel';
import type { HttpFacts, ProcessFacts, ToolProposal } from '@palyra/protocol';
import { inline } from './words.ts';

/** Words as a person would type them into a shell. Contract: not yet fit for a terminal. */
export function commandLine(words: readonly string[]): string {
  return words.map(shellWord).join(' ');
}

function shellWord(word: string): string {
  return /^[\w@%+:,./=-]+$/.test(word) ? word : `'${word.replaceAll("'", String.raw`'\''`)}'`;
}

/** What a call does, in one line: a command, a request, or the tool's arguments. Secrets are hidden. */
export function callLine({ facts, arguments: given }: ToolProposal): string {
  const { process, http } = facts ?? {};
  if (process !== undefined) {
    return inline(commandLine(hideSecretWords([process.executable, ...process.arguments])));
  }
  if (http !== undefined) return inline(hideSecretsIn(requestText(http)));
  if (given === undefined && facts !== undefined) {
    return `${byteWords(facts.argumentBytes)} of arguments`;
  }
  return inline(JSON.stringify(hideSecrets(given ?? {})));
}

/** The command of a call, to the letter: for whoever has to answer for it. */
export function exactCommand({ executable, arguments: words }: ProcessFacts): string {
  return inline(commandLine([executable, ...words]));
}

/** The address of a call, to the letter. */
export function exactRequest(http: HttpFacts): string {
  return inline(requestText(http));
}

function requestText({ method, scheme, host, port, path }: HttpFacts): string {
  return `${method} ${scheme}://${host}:${port}${path}`;
}
