import type { CommandSpec } from '../command.ts';
import { WORKSPACE } from './workspace-option.ts';

export const CHAT_COMMANDS: readonly CommandSpec[] = [
  {
    path: ['chat'],
    summary: 'talk to the model, and answer its questions as they come',
    arguments: [],
    options: [
      {
        kind: 'text',
        name: 'session',
        value: 'id',
        summary: 'continue this session; a new one without it',
      },
      { kind: 'text', name: 'model', value: 'name', summary: 'one of `palyra models list`' },
      WORKSPACE,
    ],
    examples: [
      { line: 'palyra chat', note: '`/help` in it tells the rest' },
      { line: 'palyra chat --session 01J…', note: 'where you were' },
    ],
    asks: 'gateway',
    load: () => import('../commands/chat.ts'),
  },
];
