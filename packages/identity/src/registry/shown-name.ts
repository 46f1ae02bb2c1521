import { PalyraError, parseId, quote, visibleText } from '@palyra/kernel';

const MAX_LENGTH = 64;
const MEMBER_NAME = /^[a-z0-9][a-z0-9._-]{0,31}$/;

export function isMemberName(text: string): boolean {
  return MEMBER_NAME.test(text);
}

/** Contract: throws INVALID_INPUT for what nobody can be called. */
export function checkMemberName(name: string): void {
  if (isMemberName(name)) return;
  throw new PalyraError(
    'INVALID_INPUT',
    `the name of a member has to be 1 to 32 of a-z, 0-9, \`.\`, \`_\` and \`-\`, not ${quote(name)}`,
  );
}

/** Contract: throws INVALID_INPUT unless people can read, type and tell the name from an id. */
export function checkDeviceName(name: string): void {
  check(name, 'the name of a device');
}

/** Contract: as for the name of a device. */
export function checkTokenLabel(label: string): void {
  check(label, 'the label of a token');
}

/** Contract: as for the name of a device. */
export function checkPasskeyName(name: string): void {
  check(name, 'the name of a passkey');
}

function check(text: string, what: string): void {
  if (isShowable(text)) return;
  throw new PalyraError(
    'INVALID_INPUT',
    `${what} has to be 1 to ${MAX_LENGTH} visible characters in one line, not ${quote(text)}`,
  );
}

function isShowable(text: string): boolean {
  if (text.length === 0 || text.length > MAX_LENGTH || text !== text.trim()) return false;
  if (text !== text.normalize('NFC') || text.includes('`')) return false;
  // An id decides first where both are taken; a name of that shape could only mislead.
  return visibleText(text, 'one-line') === text && parseId(text) === undefined;
}
