import type { CommandSpec } from '../command.ts';

export const PASSKEY_COMMANDS: readonly CommandSpec[] = [
  {
    path: ['passkeys', 'list'],
    summary: 'your passkeys; they are made in the console',
    arguments: [],
    options: [],
    examples: [
      { line: 'palyra passkeys list', note: 'and when each was last used' },
      { line: 'palyra console', note: 'to make one' },
    ],
    asks: 'gateway',
    load: () => import('../commands/passkeys/list.ts'),
  },
  {
    path: ['passkeys', 'remove'],
    summary: 'remove a lost one, on the gateway itself; else in the console',
    arguments: [{ name: 'passkey', summary: 'id, or a name that only it has', need: 'required' }],
    options: [],
    examples: [{ line: 'palyra passkeys remove phone', note: 'by its name' }],
    asks: 'gateway',
    load: () => import('../commands/passkeys/remove.ts'),
  },
];
