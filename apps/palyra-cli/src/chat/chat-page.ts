import type { Invocation } from '../command.ts';
import type { Terminal } from '../terminal.ts';
import { pageOf } from './page.ts';

export interface ChatPage {
  readonly invocation: Invocation;
  /** Of the terminal, now: it may have another size since. */
  readonly columns: () => number;
}

/** Lines for the transcript, so many columns narrower than the terminal. */
export function chatPage(
  { invocation, columns }: ChatPage,
  narrower: number,
  print: (terminal: Terminal) => void,
): readonly string[] {
  const { environment } = invocation.shell;
  return pageOf({ environment, columns: columns() - narrower }, print);
}
