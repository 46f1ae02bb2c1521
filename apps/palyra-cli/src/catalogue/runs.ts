import type { ArgumentSpec, CommandSpec } from '../command.ts';

const RUN_ID: ArgumentSpec = { name: 'run', summary: 'id of the run', need: 'required' };

export const RUN_COMMANDS: readonly CommandSpec[] = [
  {
    path: ['runs', 'list'],
    summary: 'the newest runs',
    arguments: [],
    options: [
      {
        kind: 'count',
        short: 'n',
        name: 'limit',
        value: 'count',
        fallback: 20,
        most: 500,
        summary: 'at most so many',
      },
      { kind: 'text', name: 'session', value: 'id', summary: 'only those of this session' },
    ],
    examples: [{ line: 'palyra runs list -n 5', note: 'the last five' }],
    asks: 'gateway',
    load: () => import('../commands/runs/list.ts'),
  },
  {
    path: ['runs', 'show'],
    summary: 'one run: how it went and how it ended',
    arguments: [RUN_ID],
    options: [],
    examples: [{ line: 'palyra runs show 01J…', note: 'ids come from `palyra runs list`' }],
    asks: 'gateway',
    load: () => import('../commands/runs/show.ts'),
  },
  {
    path: ['runs', 'cancel'],
    summary: 'stop a run at once; the journal keeps it',
    arguments: [RUN_ID],
    options: [],
    examples: [{ line: 'palyra runs cancel 01J…', note: 'from any terminal' }],
    asks: 'gateway',
    load: () => import('../commands/runs/cancel.ts'),
  },
  {
    path: ['runs', 'resume'],
    summary: 'take an interrupted run up where its journal ends',
    arguments: [RUN_ID],
    options: [],
    examples: [{ line: 'palyra runs resume 01J…', note: 'after a crash of the daemon' }],
    asks: 'gateway',
    load: () => import('../commands/runs/resume.ts'),
  },
  {
    path: ['runs', 'replay'],
    summary: 'tell a run again, step by step, as its journal has it',
    arguments: [RUN_ID],
    options: [],
    examples: [
      { line: 'palyra runs replay 01J…', note: 'one that goes on is followed' },
      { line: 'palyra runs replay 01J… --json', note: 'one event a line' },
    ],
    asks: 'gateway',
    load: () => import('../commands/runs/replay.ts'),
  },
  {
    path: ['runs', 'artifact'],
    summary: 'what a run left by its hash: a large result, an image',
    arguments: [
      RUN_ID,
      { name: 'hash', summary: 'its SHA-256, as the journal has it', need: 'required' },
    ],
    options: [
      {
        kind: 'text',
        short: 'o',
        name: 'out',
        value: 'file',
        summary: 'write here instead of to standard output; `--json` needs it',
        completes: 'files',
      },
    ],
    examples: [
      { line: 'palyra runs artifact 01J… 3f9a… --out result.txt', note: 'all of it' },
      { line: 'palyra runs artifact 01J… 3f9a… | less', note: 'page by page' },
    ],
    asks: 'gateway',
    load: () => import('../commands/runs/artifact.ts'),
  },
  {
    path: ['runs', 'undo'],
    summary: 'give files back as they were before a run, all or none',
    arguments: [RUN_ID, { name: 'call', summary: 'only what this call changed', need: 'optional' }],
    options: [],
    examples: [
      { line: 'palyra runs undo 01J…', note: 'refuses files that changed since' },
      { line: 'palyra runs undo 01J… 01J…', note: 'one call of it' },
    ],
    asks: 'gateway',
    load: () => import('../commands/runs/undo.ts'),
  },
];
