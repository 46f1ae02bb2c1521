import { Capability, Risk } from '@palyra/protocol';
import * as z from 'zod';
import {
  bytesOf,
  command,
  environment,
  hostPort,
  path,
  processArgument,
  text,
} from '../arguments.ts';
import { WORKSPACE } from '../canonical/path.ts';
import { readHostPort } from '../canonical/host-port.ts';
import { read } from '../canonical/reading.ts';
import { declareTool } from '../manifest.ts';
import { spellCommand } from './spell-command.ts';

/** Rules are shown each argument, so there are no more than they take. */
const MAX_ARGUMENTS = 1024;
const MAX_HOSTS = 64;
/** As the sandbox bounds it; 0 for its own default. */
const LONGEST_MS = 24 * 3_600_000;

export const processRun = declareTool({
  name: 'process.run',
  description: 'runs a program with arguments; no shell reads them',
  capabilities: [Capability.PROCESS_EXEC, Capability.FILESYSTEM_READ, Capability.FILESYSTEM_WRITE],
  risk: Risk.HIGH,
  effects: 'unknown',
  placedBy: 'cwd',
  spell: spellCommand,
  schema: () =>
    z.strictObject({
      command: command().describe('the program: a name such as `git`, or a path'),
      args: z
        .array(processArgument())
        .max(MAX_ARGUMENTS)
        .default(() => [])
        .describe('one text each'),
      cwd: path().default(WORKSPACE).describe('the folder to run it in'),
      stdin: text().default('').describe('what it reads from its standard input'),
      env: environment()
        .default(() => [])
        .describe('variables to set besides the usual few, each name once'),
      tier: z
        .enum(['C', 'B'])
        .default('C')
        .describe('`C`, a cage of its own; `B`, limits alone, where rules and operator allow it'),
      hosts: z
        .array(hostPort())
        .max(MAX_HOSTS)
        .default(() => [])
        .describe(
          'whom alone it may reach in tier C, as `api.example:443`, nobody without; in tier B nothing keeps it from others',
        ),
      timeout_ms: z
        .int()
        .min(0)
        .max(LONGEST_MS)
        .default(0)
        .describe('it is ended after that; 0 for what is usual here'),
    }),
  meaning: (args) =>
    read({
      process: {
        executable: args.command,
        arguments: args.args,
        directory: args.cwd,
        environment: args.env.map(({ name }) => name),
        tier: args.tier,
      },
      // A program sees the folder it is started in, whatever its arguments are.
      reads: [args.cwd],
      hosts: args.hosts.flatMap(hostFacts),
      bodyBytes: bytesOf(args.stdin),
    }),
});

function hostFacts(place: string) {
  const reading = readHostPort(place);
  if (reading.kind === 'unreadable') return [];
  const { name, port, range } = reading.value;
  return [{ name, port, range }];
}
