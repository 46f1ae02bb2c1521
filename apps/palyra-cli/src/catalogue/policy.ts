import type { ArgumentSpec, CommandSpec } from '../command.ts';

const CANDIDATE: ArgumentSpec = {
  name: 'candidate',
  summary: 'a folder or file of rules that would be your layer, or the hash of a set',
  need: 'required',
  completes: 'files',
};

const READING: readonly CommandSpec[] = [
  {
    path: ['policy', 'list'],
    summary: 'the mode, and every rule in force',
    arguments: [],
    options: [
      { kind: 'text', name: 'layer', value: 'layer', summary: 'only these: operator, admin, …' },
    ],
    examples: [
      { line: 'palyra policy list', note: 'what each rule says' },
      { line: 'palyra policy list --layer operator', note: 'only your own' },
    ],
    asks: 'gateway',
    load: () => import('../commands/policy/list.ts'),
  },
  {
    path: ['policy', 'show'],
    summary: 'one rule, whole',
    arguments: [{ name: 'rule', summary: 'id of the rule', need: 'required' }],
    options: [
      { kind: 'text', name: 'set', value: 'hash', summary: 'of this set; without it, in force' },
    ],
    examples: [
      { line: 'palyra policy show running-programs-asks', note: 'with its file and line' },
    ],
    asks: 'gateway',
    load: () => import('../commands/policy/show.ts'),
  },
  {
    path: ['policy', 'explain'],
    summary: 'why a call was decided as it was, or how one would be',
    arguments: [
      {
        name: 'entry',
        summary: 'id or number of any entry of the call, or of an `access.refused`',
        need: 'optional',
      },
    ],
    options: [
      { kind: 'text', name: 'principal', value: 'who', summary: 'user:NAME, token:ID (yourself)' },
      { kind: 'text', name: 'tool', value: 'name', summary: 'a call that nobody made: its tool' },
      { kind: 'texts', name: 'arg', value: 'name=value', summary: 'one argument; JSON or text' },
      { kind: 'text', name: 'workspace', value: 'folder', summary: 'where it would work' },
      { kind: 'text', name: 'connect', value: 'host:port', summary: 'a connection of that call' },
      { kind: 'text', name: 'action', value: 'name', summary: 'or work.stop, workspace.open, …' },
      { kind: 'text', name: 'owner', value: 'who', summary: 'whose work, or whom it is about' },
      { kind: 'text', name: 'role', value: 'name', summary: 'the role that they would have' },
      { kind: 'text', name: 'channel', value: 'name', summary: 'cli, console, desktop, api (cli)' },
      { kind: 'texts', name: 'fact', value: 'name=value', summary: 'assume this: tier=C' },
    ],
    examples: [
      { line: 'palyra policy explain 42', note: 'as decided then' },
      {
        line: 'palyra policy explain --tool process.run --arg command=git',
        note: 'not yet made',
      },
      {
        line: 'palyra policy explain --action work.stop --owner user:bob',
        note: 'may I?',
      },
    ],
    asks: 'gateway',
    load: () => import('../commands/policy/explain.ts'),
  },
];

const WRITING: readonly CommandSpec[] = [
  {
    path: ['policy', 'check'],
    summary: 'look at files of rules without changing anything',
    arguments: [
      { name: 'file', summary: 'files or folders', need: 'any-number', completes: 'files' },
    ],
    options: [
      { kind: 'flag', name: 'workspace', summary: 'as a workspace would have them: forbid only' },
    ],
    examples: [{ line: 'palyra policy check draft/', note: 'file, line, column, reason' }],
    load: () => import('../commands/policy/check.ts'),
  },
  {
    path: ['policy', 'test'],
    summary: 'run the cases of `*.policytest.toml`',
    arguments: [
      {
        name: 'folder',
        summary: 'rules and cases (your own policies)',
        need: 'optional',
        completes: 'files',
      },
    ],
    options: [],
    examples: [
      {
        line: 'palyra policy test draft/',
        note: 'exit code 1 when one fails, and when there are none',
      },
    ],
    load: () => import('../commands/policy/test.ts'),
  },
  {
    path: ['policy', 'fmt'],
    summary: 'bring files of rules into their usual form',
    arguments: [{ name: 'file', summary: 'files', need: 'any-number', completes: 'files' }],
    options: [{ kind: 'flag', name: 'check', summary: 'only say which would change' }],
    examples: [{ line: 'palyra policy fmt draft/team.cedar', note: 'comments stay' }],
    load: () => import('../commands/policy/fmt.ts'),
  },
  {
    path: ['policy', 'reload'],
    summary: 'read every layer again',
    arguments: [],
    options: [],
    examples: [{ line: 'palyra policy reload', note: 'what cannot be taken changes nothing' }],
    asks: 'gateway',
    load: () => import('../commands/policy/reload.ts'),
  },
  {
    path: ['policy', 'apply'],
    summary: 'make a candidate your layer',
    arguments: [CANDIDATE],
    options: [{ kind: 'flag', name: 'i-mean-it', summary: 'also when it allows more than before' }],
    examples: [{ line: 'palyra policy apply draft/', note: 'shows what changes' }],
    asks: 'gateway',
    load: () => import('../commands/policy/apply.ts'),
  },
];

const COMPARING: readonly CommandSpec[] = [
  {
    path: ['policy', 'diff'],
    summary: 'what anybody gains and loses between two sets',
    arguments: [
      { ...CANDIDATE, name: 'old', summary: 'folder, file, hash of a set, or `active`' },
      { ...CANDIDATE, name: 'new', summary: 'likewise' },
    ],
    options: [],
    examples: [{ line: 'palyra policy diff active draft/', note: 'exit code 11 when it widens' }],
    asks: 'gateway',
    load: () => import('../commands/policy/diff.ts'),
  },
  {
    path: ['policy', 'backtest'],
    summary: 'decide the calls of the journal again under a candidate',
    arguments: [CANDIDATE],
    options: [
      {
        kind: 'text',
        name: 'since',
        value: 'time',
        summary: '7d, 12h, 30m, or a time such as 2026-11-16T08:00:00Z',
      },
    ],
    examples: [
      { line: 'palyra policy backtest draft/ --since 7d', note: 'exit code 11 when it widens' },
    ],
    asks: 'gateway',
    load: () => import('../commands/policy/backtest.ts'),
  },
  {
    path: ['policy', 'shadow', 'start'],
    summary: 'let a candidate decide beside the rules in force',
    arguments: [CANDIDATE],
    options: [],
    examples: [{ line: 'palyra policy shadow start draft/', note: 'it changes nothing' }],
    asks: 'gateway',
    load: () => import('../commands/policy/shadow/start.ts'),
  },
  {
    path: ['policy', 'shadow', 'report'],
    summary: 'which calls the shadow would have decided otherwise',
    arguments: [],
    options: [],
    examples: [{ line: 'palyra policy shadow report', note: 'since it was started' }],
    asks: 'gateway',
    load: () => import('../commands/policy/shadow/report.ts'),
  },
  {
    path: ['policy', 'shadow', 'stop'],
    summary: 'end the shadow, with its last report',
    arguments: [],
    options: [],
    examples: [
      { line: 'palyra policy shadow stop', note: 'the candidate stays known by its hash' },
    ],
    asks: 'gateway',
    load: () => import('../commands/policy/shadow/stop.ts'),
  },
];

export const POLICY_COMMANDS: readonly CommandSpec[] = [...READING, ...WRITING, ...COMPARING];
