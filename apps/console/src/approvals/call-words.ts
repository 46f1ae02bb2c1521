import {
  hideSecretWords,
  hideSecrets,
  hideSecretsIn,
  redactText,
  visibleText,
} from '@palyra/kernel';
import {
  type ApprovalRecord,
  Capability,
  type CallFacts,
  type HostFacts,
  type HttpFacts,
  type ProcessFacts,
  Risk,
  type ToolProposal,
} from '@palyra/protocol';
import { wordOf } from '../wire/words.ts';

/** Words as a person would type them into a shell. Contract: not yet fit to be shown. */
export function commandLine(words: readonly string[]): string {
  return words.map(shellWord).join(' ');
}

function shellWord(word: string): string {
  return /^[\w@%+:,./=-]+$/.test(word) ? word : `'${word.replaceAll("'", String.raw`'\''`)}'`;
}

/** What a call does, in one line: a command, a request, the files, or the arguments. Secrets are hidden. */
export function callLine({ facts, arguments: given }: ToolProposal): string {
  const { process, http, reads = [], writes = [] } = facts ?? {};
  if (process !== undefined) {
    return inline(commandLine(hideSecretWords([process.executable, ...process.arguments])));
  }
  if (http !== undefined) return inline(hideSecretsIn(requestText(http)));
  const paths = [...new Set([...writes, ...reads])];
  if (paths.length > 0) return inline(redactText(paths.join(' ')));
  if (given === undefined && facts !== undefined) return `${facts.argumentBytes} B of arguments`;
  return inline(JSON.stringify(hideSecrets(given ?? {})));
}

/** The command of a call, to the letter: for whoever has to answer for it. */
export function exactCommand({ executable, arguments: words }: ProcessFacts): string {
  return commandLine([executable, ...words]);
}

export function requestText({ method, scheme, host, port, path }: HttpFacts): string {
  return `${method} ${scheme}://${host}:${port}${path}`;
}

/** Without a cage nothing keeps a program from what it does not name. */
export function reachWords({ process, hosts }: CallFacts): string {
  const named = hosts.map(hostWord).join(', ');
  if (process?.tier === 'B') {
    return `${named === '' ? 'nobody by name' : named}; tier B holds it to nothing`;
  }
  return named === '' ? 'no network' : named;
}

function hostWord({ name, port, range }: HostFacts): string {
  return inline(`${name}:${port}${range === 'name' || range === 'public' ? '' : ` (${range})`}`);
}

export function riskWords({ risk, capabilities }: ToolProposal): string {
  const needs = capabilities.map((each) => wordOf(Capability, each)).join(', ');
  return `${wordOf(Risk, risk)}${needs === '' ? '' : `: ${needs}`}`;
}

export interface ShownArgument {
  readonly name: string;
  /** As the model gave it: a text of lines as it stands, anything else as JSON. */
  readonly text: string;
}

export function shownArguments({ arguments: given }: ToolProposal): readonly ShownArgument[] {
  return Object.entries(given ?? {}).map(([name, value]) => ({
    name: inline(name),
    text: typeof value === 'string' && value.includes('\n') ? value : JSON.stringify(value),
  }));
}

/** Foreign text on one line of ours. */
export function inline(text: string): string {
  return visibleText(text, 'one-line');
}

/** As the beginning of a line of ours. What stands between backticks keeps its letters. */
export function sentence(text: string): string {
  return text.replace(/^[a-z]/, (letter) => letter.toUpperCase());
}

/** As much of a diff as is seen at a glance. */
const GLANCE_LINES = 12;
const GLANCE_CHARACTERS = 1_000;

/**
 * Whether the command, or the diff, tells all that a call would do. Contract: no where there is
 * anything beside it, such as input, variables or headers, and where it is not all in sight.
 */
export function isToldWithoutArguments({ proposal, preview }: ApprovalRecord): boolean {
  const { process, bodyBytes = 0 } = proposal?.facts ?? {};
  if (process !== undefined) return bodyBytes === 0 && process.environment.length === 0;
  return preview !== undefined && preview.diffBytesLeftOut === 0 && isSeenAtAGlance(preview.diff);
}

function isSeenAtAGlance(diff: string): boolean {
  if (diff === '' || diff.length > GLANCE_CHARACTERS) return false;
  return diff.split('\n').length <= GLANCE_LINES;
}
