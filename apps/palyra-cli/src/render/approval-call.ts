import { plural } from '@palyra/client';
import { hideSecretsIn } from '@palyra/kernel';
import type { CallFacts, HostFacts, ToolProposal } from '@palyra/protocol';
import type { Terminal } from '../terminal.ts';
import { exactCommand, exactRequest } from './command-line.ts';
import { Gutter } from './gutter.ts';
import { type Field, foldFor } from './layout.ts';
import { capabilityWord, inline, riskWord } from './words.ts';

const INDENT = '    ';

/** What a call would do, in the spelling in which it is judged and executed. */
export function callFields(proposal: ToolProposal): readonly Field[] {
  const { tool, risk, capabilities, facts, workspace } = proposal;
  const needs = capabilities.map(capabilityWord).join(', ');
  return [
    ['tool', inline(tool)],
    ['risk', `${riskWord(risk)}${needs === '' ? '' : `: ${needs}`}`],
    // Older ones do not say it.
    ...(workspace === '' ? [] : [['workspace', inline(workspace)] as const]),
    ...(facts === undefined ? [] : factFields(facts)),
  ];
}

function factFields(facts: CallFacts): readonly Field[] {
  const { process, http, hosts, reads, writes, secrets, readsBelow } = facts;
  const listed = (label: string, names: readonly string[]): readonly Field[] =>
    names.length === 0 ? [] : [[label, listWords(names)]];
  return [
    ...(process === undefined ? [] : [['command', exactCommand(process)] as const]),
    ...(process === undefined ? [] : [['in folder', inline(process.directory)] as const]),
    ...(http === undefined ? [] : [['request', exactRequest(http)] as const]),
    ...listed('sets', process?.environment ?? []),
    ...(process !== undefined || hosts.length > 0 ? [['reaches', reachWords(facts)] as const] : []),
    ...listed(readsBelow ? 'reads below' : 'reads', reads),
    ...listed('writes', writes),
    ...listed('secrets', secrets),
  ];
}

const MOST_NAMES = 50;

function listWords(names: readonly string[]): string {
  const more = names.length - MOST_NAMES;
  return `${names.slice(0, MOST_NAMES).map(inline).join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}

/** Without a cage nothing keeps a program from what it does not name. */
function reachWords({ process, hosts }: CallFacts): string {
  const named = hosts.map(hostWord).join(', ');
  if (process?.tier === 'B')
    return `${named === '' ? 'nobody by name' : named}; tier B holds it to nothing`;
  return named === '' ? 'no network' : named;
}

function hostWord({ name, port, range }: HostFacts): string {
  return inline(`${name}:${port}${range === 'name' || range === 'public' ? '' : ` (${range})`}`);
}

/** Of one argument; more than this nobody reads on a terminal. */
const MAX_SHOWN = 8192;

/** What the model wrote where no arguments could be read from it, made visible. */
export function printWritten(terminal: Terminal, written: string): void {
  terminal.print(`  ${terminal.paint('quiet', 'no arguments: what the model wrote is')}`);
  const lines = new Gutter(terminal, INDENT);
  lines.feed(hideSecretsIn(written.slice(0, MAX_SHOWN)));
  lines.close();
  const more = written.length - MAX_SHOWN;
  if (more > 0) terminal.print(`${INDENT}and ${plural(more, 'character')} more`);
}

/**
 * Every argument as the model gave it, to the letter, behind a mark that it cannot draw itself out of:
 * whoever says yes has to see what to. Where something was too long it says how to see all of it.
 */
export function printArguments(
  terminal: Terminal,
  { arguments: given }: ToolProposal,
  whole: string,
): void {
  const pairs = Object.entries(given ?? {});
  terminal.print(`  ${terminal.paint('quiet', plural(pairs.length, 'argument'))}`);
  let isCut = false;
  for (const [name, value] of pairs) {
    const isText = typeof value === 'string' && value.includes('\n');
    const text = isText ? value : JSON.stringify(value);
    isCut ||= text.length > MAX_SHOWN;
    const shown = text.slice(0, MAX_SHOWN);
    printArgument(terminal, `${inline(name)}: ${isText ? '' : inline(shown)}`);
    if (!isText) continue;
    const lines = new Gutter(terminal, INDENT + INDENT);
    lines.feed(shown);
    lines.close();
  }
  if (isCut) terminal.print(`${INDENT}what is too long is cut here; all of it: \`${whole}\``);
}

/** What goes on below stands deeper than any name, so that no value can pass for another argument. */
function printArgument(terminal: Terminal, text: string): void {
  const mark = `${INDENT}${terminal.paint('quiet', terminal.symbols.gutter)} `;
  const lines = foldFor(terminal)(text, terminal.width - 2 * INDENT.length - 2);
  for (const [place, line] of lines.entries()) {
    terminal.print(`${mark}${place === 0 ? '' : INDENT}${line}`);
  }
}
