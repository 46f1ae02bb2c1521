import type { Environment } from '@palyra/kernel';
import { type Output, type Terminal, createTerminal } from '../terminal.ts';

export interface PageParts {
  readonly environment: Environment;
  /** Columns that a line may take. */
  readonly columns: number;
}

/** What one of the commands would print, as lines for the transcript. */
export function pageOf(parts: PageParts, print: (terminal: Terminal) => void): readonly string[] {
  const chunks: string[] = [];
  const output: Output = {
    isTTY: true,
    columns: parts.columns,
    write: (chunk) => chunks.push(typeof chunk === 'string' ? chunk : '') > 0,
    on: () => undefined,
  };
  const ends = { onReaderGone: () => {}, onWriteFailed: () => {} };
  const { environment } = parts;
  const terminal = createTerminal({ stdout: output, stderr: output, environment, ...ends });
  print({ ...terminal, width: parts.columns });
  return chunks.join('').replace(/\n$/, '').split('\n');
}
