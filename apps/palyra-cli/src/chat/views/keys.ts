import type { Key } from 'ink';
import type { KeyName, Press } from '../press.ts';

/** A key as the library tells it, in our words. */
export function pressOf(text: string, key: Key): Press {
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
