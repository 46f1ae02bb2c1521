import { create } from '@bufbuild/protobuf';
import { ToolProposalSchema } from '@palyra/protocol';
import { expect, it } from 'vitest';
import { openCall } from './call.ts';
import { diffOf } from './call-diff.ts';

function call(tool: string, given: Record<string, string>) {
  const proposal = create(ToolProposalSchema, { tool, arguments: given });
  return openCall(proposal, { runId: 'r', sequence: 1n, written: undefined });
}

it('a patch is a diff already', () => {
  expect(diffOf(call('fs.patch', { patch: '--- a\n+++ a\n' }))).toBe('--- a\n+++ a\n');
});

it('a new file is all of it', () => {
  const diff = diffOf(call('fs.write', { path: 'a.txt', content: 'one\ntwo\n' }));
  expect(diff).toBe('--- /dev/null\n+++ a.txt\n@@ new file @@\n+one\n+two\n');
});

it('what is put in the place of another says so', () => {
  const diff = diffOf(call('fs.write', { path: 'a.txt', content: 'x', mode: 'replace' }));
  expect(diff).toContain('@@ in place of all that was there @@\n+x');
});

it('other tools tell nothing', () => {
  expect(diffOf(call('process.run', { command: 'make' }))).toBe('');
});
