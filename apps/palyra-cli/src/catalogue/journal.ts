import type { CommandSpec } from '../command.ts';

export const JOURNAL_COMMANDS: readonly CommandSpec[] = [
  {
    path: ['journal', 'tail'],
    summary: 'the newest entries',
    arguments: [],
    options: [
      {
        kind: 'count',
        short: 'n',
        name: 'last',
        value: 'count',
        fallback: 20,
        most: 10_000,
        summary: 'so many entries',
      },
      { kind: 'flag', short: 'f', name: 'follow', summary: 'and those still to come' },
    ],
    examples: [
      { line: 'palyra journal tail -f', note: 'watch it grow; Ctrl-C ends' },
      { line: 'palyra journal tail -n 100 --json', note: 'as recorded, secrets and all' },
    ],
    asks: 'gateway',
    load: () => import('../commands/journal/tail.ts'),
  },
  {
    path: ['journal', 'show'],
    summary: 'one entry; what looks like a secret is hidden',
    arguments: [{ name: 'entry', summary: 'id or sequence number of the entry', need: 'required' }],
    options: [],
    examples: [
      { line: 'palyra journal show 42', note: 'by its number' },
      { line: 'palyra journal show 01J… --json', note: 'as recorded, secrets and all' },
    ],
    asks: 'gateway',
    load: () => import('../commands/journal/show.ts'),
  },
  {
    path: ['journal', 'export'],
    summary: 'write a signed file that anybody can verify',
    arguments: [],
    options: [
      { kind: 'text', name: 'run', value: 'id', summary: 'only the entries of this run' },
      {
        kind: 'text',
        short: 'o',
        name: 'output',
        value: 'file',
        summary: 'write here instead of to standard output; `--json` needs it',
        completes: 'files',
      },
    ],
    examples: [
      { line: 'palyra journal export -o journal.jsonl', note: 'all that is in the store' },
      { line: 'palyra journal export --run 01J… > run.jsonl', note: 'one run' },
    ],
    asks: 'gateway',
    load: () => import('../commands/journal/export.ts'),
  },
  {
    path: ['journal', 'archive'],
    summary: 'move sealed segments out of the store, into files that verify by themselves',
    arguments: [],
    options: [
      {
        kind: 'count',
        name: 'before',
        value: 'sequence',
        fallback: 0,
        most: 999_999_999_999_999,
        summary: 'only segments that end before this entry; all sealed ones without it',
      },
    ],
    examples: [
      {
        line: 'palyra journal archive',
        note: 'sessions forget the runs in it',
      },
      { line: 'palyra journal archive --before 1000000', note: 'only what is that old' },
    ],
    asks: 'gateway',
    load: () => import('../commands/journal/archive.ts'),
  },
  {
    path: ['journal', 'verify'],
    summary: 'check chain and signatures; names the first bad entry',
    arguments: [
      {
        name: 'file',
        summary: 'an export, `-` for standard input; the live journal without it',
        need: 'optional',
        completes: 'files',
      },
    ],
    options: [
      {
        kind: 'text',
        name: 'key',
        value: 'keyid',
        summary: 'accept only signatures of this key; goes with a file',
      },
    ],
    examples: [
      { line: 'palyra journal verify', note: 'the live journal, with or without a daemon' },
      { line: 'palyra journal verify run.jsonl', note: 'an export, on any machine' },
    ],
    load: () => import('../commands/journal/verify.ts'),
  },
];
