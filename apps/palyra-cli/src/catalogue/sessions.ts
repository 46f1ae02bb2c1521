import type { ArgumentSpec, CommandSpec, OptionSpec } from '../command.ts';
import { WORKSPACE } from './workspace-option.ts';

const SESSION: ArgumentSpec = { name: 'session', summary: 'id of the session', need: 'required' };
const TITLE: OptionSpec = {
  kind: 'text',
  short: 't',
  name: 'title',
  value: 'text',
  summary: 'what to call it',
};

export const SESSION_COMMANDS: readonly CommandSpec[] = [
  {
    path: ['sessions', 'list'],
    summary: 'the newest sessions',
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
      { kind: 'text', name: 'before', value: 'id', summary: 'only those made before this one' },
      { kind: 'flag', name: 'archived', summary: 'also those that are archived' },
    ],
    examples: [
      { line: 'palyra sessions list -n 5', note: 'the last five' },
      { line: 'palyra sessions list --before 01J…', note: 'further back' },
    ],
    asks: 'gateway',
    load: () => import('../commands/sessions/list.ts'),
  },
  {
    path: ['sessions', 'new'],
    summary: 'begin one; without a title it is called after its first prompt',
    arguments: [],
    options: [TITLE, WORKSPACE],
    examples: [{ line: 'palyra sessions new -t "the flaky test"', note: 'prints its id' }],
    asks: 'gateway',
    load: () => import('../commands/sessions/new.ts'),
  },
  {
    path: ['sessions', 'show'],
    summary: 'one session and its newest runs',
    arguments: [SESSION],
    options: [
      {
        kind: 'count',
        short: 'n',
        name: 'limit',
        value: 'count',
        fallback: 20,
        most: 500,
        summary: 'at most so many runs',
      },
    ],
    examples: [{ line: 'palyra sessions show 01J…', note: 'ids: `palyra sessions list`' }],
    asks: 'gateway',
    load: () => import('../commands/sessions/show.ts'),
  },
  {
    path: ['sessions', 'rename'],
    summary: 'call it something else',
    arguments: [SESSION, { name: 'title', summary: 'at most 200 characters', need: 'required' }],
    options: [],
    examples: [{ line: 'palyra sessions rename 01J… "release notes"', note: '' }],
    asks: 'gateway',
    load: () => import('../commands/sessions/rename.ts'),
  },
  {
    path: ['sessions', 'archive'],
    summary: 'put it away: nothing is forgotten, and it takes no new run',
    arguments: [SESSION],
    options: [],
    examples: [{ line: 'palyra sessions archive 01J…', note: 'out of the list' }],
    asks: 'gateway',
    load: () => import('../commands/sessions/archive.ts'),
  },
  {
    path: ['sessions', 'restore'],
    summary: 'bring one back that was archived',
    arguments: [SESSION],
    options: [],
    examples: [{ line: 'palyra sessions restore 01J…', note: 'back in the list' }],
    asks: 'gateway',
    load: () => import('../commands/sessions/restore.ts'),
  },
  {
    path: ['sessions', 'branch'],
    summary: 'begin one that remembers another up to the end of a run',
    arguments: [{ name: 'run', summary: 'id of the run', need: 'required' }],
    options: [TITLE],
    examples: [{ line: 'palyra sessions branch 01J…', note: 'try another way from there' }],
    asks: 'gateway',
    load: () => import('../commands/sessions/branch.ts'),
  },
];
