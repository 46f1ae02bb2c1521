import { byteWords } from '@palyra/client';
import { hideSecretWords, hideSecrets } from '@palyra/kernel';
import type { CallFacts, HttpFacts, ProcessFacts, ToolProposal } from '@palyra/protocol';
import { cut } from './text-width.ts';
import { inline, inlineWithoutSecrets } from './words.ts';

/** Words as a person would type them into a shell. Contract: not yet fit for a terminal. */
export function commandLine(words: readonly string[]): string {
  return words.map(shellWord).join(' ');
}

function shellWord(word: string): string {
  return /^[\w@%+:,./=-]+$/.test(word) ? word : `'${word.replaceAll("'", String.raw`'\''`)}'`;
}

/** Of the arguments in one line; what a person has to see before they answer is shown elsewhere. */
const MOST_SHOWN = 160;
/** Of the files in one line. */
const MOST_NAMES = 3;

/** What a call does, in one line: a command, a request, or its files and arguments. Secrets are hidden. */
export function callLine({ facts, arguments: given }: ToolProposal): string {
  const { process, http } = facts ?? {};
  if (process !== undefined) {
    return inline(commandLine(hideSecretWords([process.executable, ...process.arguments])));
  }
  if (http !== undefined) return inlineWithoutSecrets(requestText(http));
  if (given === undefined && facts !== undefined) {
    return `${byteWords(facts.argumentBytes)} of arguments`;
  }
  const shown = cut(inline(JSON.stringify(hideSecrets(given ?? {}))), MOST_SHOWN);
  const files = filesOf(facts);
  return files === '' ? shown : `${files}  ${shown}`;
}

/** First of all: which file it is matters more than what it is to hold, and comes after that in the arguments. */
function filesOf(facts: CallFacts | undefined): string {
  const { writes = [], reads = [] } = facts ?? {};
  const names = writes.length > 0 ? writes : reads;
  const more = names.length - MOST_NAMES;
  const named = names.slice(0, MOST_NAMES).map(inline).join(', ');
  return more > 0 ? `${named} and ${more} more` : named;
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
