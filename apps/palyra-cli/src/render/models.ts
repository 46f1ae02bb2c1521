import type { ErrorDetail, Model, ModelUsage, TestModelResponse } from '@palyra/protocol';
import type { Terminal } from '../terminal.ts';
import { type Field, printFields, printTable, wrap } from './layout.ts';
import { inline, shortTime, usd } from './words.ts';

export function printModels(terminal: Terminal, models: readonly Model[]): void {
  const rows = models.map((model) => [
    inline(model.name),
    inline(model.api),
    useWords(model),
    model.isScript ? '' : breakerWords(model),
    priceWords(model),
    keyWords(model),
    inline(model.baseUrl),
  ]);
  printTable(terminal, ['model', 'api', 'used', 'breaker', 'USD per million', 'key', 'at'], rows);
}

/** What it is asked for: a run that names nothing, one that names it, or when others fail. */
function useWords({ isDefault, isChoice, failoverRank }: Model): string {
  const uses = [
    ...(isDefault ? ['default'] : []),
    ...(isChoice && !isDefault ? ['choice'] : []),
    ...(failoverRank > 0 ? [`failover ${failoverRank}`] : []),
  ];
  return uses.join(', ');
}

/** It is open for some minutes at most, so the time of the day says enough. */
function breakerWords({ breaker, askedAgainAt }: Model): string {
  if (askedAgainAt === '') return inline(breaker);
  return `${inline(breaker)} until ${inline(shortTime(askedAgainAt).slice(-8))} UTC`;
}

function priceWords({ inputPrice, outputPrice }: Model): string {
  if (inputPrice === undefined || outputPrice === undefined) return '';
  return `${usd(inputPrice)} in, ${usd(outputPrice)} out`;
}

function keyWords({ keySource, hasKey }: Model): string {
  if (keySource === '') return 'none';
  return hasKey ? inline(keySource) : `${inline(keySource)}, missing`;
}

export function printOffered(terminal: Terminal, offered: readonly string[]): void {
  terminal.print(`\n${terminal.paint('quiet', 'the provider says it has')}`);
  for (const name of offered) terminal.print(`  ${inline(name)}`);
  if (offered.length === 0) terminal.print('  nothing');
}

export function printTested(terminal: Terminal, tested: TestModelResponse): void {
  const { name, text, usage, firstTokenMs, totalMs, error } = tested;
  const isWell = error === undefined;
  const mark = isWell
    ? terminal.paint('good', terminal.symbols.done)
    : terminal.paint('bad', terminal.symbols.warning);
  terminal.print(`${mark} ${inline(name)} ${isWell ? 'answers' : 'does not answer'}`);
  const fields: readonly Field[] = [
    ...(text === '' ? [] : [['said', saidWords(text)] as const]),
    ...(isWell ? [['first word', `after ${firstTokenMs} ms`] as const] : []),
    ['took', `${totalMs} ms`],
    ...(usage === undefined ? [] : [['used', usageWords(usage)] as const]),
  ];
  printFields(terminal, fields);
  if (error !== undefined) printTrouble(terminal, error);
}

/** On one line: a line break of a model is a space to us. */
function saidWords(text: string): string {
  return inline(text.trim().replaceAll(/\s+/g, ' '));
}

function usageWords({ inputTokens, outputTokens, costMicroUsd }: ModelUsage): string {
  const cost = costMicroUsd === undefined ? '' : `, ${usd(costMicroUsd)} USD`;
  return `${inputTokens} tokens in, ${outputTokens} out${cost}`;
}

export function printTrouble(terminal: Terminal, { message, help }: ErrorDetail): void {
  for (const line of wrap(inline(message), terminal.width - 4)) {
    terminal.print(`  ${terminal.paint('bad', line)}`);
  }
  if (help !== '') terminal.print(`  ${terminal.paint('quiet', `try: ${inline(help)}`)}`);
}
