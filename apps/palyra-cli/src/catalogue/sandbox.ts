import type { CommandSpec } from '../command.ts';

export const SANDBOX_COMMANDS: readonly CommandSpec[] = [
  {
    path: ['sandbox', 'run'],
    summary: 'run a command in a sandbox; it ends with the code of the command',
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
      { kind: 'text', name: 'tier', value: 'b|c', summary: 'a checked process, or a cage (c)' },
      {
        kind: 'text',
        name: 'egress',
        value: 'mode',
        summary: 'strict: named hosts alone, preflight: checked once, none: all',
      },
      {
        kind: 'texts',
        name: 'allow-host',
        value: 'host',
        summary: 'as api.example or api.example:8443',
      },
    ],
    examples: [
      { line: 'palyra sandbox run -- make test', note: 'in the folder you are in' },
      { line: 'palyra sandbox run --timeout 5s -- sh -c "id"', note: '124 when it is late' },
      {
        line: 'palyra sandbox run --allow-host a.example -- npm ci',
        note: 'and nobody else',
      },
    ],
    load: () => import('../commands/sandbox/run.ts'),
  },
  {
    path: ['sandbox', 'status'],
    summary: 'which tiers this machine has, and why; 1 when tier C is not proven',
    arguments: [],
    options: [],
    examples: [
      { line: 'palyra sandbox status', note: 'and how to mend what is missing' },
      { line: 'palyra sandbox status --json', note: 'for scripts' },
    ],
    load: () => import('../commands/sandbox/status.ts'),
  },
  {
    path: ['sandbox', 'prove'],
    summary: 'attack real sandboxes now and show what came of it; 0 when tier C holds',
    arguments: [],
    options: [],
    examples: [
      { line: 'palyra sandbox prove', note: 'about a second; nothing but canaries is touched' },
      { line: 'palyra sandbox prove --json', note: 'every attempt and observation' },
    ],
    load: () => import('../commands/sandbox/prove.ts'),
  },
  {
    path: ['sandbox', 'explain'],
    summary: "what a tool's call would run in, and how; starts nothing",
    arguments: [{ name: 'tool', summary: 'such as `process.run`', need: 'required' }],
    options: [
      { kind: 'texts', name: 'arg', value: 'name=value', summary: 'one argument; JSON or text' },
      {
        kind: 'text',
        name: 'workspace',
        value: 'folder',
        summary: 'as if the gateway worked there; without it the folder you are in',
        completes: 'files',
      },
    ],
    examples: [
      {
        line: 'palyra sandbox explain process.run --arg command=git',
        note: 'the plan and its hash',
      },
    ],
    load: () => import('../commands/sandbox/explain.ts'),
  },
];
