import { describe, expect, it } from 'vitest';
import { recordedTerminal } from '../../testing/recorded-terminal.ts';
import { printStep, printTier, provenWords } from './verdict.ts';

const HELD = {
  id: 'files.write-usr',
  says: 'write to `/usr`',
  expected: 'refused',
  observed: 'Read-only file system',
  holds: true,
};
const STEP = {
  step: 'bubblewrap',
  isProven: true,
  refusal: '',
  findings: [HELD],
  weaknesses: [],
};

describe('a proof, for people', () => {
  it('is a table of what was tried, expected and observed', () => {
    const { terminal, stdout } = recordedTerminal({ columns: 60 });
    const through = {
      ...HELD,
      says: 'be root',
      observed: 'it worked, and more than that',
      holds: false,
    };
    printStep(terminal, { ...STEP, findings: [HELD, through], weaknesses: ['memory is measured'] });
    expect(stdout()).toBe(
      [
        'tier C, by bubblewrap',
        '  tried            expected  observed',
        '✓ write to `/usr`  refused   Read-only file system',
        '✗ be root          refused   it worked, and more than that',
        '! memory is measured',
        '',
        '',
      ].join('\n'),
    );
  });

  it('says why a step was not tried', () => {
    const { terminal, stdout } = recordedTerminal();
    printStep(terminal, { ...STEP, findings: [], refusal: 'there is no bwrap' });
    expect(stdout()).toBe('tier C, by bubblewrap\n✗ not tried: there is no bwrap\n\n');
  });

  it('counts what came through', () => {
    expect(provenWords([STEP])).toBe('1 attack, none came through');
    expect(provenWords([{ ...STEP, findings: [HELD, { ...HELD, holds: false }] }])).toBe(
      '1 of 2 attacks not refused as they must be',
    );
    expect(provenWords([])).toBe('nothing could be tried');
  });
});

describe('a tier, for people', () => {
  const tier = { tier: 'C', state: 'refused', step: '', reason: 'no', help: 'x', weaknesses: [] };

  it.each([
    ['refused', '✗ tier C is refused: no\n  try: x\n'],
    ['not-proven', '✗ tier C is refused: no\n  try: x\n'],
    ['something new', '✗ tier C is refused: no\n  try: x\n'],
    ['proven', '✓ tier C is proven: no\n  try: x\n'],
    ['not-built', '– tier C is not built: no\n  try: x\n'],
  ])('that is %s says so', (state, text) => {
    const { terminal, stdout } = recordedTerminal();
    printTier(terminal, { ...tier, state });
    expect(stdout()).toBe(text);
  });
});
