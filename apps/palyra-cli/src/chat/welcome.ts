import type { GetHealthResponse } from '@palyra/protocol';
import { namedWorkspace } from '../named-workspace.ts';
import { modelWords } from '../render/health.ts';
import { printFields } from '../render/layout.ts';
import { inline } from '../render/words.ts';
import { type ChatPage, chatPage } from './chat-page.ts';

/** What one should know before the first word. */
export function welcomeLines(parts: ChatPage, health: GetHealthResponse): readonly string[] {
  const gateway = parts.invocation.shell.gateway ?? 'on this machine';
  return chatPage(parts, 2, (terminal) => {
    const name = terminal.paint('strong', `palyra ${inline(health.version)}`);
    terminal.print(`${name} ${terminal.paint('quiet', 'chat')}\n`);
    const chosen = parts.invocation.text.get('model');
    printFields(terminal, [
      ['gateway', inline(gateway)],
      ['model', chosen === undefined ? modelWords(health) : inline(chosen)],
      ['workspace', inline(namedWorkspace(parts.invocation) || health.workspace)],
    ]);
  });
}
