import { create } from '@bufbuild/protobuf';
import { DecisionKind, JournalEntrySchema, ToolOutcome } from '@palyra/protocol';
import { describe, expect, it } from 'vitest';
import { entryTone } from './entry-tone.ts';

const tone = (kind: string, payload = {}) =>
  entryTone(create(JournalEntrySchema, { kind, payload }));

describe('the tone of an entry', () => {
  it('follows how the thing ended', () => {
    expect(tone('tool.decided', { kind: 'DECISION_KIND_DENY' })).toBe('bad');
    expect(tone('tool.decided', { kind: 'DECISION_KIND_ALLOW' })).toBe('good');
    expect(tone('run.ended', { status: 'RUN_STATUS_FAILED' })).toBe('bad');
    expect(tone('approval.asked')).toBe('wait');
  });

  it('is plain for what it does not know', () => {
    expect(tone('run.ended', { status: 'constructor' })).toBe('plain');
    expect(tone('toString')).toBe('plain');
    expect(tone('tool.decided')).toBe('plain');
  });

  it('leaves no ending of a call or a decision out', () => {
    const outcomes = Object.keys(ToolOutcome).filter((name) => /^[A-Z]/.test(name));
    const plain = outcomes.filter(
      (name) => tone('tool.finished', { outcome: `TOOL_OUTCOME_${name}` }) === 'plain',
    );
    const decisions = Object.keys(DecisionKind).filter((name) => /^[A-Z]/.test(name));
    const open = decisions.filter(
      (name) => tone('tool.decided', { kind: `DECISION_KIND_${name}` }) === 'plain',
    );
    expect([plain, open]).toEqual([['UNSPECIFIED'], ['UNSPECIFIED']]);
  });
});
