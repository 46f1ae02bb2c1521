import { create } from '@bufbuild/protobuf';
import { GrantShapeSchema, ShapePastSchema, ToolProposalSchema } from '@palyra/protocol';
import { describe, expect, it } from 'vitest';
import { pastWords, shapeWords } from './shape-words.ts';

describe('a shape in words', () => {
  it('names exact arguments by the beginning of their hash', () => {
    const shape = create(GrantShapeSchema, {
      tool: 'fs.write',
      argumentsSha256: '0123456789abcdef',
    });
    expect(shapeWords(shape)).toBe('fs.write with exactly the arguments 0123456789ab…');
  });

  it('tells the exact call where the question is still kept', () => {
    const shape = create(GrantShapeSchema, {
      tool: 'fs.write',
      argumentsSha256: '0123456789abcdef',
    });
    const call = create(ToolProposalSchema, { tool: 'fs.write', arguments: { path: 'a' } });
    expect(shapeWords(shape, call)).toBe('exactly this call: fs.write {"path":"a"}');
  });

  it('says what is left open, and what is not', () => {
    const shape = create(GrantShapeSchema, {
      tool: 'process.run',
      executable: '/usr/bin/git',
      argumentPrefix: ['log'],
      directory: '.',
      tier: 'C',
      readsUnder: ['.'],
    });
    expect(shapeWords(shape)).toBe(
      'process.run: `/usr/bin/git log` and any further arguments, in `.` or below, in tier C, it may read and write anywhere in the workspace but for protected names, without network',
    );
  });

  it('names the folders of a tool that is bound to them', () => {
    const shape = create(GrantShapeSchema, {
      tool: 'fs.patch',
      readsUnder: ['src'],
      writesUnder: ['src'],
    });
    expect(shapeWords(shape)).toBe(
      'fs.patch: reading below src, writing below src, without network',
    );
  });
});

describe('what a shape would have covered', () => {
  it('is counted, or said to be nothing', () => {
    expect(pastWords(create(ShapePastSchema, {}))).toBe('In the last 7 days: no other call');
    const past = create(ShapePastSchema, { covered: 3, asked: 2, denied: 1, inSession: 0 });
    expect(pastWords(past)).toBe(
      'In the last 7 days: 3 other calls (2 asked about, 1 denied, 0 in this session)',
    );
  });
});
