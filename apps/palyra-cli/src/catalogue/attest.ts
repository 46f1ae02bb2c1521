import type { ArgumentSpec, CommandSpec } from '../command.ts';

const CALL_ID: ArgumentSpec = { name: 'call', summary: 'id of the tool call', need: 'required' };

export const ATTEST_COMMANDS: readonly CommandSpec[] = [
  {
    path: ['attest', 'show'],
    summary: 'what was decided, run and signed about one call',
    arguments: [CALL_ID],
    options: [],
    examples: [{ line: 'palyra attest show 01J…', note: 'ids come from `palyra journal tail`' }],
    asks: 'gateway',
    load: () => import('../commands/attest/show.ts'),
  },
  {
    path: ['attest', 'export'],
    summary: 'write it as an in-toto statement that other tools can check',
    arguments: [CALL_ID],
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
      { line: 'palyra attest export 01J… --out call.json', note: 'a signed DSSE envelope' },
    ],
    asks: 'gateway',
    load: () => import('../commands/attest/export.ts'),
  },
  {
    path: ['attest', 'verify'],
    summary: 'check an exported attestation, on any machine, with no gateway',
    arguments: [
      {
        name: 'file',
        summary: 'an exported attestation, `-` for standard input',
        need: 'required',
        completes: 'files',
      },
    ],
    options: [
      {
        kind: 'text',
        name: 'key',
        value: 'keyid',
        summary: 'accept only signatures of this key',
      },
    ],
    examples: [
      { line: 'palyra attest verify call.json', note: 'shows whose key signed it' },
      { line: 'palyra attest verify call.json --key 3f9a…', note: 'and takes no other' },
    ],
    load: () => import('../commands/attest/verify.ts'),
  },
];
