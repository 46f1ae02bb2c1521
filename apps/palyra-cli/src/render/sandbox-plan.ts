import { byteWords, plural } from '@palyra/client';
import { type Json, type JsonObject, isJsonObject } from '@palyra/kernel';
import { textOf } from '../config-answer.ts';
import type { Terminal } from '../terminal.ts';
import { objects, texts } from '../verdict-answer.ts';
import { printFields } from './layout.ts';
import { describeOptions, groupOptions } from './plan-options.ts';
import { printLines } from './verdict.ts';

/** What would be made for a command, before anything is. */
export function printPlan(terminal: Terminal, answer: JsonObject, explanation: JsonObject): void {
  const options = groupOptions(texts(explanation['options']));
  printFields(terminal, [
    ['command', commandWords(answer['arguments'])],
    ['workspace', textOf(answer, 'workspace')],
    ...describeOptions(options),
    ['guarded', guardWords(explanation['guarded'])],
    ['network', networkWords(answer['egress'], texts(explanation['hosts']))],
    ['limits', limitWords(explanation['limits'])],
    ['filter', textOf(explanation, 'filterHash') || 'none'],
    ['plan', textOf(explanation, 'planHash')],
    ['executor', textOf(explanation, 'executor')],
  ]);
  for (const weakness of texts(explanation['weaknesses'])) {
    printLines(terminal, `  ${terminal.symbols.warning} ${weakness}`, 'warning');
  }
}

function commandWords(args: Json | undefined): string {
  if (!isJsonObject(args)) return '';
  return [textOf(args, 'command'), ...texts(args['args'])].map(shown).join(' ');
}

function shown(word: string): string {
  return /^[\w./:=@%+,-]+$/.test(word) ? word : JSON.stringify(word);
}

const HOW: Readonly<Record<string, string>> = {
  'sealed-file': 'hidden',
  'sealed-folder': 'hidden',
  'missing-file': 'cannot be made',
  'missing-folder': 'cannot be made',
  'read-only': 'read-only',
  pinned: 'stays in its place',
};

function guardWords(guarded: Json | undefined): string {
  const byHow = new Map<string, string[]>();
  for (const guard of objects(guarded)) {
    const how = HOW[textOf(guard, 'how')] ?? textOf(guard, 'how');
    byHow.set(how, [...(byHow.get(how) ?? []), textOf(guard, 'path')]);
  }
  const groups = [...byHow].map(([how, paths]) => `${how}: ${paths.join(' ')}`);
  return groups.length === 0 ? 'nothing' : groups.join('; ');
}

function networkWords(egress: Json | undefined, hosts: readonly string[]): string {
  const mode = isJsonObject(egress) ? textOf(egress, 'mode') : '';
  switch (mode) {
    case 'none':
      return "all of the machine's";
    case 'preflight':
      return `all of the machine's; checked before and not enforced: ${hosts.join(' ')}`;
    default:
      return hosts.length === 0 ? 'none' : `only ${hosts.join(' ')}`;
  }
}

function limitWords(limits: Json | undefined): string {
  if (!isJsonObject(limits)) return 'unknown';
  const count = (name: string) => {
    const value = limits[name];
    return typeof value === 'number' ? value : 0;
  };
  return [
    `${count('wallTimeMs') / 1000} s`,
    `${count('cpuTimeMs') / 1000} s of processor`,
    `${byteWords(count('memoryBytes'))} memory`,
    plural(count('processes'), 'process', 'processes'),
    `${byteWords(count('outputBytes'))} output`,
    `${byteWords(count('fileBytes'))} a file`,
    `${count('openFiles')} open files`,
    `${byteWords(count('scratchBytes'))} scratch`,
  ].join(', ');
}
