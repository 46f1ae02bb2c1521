import type { Environment } from '@palyra/kernel';
import type { CommandExit, Exit } from './exit-codes.ts';
import type { Terminal } from './terminal.ts';

/** One command as the command line, its help and the shell completion know it. */
export interface CommandSpec {
  /** The words after `palyra`: `['runs', 'list']`. */
  readonly path: readonly string[];
  readonly summary: string;
  readonly arguments: readonly ArgumentSpec[];
  readonly options: readonly OptionSpec[];
  readonly examples: readonly Example[];
  /** Contract: nothing of a command is loaded before it is asked for. */
  readonly load: () => Promise<{ readonly run: RunCommand }>;
  /** It asks a gateway, so it can be told which. */
  readonly asks?: 'gateway';
  /** Not for people: left out of help and completion. */
  readonly isHidden?: true;
}

export interface GroupSpec {
  readonly path: readonly string[];
  readonly summary: string;
}

export interface ArgumentSpec {
  readonly name: string;
  readonly summary: string;
  readonly need: 'required' | 'optional' | 'any-number';
  readonly values?: readonly string[];
  readonly completes?: 'files';
}

interface OptionBase {
  /** As in `-o, --output`; the name is the long word. */
  readonly short?: string;
  readonly name: string;
  readonly summary: string;
}

export type OptionSpec =
  | (OptionBase & { readonly kind: 'flag' })
  | (OptionBase & { readonly kind: 'text'; readonly value: string; readonly completes?: 'files' })
  | (OptionBase & { readonly kind: 'texts'; readonly value: string })
  | (OptionBase & {
      readonly kind: 'count';
      readonly value: string;
      readonly fallback: number;
      readonly most: number;
    });

export interface Example {
  readonly line: string;
  readonly note: string;
}

/** What a command line says, parsed, and what there is to act with. */
export interface Invocation {
  readonly arguments: readonly string[];
  readonly text: ReadonlyMap<string, string>;
  /** Options that may stand several times, with every value in order. */
  readonly texts: ReadonlyMap<string, readonly string[]>;
  readonly counts: ReadonlyMap<string, Count>;
  readonly flags: ReadonlySet<string>;
  readonly shell: Shell;
}

export interface Count {
  readonly value: number;
  readonly from: 'command-line' | 'fallback';
}

/** What this program was started with. */
export interface Surroundings {
  readonly terminal: Terminal;
  /** Read once at the start; children get it too. */
  readonly environment: Environment;
  /** Where this program's bundle or source is; the daemon is found from there. */
  readonly entryFile: string;
}

export interface Shell extends Surroundings {
  /** The gateway that the command line or `PALYRA_GATEWAY` names. */
  readonly gateway?: string | undefined;
  /** What has to end before the program does, such as a renewal that is under way. */
  readonly ending: AsyncDisposableStack;
}

export type RunCommand = (invocation: Invocation) => Promise<Exit | CommandExit>;

export function wantsJson(invocation: Invocation): boolean {
  return invocation.flags.has('json');
}

/** Contract: the command line was checked against the spec, so a required argument is there. */
export function argument(invocation: Invocation, place: number): string {
  const value = invocation.arguments[place];
  if (value === undefined) throw new TypeError(`argument ${place} is missing after parsing`);
  return value;
}

/** Contract: a count always has a value, given or fallback. */
export function count(invocation: Invocation, name: string): number {
  return countOf(invocation, name).value;
}

/** For a count that means nothing beside another option. */
export function isGiven(invocation: Invocation, name: string): boolean {
  return countOf(invocation, name).from === 'command-line';
}

function countOf({ counts }: Invocation, name: string): Count {
  const found = counts.get(name);
  if (found === undefined) throw new TypeError(`option ${name} is missing after parsing`);
  return found;
}
