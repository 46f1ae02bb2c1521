import type { Run } from '@palyra/protocol';
import type { Terminal } from '../terminal.ts';
import { printTable } from './layout.ts';
import { inline, inlineWithoutSecrets, shortTime, statusWord } from './words.ts';

export function printRuns(terminal: Terminal, runs: readonly Run[]): void {
  printTable(terminal, ['run', 'status', 'started (UTC)', 'calls', 'prompt'], runs.map(row));
}

function row(one: Run): readonly string[] {
  const { runId, status, startedAt, toolCalls, prompt } = one;
  return [
    inline(runId),
    statusWord(status),
    shortTime(startedAt).slice(0, -3),
    String(toolCalls),
    inlineWithoutSecrets(prompt),
  ];
}
