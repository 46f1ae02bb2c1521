import type { CommandSpec } from '../command.ts';

export const SANDBOX_COMMANDS: readonly CommandSpec[] = [
  {
    path: ['sandbox', 'run'],
    summary: 'run a command in a sandbox of tier C, without network; ends as it does',
    arguments: [
      { name: 'command', summary: 'a program, after `--`', need: 'required' },
      { name: 'arguments', summary: 'its arguments', need: 'any-number' },
    ],
    options: [
      {
        kind: 'text',
        name: 'workspace',
        value: 'folder',
        summary: 'the one place it can write; without it the folder you are in',
        completes: 'files',
      },
      { kind: 'texts', name: 'env', value: 'name=value', summary: 'a variable for it' },
      { kind: 'text', name: 'timeout', value: 'time', summary: 'as 500ms, 30s, 2m, 1h (2m)' },
      { kind: 'flag', name: 'network', summary: "give it all of this machine's network" },
      { kind: 'texts', name: 'allow-host', value: 'host', summary: 'not built yet, refused' },
    ],
    examples: [
      { line: 'palyra sandbox run -- make test', note: 'in the folder you are in' },
      { line: 'palyra sandbox run --timeout 5s -- sh -c "id"', note: '124 when it is late' },
    ],
    load: () => import('../commands/sandbox/run.ts'),
  },
  {
    path: ['sandbox', 'status'],
    summary: 'make one for a moment and tell what it held; 1 when there can be none',
    arguments: [],
    options: [],
    examples: [
      { line: 'palyra sandbox status', note: 'and how to mend what is missing' },
      { line: 'palyra sandbox status --json', note: 'for scripts' },
    ],
    load: () => import('../commands/sandbox/status.ts'),
  },
];
