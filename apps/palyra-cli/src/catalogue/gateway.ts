import type { CommandSpec } from '../command.ts';
import { WORKSPACE } from './workspace-option.ts';

export const GATEWAY_COMMANDS: readonly CommandSpec[] = [
  {
    path: ['up'],
    summary: 'start the gateway here, in the foreground',
    arguments: [],
    options: [
      {
        kind: 'texts',
        name: 'set',
        value: 'key=value',
        summary: 'a setting for this start only, stronger than any file; may stand several times',
      },
    ],
    examples: [
      { line: 'palyra up', note: 'start it; Ctrl-C stops it cleanly' },
      { line: 'palyra up --set log.level=debug', note: 'with one setting changed' },
      { line: 'PALYRA_HOME=/tmp/try palyra up', note: 'keep everything in another directory' },
    ],
    load: () => import('../commands/up.ts'),
  },
  {
    path: ['demo'],
    summary: 'see what the gateway does, in two minutes and a temporary folder',
    arguments: [],
    options: [
      {
        kind: 'flag',
        name: 'auto',
        summary: 'answer its own questions; ends with 1 when a step comes out otherwise',
      },
    ],
    examples: [
      { line: 'palyra demo', note: 'asks you twice, and clears its folder away' },
      { line: 'palyra demo --auto --json', note: 'does everything work on this machine?' },
    ],
    load: () => import('../commands/demo.ts'),
  },
  {
    path: ['run'],
    summary: 'give the model a task and watch every step',
    arguments: [
      {
        name: 'prompt',
        summary: 'what to do, in your words; `-` reads it from standard input',
        need: 'required',
      },
    ],
    options: [
      {
        kind: 'text',
        name: 'session',
        value: 'id',
        summary: 'continue this session; a new one without it',
      },
      { kind: 'flag', name: 'queue', summary: 'wait while the session has an active run' },
      { kind: 'text', name: 'model', value: 'name', summary: 'one of `palyra models list`' },
      { kind: 'texts', name: 'image', value: 'file', summary: 'an image to look at; up to 8' },
      WORKSPACE,
    ],
    examples: [
      { line: 'palyra run "list the files here"', note: 'Ctrl-C cancels, twice leaves' },
      { line: 'palyra run - < task.md', note: 'too long for a command line' },
      { line: 'palyra run "go on" --session 01J…', note: 'continue a session' },
      { line: 'palyra run "what is this?" --image a.png', note: 'with something to look at' },
      { line: 'palyra run "hello" --json', note: 'one JSON object a line' },
      { line: 'palyra run "test it" --workspace ~/b', note: 'in another folder' },
    ],
    asks: 'gateway',
    load: () => import('../commands/run.ts'),
  },
  {
    path: ['status'],
    summary: 'is the gateway up, and how is it',
    arguments: [],
    options: [],
    examples: [
      { line: 'palyra status', note: 'for people' },
      {
        line: 'palyra status --json',
        note: 'for scripts; 4 is no answer, 1 a failed gateway',
      },
    ],
    asks: 'gateway',
    load: () => import('../commands/status.ts'),
  },
  {
    path: ['doctor'],
    summary: 'check this machine: what, result, fix',
    arguments: [],
    options: [],
    examples: [{ line: 'palyra doctor', note: 'ends with 1 when a check fails' }],
    load: () => import('../commands/doctor.ts'),
  },
];
