import { Capability, Risk } from '@palyra/protocol';
import * as z from 'zod';
import { path, text } from '../arguments.ts';
import { WORKSPACE } from '../canonical/path.ts';
import { type Reading, read } from '../canonical/reading.ts';
import { type Meaning, declareTool } from '../manifest.ts';
import { readMatcher } from './matcher.ts';

export const fsSearchArguments = () =>
  z.strictObject({
    text: text({ least: 1, most: 1024 }).describe('what to find'),
    match: z
      .enum(['exact', 'any-case', 'pattern'])
      .default('exact')
      .describe('letter by letter, or as a regular expression without looking back or ahead'),
    path: path().default(WORKSPACE).describe('where to look in the workspace'),
    max_results: z.int().min(1).max(1000).default(100).describe('how many lines at most'),
  });

export const fsSearch = declareTool({
  name: 'fs.search',
  description:
    'finds lines with a text in a file or below a folder, not in secrets or files of the gateway',
  capabilities: [Capability.FILESYSTEM_READ],
  risk: Risk.LOW,
  effects: 'reads',
  placedBy: 'path',
  schema: fsSearchArguments,
  meaning,
});

function meaning(args: z.output<ReturnType<typeof fsSearchArguments>>): Reading<Meaning> {
  const matcher = readMatcher(args.text, args.match);
  if (matcher.kind === 'unreadable') return matcher;
  return read({ reads: [args.path], readsBelow: true });
}
