import { create } from '@bufbuild/protobuf';
import { ToolProposalSchema } from '@palyra/protocol';
import { describe, expect, it } from 'vitest';
import { callLine } from './command-line.ts';

describe('a call in one line', () => {
  it('names the files that it writes before what it writes, which is cut', () => {
    const line = callLine(
      create(ToolProposalSchema, {
        tool: 'fs.write',
        arguments: { content: 'so it is written. '.repeat(40), path: 'src/main.ts' },
        facts: { writes: ['src/main.ts'], reads: ['src/main.ts'] },
      }),
    );
    expect(line).toMatch(/^src\/main\.ts {2}\{"content":"so it is written\. .*…$/);
    expect(line.length).toBeLessThan(200);
  });

  it('says how many files more there are', () => {
    const writes = ['a', 'b', 'c', 'd', 'e'];
    const line = callLine(
      create(ToolProposalSchema, { arguments: { patch: '-' }, facts: { writes } }),
    );
    expect(line).toBe('a, b, c and 2 more  {"patch":"-"}');
  });

  it('is the arguments alone where there are no files', () => {
    expect(callLine(create(ToolProposalSchema, { arguments: { query: 'x' } }))).toBe(
      '{"query":"x"}',
    );
  });
});
