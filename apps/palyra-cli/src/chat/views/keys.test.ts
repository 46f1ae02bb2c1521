import { describe, expect, it } from 'vitest';
import { pressesOf } from './keys.ts';

const PLAIN = {
  upArrow: false,
  downArrow: false,
  leftArrow: false,
  rightArrow: false,
  pageDown: false,
  pageUp: false,
  home: false,
  end: false,
  return: false,
  escape: false,
  ctrl: false,
  shift: false,
  tab: false,
  backspace: false,
  delete: false,
  meta: false,
  super: false,
  hyper: false,
  capsLock: false,
  numLock: false,
};

const keys = (text: string, key = PLAIN) =>
  pressesOf(text, key).map((press) => press.name ?? press.text);

describe('what comes in one read', () => {
  it('is one key where it is one', () => {
    expect(keys('a')).toEqual(['a']);
    expect(keys('\r', { ...PLAIN, return: true })).toEqual(['return']);
    expect(keys('', { ...PLAIN, upArrow: true })).toEqual(['up']);
  });

  it('is text and then Enter where both came at once', () => {
    expect(keys('hello\r')).toEqual(['hello', 'return']);
    expect(keys('/quit\r\n')).toEqual(['/quit', 'return']);
    expect(keys('a\rb')).toEqual(['a', 'return', 'b']);
  });
});
