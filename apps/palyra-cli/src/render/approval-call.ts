import { MAX_LOGGED_TEXT, redact } from '@palyra/kernel';
import type { CallFacts, HostFacts, ToolProposal } from '@palyra/protocol';
import type { Terminal } from '../terminal.ts';
import { callLine } from './command-line.ts';
import { Gutter } from './gutter.ts';
import { type Field, foldFor } from './layout.ts';
import { capabilityWord, inline, plural, riskWord } from './words.ts';

const INDENT = '    ';

/** What a call would do, in the spelling in which it is judged and executed. */
export function callFields(proposal: ToolProposal): readonly Field[] {
  const { tool, risk, capabilities, facts } = proposal;
  const needs = capabilities.map(capabilityWord).join(', ');
  return [
    ['tool', inline(tool)],
    ['risk', `${riskWord(risk)}${needs === '' ? '' : `: ${needs}`}`],
    ...(facts === undefined ? [] : factFields(proposal, facts)),
  ];
}

function factFields(proposal: ToolProposal, facts: CallFacts): readonly Field[] {
  const { process, http, hosts, reads, writes, secrets, readsBelow } = facts;
  const listed = (label: string, names: readonly string[]): readonly Field[] =>
    names.length === 0 ? [] : [[label, names.map(inline).join(', ')]];
  return [
    ...(process === undefined ? [] : [['command', callLine(proposal)] as const]),
    ...(process === undefined ? [] : [['in folder', inline(process.directory)] as const]),
    ...(http === undefined ? [] : [['request', callLine(proposal)] as const]),
    ...(process !== undefined || hosts.length > 0
      ? [['reaches', hosts.length === 0 ? 'no network' : hosts.map(hostWord).join(', ')] as const]
      : []),
    ...listed(readsBelow ? 'reads below' : 'reads', reads),
    ...listed('writes', writes),
    ...listed('secrets', secrets),
  ];
}

function hostWord({ name, port, range }: HostFacts): string {
  return inline(`${name}:${port}${range === 'name' || range === 'public' ? '' : ` (${range})`}`);
}

/**
 * Every argument as the model gave it, behind a mark that it cannot draw itself out of. Secrets by
 * name and by shape are gone; where something was too long it says how to see all of it.
 */
export function printArguments(
  terminal: Terminal,
  { arguments: given, facts }: ToolProposal,
  whole: string,
): void {
  const shown = redact(given ?? {});
  const pairs = shown !== null && typeof shown === 'object' ? Object.entries(shown) : [];
  terminal.print(`  ${terminal.paint('quiet', plural(pairs.length, 'argument'))}`);
  for (const [name, value] of pairs) {
    const isText = typeof value === 'string' && value.includes('\n');
    printArgument(terminal, `${inline(name)}: ${isText ? '' : inline(JSON.stringify(value))}`);
    if (!isText) continue;
    const text = new Gutter(terminal, INDENT + INDENT);
    text.feed(value);
    text.close();
  }
  if ((facts?.argumentBytes ?? 0) > MAX_LOGGED_TEXT) {
    terminal.print(`${INDENT}what is too long is cut here; all of it: \`${whole}\``);
  }
}

/** What goes on below stands deeper than any name, so that no value can pass for another argument. */
function printArgument(terminal: Terminal, text: string): void {
  const mark = `${INDENT}${terminal.paint('quiet', terminal.symbols.gutter)} `;
  const lines = foldFor(terminal)(text, terminal.width - 2 * INDENT.length - 2);
  for (const [place, line] of lines.entries()) {
    terminal.print(`${mark}${place === 0 ? '' : INDENT}${line}`);
  }
}
