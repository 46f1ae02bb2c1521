import { type MessageInitShape, create } from '@bufbuild/protobuf';
import { GainKind, PolicyDifferenceSchema } from '@palyra/protocol';
import { describe, expect, it } from 'vitest';
import { recordedTerminal } from '../../testing/recorded-terminal.ts';
import { printDifference } from './policy-difference.ts';

function shown(difference: MessageInitShape<typeof PolicyDifferenceSchema>): string {
  const { terminal, stdout } = recordedTerminal();
  printDifference(terminal, create(PolicyDifferenceSchema, difference));
  return stdout();
}

const gate = {
  kind: GainKind.GATE_REMOVED,
  principal: 'operator',
  what: 'process.run',
  ruleIds: ['git-looks-unasked'],
};

describe('the difference of two sets', () => {
  it('says who gains what by which rule', () => {
    const text = shown({ addedRules: ['git-looks-unasked'], gains: [gate], questions: 1 });
    expect(text).toContain('  added    git-looks-unasked\n');
    expect(text).toContain('  removed  none\n');
    expect(text).toContain('  tried    1 question\n');
    expect(text).toMatch(/gained\n.*\ngate removed +operator +process\.run +git-looks-unasked\n/);
    expect(text).not.toContain('nobody gains');
  });

  it('says of a lost allowance that a gate was added', () => {
    const possible = { ...gate, kind: GainKind.POSSIBLE };
    const text = shown({ losses: [gate, possible] });
    expect(text).toMatch(/lost\n.*\ngate added +operator .*\npossibly less +operator /);
    expect(text).not.toContain('gate removed');
  });

  it('says so when nobody gains anything', () => {
    expect(shown({ losses: [gate] })).toContain('✓ nobody gains anything\n');
  });

  it('says so when not every question was asked', () => {
    expect(shown({ questions: 20_000, leftOut: 17 })).toContain(
      '\nsampled: 17 questions were left out\n',
    );
    expect(shown({ questions: 3 })).not.toContain('sampled');
  });

  it.each([
    [GainKind.TOOL, 'tool'],
    [GainKind.HOST, 'host'],
    [GainKind.WRITE_ROOT, 'write root'],
    [GainKind.SECRET, 'secret'],
    [GainKind.OTHER, 'other'],
    [GainKind.POSSIBLE, 'possibly more'],
  ])('calls a gain of kind %i %s', (kind, word) => {
    expect(shown({ gains: [{ ...gate, kind }] })).toContain(`\n${word} `);
  });

  it('keeps what a call holds on one line', () => {
    const text = shown({ gains: [{ ...gate, what: 'a\nb\u001b[1m' }] });
    expect(text).toMatch(/gate removed +operator +a\S+b\\u\{001b\}\[1m +git-looks-unasked\n/);
  });
});
