import { Capability, Risk } from '@palyra/protocol';
import * as z from 'zod';
import { path } from '../arguments.ts';
import { WORKSPACE } from '../canonical/path.ts';
import { read } from '../canonical/reading.ts';
import { declareTool } from '../manifest.ts';

export const fsListArguments = () =>
  z.strictObject({
    path: path().default(WORKSPACE).describe('the folder in the workspace'),
    depth: z.int().min(1).max(16).default(1).describe('how many levels of folders to enter'),
  });

export const fsList = declareTool({
  name: 'fs.list',
  description: 'lists what is in a folder, without files with secrets and those of the gateway',
  capabilities: [Capability.FILESYSTEM_READ],
  risk: Risk.LOW,
  effects: 'reads',
  placedBy: 'path',
  schema: fsListArguments,
  meaning: (args) => read({ reads: [args.path], readsBelow: true }),
});
