import { Capability, Risk } from '@palyra/protocol';
import * as z from 'zod';
import { bytesOf, filePath, text } from '../arguments.ts';
import { read } from '../canonical/reading.ts';
import { declareTool } from '../manifest.ts';

export const fsWriteArguments = () =>
  z.strictObject({
    path: filePath().describe('the file in the workspace'),
    content: text().describe('what to write'),
    mode: z
      .enum(['create', 'replace', 'append'])
      .default('create')
      .describe('`create` fails when there is such a file already'),
    folders: z
      .enum(['existing', 'create'])
      .default('existing')
      .describe('`create` makes the folders on the way that are missing'),
  });

export const fsWrite = declareTool({
  name: 'fs.write',
  description: 'writes a text file',
  capabilities: [Capability.FILESYSTEM_WRITE],
  risk: Risk.MEDIUM,
  effects: 'changes',
  placedBy: 'path',
  schema: fsWriteArguments,
  meaning: ({ path, content }) => read({ writes: [path], bodyBytes: bytesOf(content) }),
});
