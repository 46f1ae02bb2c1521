import { Capability, Risk } from '@palyra/protocol';
import * as z from 'zod';
import { bytesOf, text } from '../arguments.ts';
import { type Reading, read } from '../canonical/reading.ts';
import { type Meaning, declareTool } from '../manifest.ts';
import { type FilePatch, pathsOf, readPatch } from './unified-diff.ts';

export const fsPatchArguments = () =>
  z.strictObject({
    patch: text({ least: 1 }).describe(
      'a unified diff of one or more files, paths from the workspace; all of it is done or nothing',
    ),
  });

export const fsPatch = declareTool({
  name: 'fs.patch',
  description: 'changes, makes, renames and deletes text files by a unified diff',
  // Whether a line is found says what the file holds, so a patch reads too.
  capabilities: [Capability.FILESYSTEM_READ, Capability.FILESYSTEM_WRITE],
  risk: Risk.MEDIUM,
  effects: 'changes',
  schema: fsPatchArguments,
  meaning,
});

function meaning({ patch }: { readonly patch: string }): Reading<Meaning> {
  const files = readPatch(patch);
  if (files.kind === 'unreadable') return files;
  return read({
    reads: files.value.flatMap(readsOf),
    writes: files.value.flatMap(pathsOf),
    bodyBytes: bytesOf(patch),
  });
}

function readsOf(file: FilePatch): readonly string[] {
  if (file.kind === 'create') return [];
  return [file.kind === 'rename' ? file.from : file.path];
}
