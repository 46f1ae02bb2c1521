import { describe, expect, it } from 'vitest';
import { isYes } from './ask.ts';

describe('an answer', () => {
  it.each(['y', 'Y', 'yes', ' Yes '])('`%s` is a yes', (text) => {
    expect(isYes(text)).toBe(true);
  });

  it.each([undefined, '', 'n', 'no', 'yep', 'y n', 'oh yes'])('`%s` is none', (text) => {
    expect(isYes(text)).toBe(false);
  });
});
