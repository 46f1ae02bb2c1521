import type { ArgumentSpec, CommandSpec, OptionSpec } from '../command.ts';

const TOKEN: ArgumentSpec = {
  name: 'token',
  summary: 'id of the token, or a label that only it has',
  need: 'required',
};
const MEMBER: ArgumentSpec = { name: 'member', summary: 'name or id', need: 'required' };
const ROLES = ['operator', 'admin', 'owner'];
const YES: OptionSpec = { kind: 'flag', name: 'yes', summary: 'do not ask' };
const QUIET: OptionSpec = {
  kind: 'flag',
  short: 'q',
  name: 'quiet',
  summary: 'print the secret and nothing else',
};

export const ACCESS_COMMANDS: readonly CommandSpec[] = [
  {
    path: ['tokens', 'create'],
    summary: 'a token for a program; its secret is shown once',
    arguments: [],
    options: [
      { kind: 'text', name: 'label', value: 'text', summary: 'what it is for' },
      {
        kind: 'texts',
        name: 'scope',
        value: 'permission',
        summary: 'what it may do; may stand several times',
      },
      { kind: 'count', name: 'days', value: 'count', fallback: 90, most: 365, summary: 'how long' },
      {
        kind: 'count',
        name: 'rate',
        value: 'count',
        fallback: 600,
        most: 60_000,
        summary: 'requests a minute',
      },
      {
        kind: 'count',
        name: 'burst',
        value: 'count',
        fallback: 0,
        most: 10_000,
        summary: 'requests at once; a tenth of the rate without it',
      },
      QUIET,
    ],
    examples: [
      {
        line: 'palyra tokens create --label ci --scope compat.chat.create',
        note: 'for 90 days',
      },
      {
        line: 'palyra tokens create -q --label x --scope sessions.use > t',
        note: 'for a file',
      },
    ],
    asks: 'gateway',
    load: () => import('../commands/tokens/create.ts'),
  },
  {
    path: ['tokens', 'list'],
    summary: 'every token, never its secret',
    arguments: [],
    options: [],
    examples: [{ line: 'palyra tokens list', note: 'and when each was last used' }],
    asks: 'gateway',
    load: () => import('../commands/tokens/list.ts'),
  },
  {
    path: ['tokens', 'rotate'],
    summary: 'the same token with a new secret; the old one ends at once',
    arguments: [TOKEN],
    options: [QUIET],
    examples: [{ line: 'palyra tokens rotate ci', note: 'by its label' }],
    asks: 'gateway',
    load: () => import('../commands/tokens/rotate.ts'),
  },
  {
    path: ['tokens', 'revoke'],
    summary: 'end a token, from its next request on',
    arguments: [TOKEN],
    options: [],
    examples: [{ line: 'palyra tokens revoke ci', note: 'by its label' }],
    asks: 'gateway',
    load: () => import('../commands/tokens/revoke.ts'),
  },
  {
    path: ['access', 'members', 'list'],
    summary: 'who belongs to the workspace',
    arguments: [],
    options: [],
    examples: [{ line: 'palyra access members list', note: 'with their roles' }],
    asks: 'gateway',
    load: () => import('../commands/access/members/list.ts'),
  },
  {
    path: ['access', 'members', 'add'],
    summary: 'add a person to the workspace',
    arguments: [{ name: 'name', summary: 'short, for typing: `ada`', need: 'required' }],
    options: [
      {
        kind: 'text',
        name: 'role',
        value: 'role',
        summary: 'operator, admin or owner (operator)',
      },
    ],
    examples: [{ line: 'palyra access members add ada --role admin', note: 'then pair a device' }],
    asks: 'gateway',
    load: () => import('../commands/access/members/add.ts'),
  },
  {
    path: ['access', 'members', 'role'],
    summary: 'give a member another role',
    arguments: [
      MEMBER,
      { name: 'role', summary: 'what they may do from now on', need: 'required', values: ROLES },
    ],
    options: [],
    examples: [{ line: 'palyra access members role ada owner', note: 'counts at once' }],
    asks: 'gateway',
    load: () => import('../commands/access/members/role.ts'),
  },
  {
    path: ['access', 'members', 'remove'],
    summary: 'remove a person, with their devices, tokens and sessions',
    arguments: [MEMBER],
    options: [YES],
    examples: [{ line: 'palyra access members remove ada', note: 'asks first' }],
    asks: 'gateway',
    load: () => import('../commands/access/members/remove.ts'),
  },
  {
    path: ['access', 'export'],
    summary: 'write members, devices and tokens to a file, without secrets',
    arguments: [
      {
        name: 'file',
        summary: 'where to, `-` for standard output; access_registry.json without it',
        need: 'optional',
        completes: 'files',
      },
    ],
    options: [],
    examples: [
      { line: 'palyra access export', note: 'only you can read the file' },
      { line: 'palyra access export - | less', note: 'to look at it' },
    ],
    asks: 'gateway',
    load: () => import('../commands/access/export.ts'),
  },
  {
    path: ['identity', 'show'],
    summary: 'who you are to the gateway and what you may do',
    arguments: [],
    options: [],
    examples: [{ line: 'palyra identity show', note: 'and until when the certificate is good' }],
    asks: 'gateway',
    load: () => import('../commands/identity/show.ts'),
  },
  {
    path: ['identity', 'rotate-ca'],
    summary: 'replace the certificate authority, or see who has not moved',
    arguments: [],
    options: [
      YES,
      { kind: 'flag', name: 'end-retiring', summary: 'end the old one now: its key was stolen' },
    ],
    examples: [
      { line: 'palyra identity rotate-ca', note: 'asks first; again to see how far' },
      { line: 'palyra identity rotate-ca --end-retiring', note: 'who has not moved pairs again' },
    ],
    asks: 'gateway',
    load: () => import('../commands/identity/rotate-ca.ts'),
  },
  {
    path: ['console'],
    summary: 'open the console in your browser',
    arguments: [],
    options: [
      { kind: 'flag', name: 'no-open', summary: 'print the link only' },
      {
        kind: 'count',
        name: 'port',
        value: 'port',
        fallback: 0,
        most: 65_535,
        summary: 'local port for a distant gateway; any free one without it',
      },
    ],
    examples: [
      { line: 'palyra console', note: 'a link that works once, for a minute' },
      { line: 'palyra console --gateway office', note: 'carried over this device until Ctrl-C' },
    ],
    asks: 'gateway',
    load: () => import('../commands/console.ts'),
  },
];
