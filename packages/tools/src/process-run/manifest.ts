import { Capability, Risk } from '@palyra/protocol';
import * as z from 'zod';
import { bytesOf, command, path, processArgument, text } from '../arguments.ts';
import { WORKSPACE } from '../canonical/path.ts';
import { read } from '../canonical/reading.ts';
import { declareTool } from '../manifest.ts';

/** Rules are shown each argument, so there are no more than they take. */
const MAX_ARGUMENTS = 1024;

export const processRun = declareTool({
  name: 'process.run',
  description: 'runs a program with arguments; no shell reads them',
  capabilities: [Capability.PROCESS_EXEC, Capability.FILESYSTEM_READ, Capability.FILESYSTEM_WRITE],
  risk: Risk.HIGH,
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
    }),
  meaning: (args) =>
    read({
      process: { executable: args.command, arguments: args.args, directory: args.cwd },
      // A program sees the folder it is started in, whatever its arguments are.
      reads: [args.cwd],
      bodyBytes: bytesOf(args.stdin),
    }),
});
