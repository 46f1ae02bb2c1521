import type { ArgumentSpec, CommandSpec } from '../command.ts';

const DEVICE: ArgumentSpec = {
  name: 'device',
  summary: 'id of the device, or a name that only it has',
  need: 'required',
};
const PAIRING: ArgumentSpec = { name: 'pairing', summary: 'id of the pairing', need: 'required' };

export const DEVICE_COMMANDS: readonly CommandSpec[] = [
  {
    path: ['pairing', 'start'],
    summary: 'show a PIN for a new device and wait for it',
    arguments: [],
    options: [
      { kind: 'text', name: 'for', value: 'member', summary: 'the device acts for this member' },
      { kind: 'flag', name: 'no-wait', summary: 'print the PIN and end' },
    ],
    examples: [
      { line: 'palyra pairing start', note: 'a device of your own; Ctrl-C ends it' },
      { line: 'palyra pairing start --for ada', note: "one of ada's" },
      { line: 'palyra pairing start --no-wait --json', note: 'for scripts' },
    ],
    asks: 'gateway',
    load: () => import('../commands/pairing/start.ts'),
  },
  {
    path: ['pairing', 'list'],
    summary: 'pairings that wait, and the last that ended',
    arguments: [],
    options: [],
    examples: [{ line: 'palyra pairing list', note: 'and which devices wait for a yes' }],
    asks: 'gateway',
    load: () => import('../commands/pairing/list.ts'),
  },
  {
    path: ['pairing', 'approve'],
    summary: 'let the device in that has proven itself',
    arguments: [PAIRING],
    options: [
      {
        kind: 'text',
        name: 'fingerprint',
        value: 'hex',
        summary: 'what the new device shows; needed where nobody can be asked',
      },
    ],
    examples: [{ line: 'palyra pairing approve 01J…', note: 'ids: `palyra pairing list`' }],
    asks: 'gateway',
    load: () => import('../commands/pairing/approve.ts'),
  },
  {
    path: ['pairing', 'reject'],
    summary: 'end a pairing; no device gets in',
    arguments: [PAIRING],
    options: [],
    examples: [{ line: 'palyra pairing reject 01J…', note: 'also before a device has come' }],
    asks: 'gateway',
    load: () => import('../commands/pairing/reject.ts'),
  },
  {
    path: ['pair'],
    summary: 'make this machine a device of a gateway',
    arguments: [
      {
        name: 'gateway',
        summary: 'HOST[:PORT], `-` to be asked for a link, or `local`',
        need: 'required',
      },
    ],
    options: [
      { kind: 'text', name: 'name', value: 'name', summary: 'what the gateway calls this device' },
      {
        kind: 'text',
        name: 'kind',
        value: 'kind',
        summary: 'cli, desktop, console, worker, browser or node (cli)',
      },
      { kind: 'text', name: 'as', value: 'name', summary: 'what this device calls the gateway' },
      {
        kind: 'text',
        name: 'pairing',
        value: 'id',
        summary: 'which pairing the PIN is of, where more than one waits',
      },
    ],
    examples: [
      { line: 'palyra pair gateway.lan', note: 'asks for the PIN' },
      { line: 'palyra pair gateway.lan < pin.txt', note: 'without a terminal' },
      { line: 'palyra pair -', note: 'asks for the link' },
      { line: 'palyra pair local', note: 'anew, on the gateway itself' },
    ],
    load: () => import('../commands/pair.ts'),
  },
  {
    path: ['devices', 'list'],
    summary: 'every device that was let in',
    arguments: [],
    options: [],
    examples: [{ line: 'palyra devices list', note: 'revoked ones too' }],
    asks: 'gateway',
    load: () => import('../commands/devices/list.ts'),
  },
  {
    path: ['devices', 'show'],
    summary: 'one device: whose it is, since when, until when',
    arguments: [DEVICE],
    options: [],
    examples: [{ line: 'palyra devices show laptop', note: 'by its name' }],
    asks: 'gateway',
    load: () => import('../commands/devices/show.ts'),
  },
  {
    path: ['devices', 'rename'],
    summary: 'give a device another name',
    arguments: [DEVICE, { name: 'name', summary: 'the new name', need: 'required' }],
    options: [],
    examples: [{ line: 'palyra devices rename laptop "old laptop"', note: 'its id stays' }],
    asks: 'gateway',
    load: () => import('../commands/devices/rename.ts'),
  },
  {
    path: ['devices', 'revoke'],
    summary: 'shut a device out at once, open connections too',
    arguments: [DEVICE],
    options: [
      {
        kind: 'flag',
        name: 'with-made',
        summary: 'also what was let in or made through it: devices and tokens',
      },
    ],
    examples: [
      { line: 'palyra devices revoke laptop', note: 'shows what came of it' },
      { line: 'palyra devices revoke laptop --with-made', note: 'lost or stolen' },
    ],
    asks: 'gateway',
    load: () => import('../commands/devices/revoke.ts'),
  },
  {
    path: ['devices', 'remove'],
    summary: 'revoke a device and forget it; the journal keeps what it did',
    arguments: [DEVICE],
    options: [],
    examples: [{ line: 'palyra devices remove laptop', note: 'it is not listed any more' }],
    asks: 'gateway',
    load: () => import('../commands/devices/remove.ts'),
  },
];
