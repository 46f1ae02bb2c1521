import type { ArgumentSpec, CommandSpec, OptionSpec } from '../command.ts';

const APPROVAL: ArgumentSpec = { name: 'id', summary: 'id of the approval', need: 'required' };

const SCOPE: OptionSpec = {
  kind: 'text',
  name: 'scope',
  value: 'how-long',
  summary: 'once, session, or until=2h, until=7d, until=TIME (once)',
};
const SHAPE: OptionSpec = {
  kind: 'text',
  name: 'shape',
  value: 'name',
  summary: 'exact, command, folder or host, where offered (exact)',
};

export const APPROVAL_COMMANDS: readonly CommandSpec[] = [
  {
    path: ['approvals', 'list'],
    summary: 'what waits for an answer',
    arguments: [],
    options: [
      { kind: 'flag', name: 'all', summary: 'also what was answered or is over' },
      {
        kind: 'count',
        short: 'n',
        name: 'limit',
        value: 'count',
        fallback: 50,
        most: 500,
        summary: 'at most so many',
      },
    ],
    examples: [
      { line: 'palyra approvals list', note: 'newest first' },
      { line: 'palyra approvals list --all -n 10', note: 'the last ten, however they ended' },
    ],
    asks: 'gateway',
    load: () => import('../commands/approvals/list.ts'),
  },
  {
    path: ['approvals', 'show'],
    summary: 'one approval: the exact call, who asks why, and how to answer',
    arguments: [APPROVAL],
    options: [],
    examples: [{ line: 'palyra approvals show 01J…', note: 'ids: `palyra approvals list`' }],
    asks: 'gateway',
    load: () => import('../commands/approvals/show.ts'),
  },
  {
    path: ['approvals', 'watch'],
    summary: 'what waits, then every change, until Ctrl-C',
    arguments: [],
    options: [],
    examples: [
      { line: 'palyra approvals watch', note: 'for people' },
      { line: 'palyra approvals watch --json', note: 'one JSON object a line' },
    ],
    asks: 'gateway',
    load: () => import('../commands/approvals/watch.ts'),
  },
  {
    path: ['approvals', 'approve'],
    summary: 'say yes to a call, or to more like it',
    arguments: [APPROVAL],
    options: [
      SCOPE,
      SHAPE,
      {
        kind: 'count',
        name: 'uses',
        value: 'count',
        fallback: 100,
        most: 10_000,
        summary: 'at most so many calls; not with `--scope once`',
      },
      { kind: 'text', name: 'reason', value: 'text', summary: 'for the record' },
      { kind: 'flag', name: 'yes', summary: 'do not ask' },
    ],
    examples: [
      { line: 'palyra approvals approve 01J…', note: 'this call alone' },
      {
        line: 'palyra approvals approve 01J… --scope session --shape command',
        note: 'more of it',
      },
      { line: 'palyra approvals approve 01J… --scope until=2h --uses 5', note: 'a lease' },
    ],
    asks: 'gateway',
    load: () => import('../commands/approvals/approve.ts'),
  },
  {
    path: ['approvals', 'deny'],
    summary: 'say no to a call; the model is told why',
    arguments: [APPROVAL],
    options: [{ kind: 'text', name: 'reason', value: 'text', summary: 'why; needed' }],
    examples: [
      { line: 'palyra approvals deny 01J… --reason "not on a Friday"', note: 'it is not run' },
    ],
    asks: 'gateway',
    load: () => import('../commands/approvals/deny.ts'),
  },
  {
    path: ['approvals', 'grants'],
    summary: 'every grant that holds: for what, until when, how often',
    arguments: [],
    options: [],
    examples: [{ line: 'palyra approvals grants', note: 'ends: `palyra approvals revoke`' }],
    asks: 'gateway',
    load: () => import('../commands/approvals/grants.ts'),
  },
  {
    path: ['approvals', 'revoke'],
    summary: 'end a grant; the next such call is asked about again',
    arguments: [{ name: 'grant', summary: 'id of the grant', need: 'required' }],
    options: [],
    examples: [{ line: 'palyra approvals revoke 01J…', note: 'ids: `palyra approvals grants`' }],
    asks: 'gateway',
    load: () => import('../commands/approvals/revoke.ts'),
  },
];
