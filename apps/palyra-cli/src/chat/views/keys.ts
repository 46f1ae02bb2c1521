import type { Key } from 'ink';
import type { KeyName, Press } from '../press.ts';

/**
 * What came in one read, key by key: somebody fast, or slow to be heard, presses Enter in the same
 * one. Only what is marked as a paste has newlines in it; a lone one is a key of its own.
 */
export function pressesOf(text: string, key: Key): readonly Press[] {
  if (text.length < 2) return [pressOf(text, key)];
  const pieces = text.split(/(\r\n|\r|\n)/).filter((piece) => piece !== '');
  return pieces.map((piece) => (/^[\r\n]/.test(piece) ? ENTER : pressOf(piece, key)));
}

const ENTER: Press = { name: 'return' };

/** A key as the library tells it, in our words. */
function pressOf(text: string, key: Key): Press {
  const name = NAMES.find(([, is]) => is(key))?.[0];
  return {
    name,
    text: name === undefined ? text : '',
    ctrl: key.ctrl,
    alt: key.meta && name !== 'escape',
  };
}

const NAMES: readonly (readonly [KeyName, (key: Key) => boolean])[] = [
  ['return', (key) => key.return],
  ['escape', (key) => key.escape],
  ['tab', (key) => key.tab],
  ['up', (key) => key.upArrow],
  ['down', (key) => key.downArrow],
  ['left', (key) => key.leftArrow],
  ['right', (key) => key.rightArrow],
  ['home', (key) => key.home],
  ['end', (key) => key.end],
  ['pageUp', (key) => key.pageUp],
  ['pageDown', (key) => key.pageDown],
  ['backspace', (key) => key.backspace],
  ['delete', (key) => key.delete],
];
