import { PalyraError, hideSecretsIn } from '@palyra/kernel';

const MOST_CHARACTERS = 200;
/** As much of a prompt as names a session. */
const FROM_PROMPT = 80;
/** As much of it as is searched for secrets. */
const SEARCHED = 2_000;

/** Ends of lines and other controls, and what turns the direction of the text around it. */
const UNSHOWN = /[\p{Cc}\p{Zl}\p{Zp}\u202A-\u202E\u2066-\u2069]/u;

/** Contract: throws INVALID_INPUT for what cannot be shown on one line; empty stays empty. */
export function checkTitle(text: string): string {
  const title = text.trim();
  if (!title.isWellFormed()) throw malformed('is not unicode');
  if (UNSHOWN.test(title)) throw malformed('has characters that cannot be shown on one line');
  if (Array.from(title).length > MOST_CHARACTERS) {
    throw malformed(`is longer than ${MOST_CHARACTERS} characters`);
  }
  return title;
}

/**
 * The beginning of a prompt, on one line. Contract: always a title. Secrets are hidden before it is cut:
 * nobody would know half of one for what it is.
 */
export function titleFrom(prompt: string): string {
  const line = prompt
    .toWellFormed()
    .split(UNSHOWN)
    .map((part) => part.trim())
    .find((part) => part !== '');
  const searched = (line ?? '').slice(0, SEARCHED).toWellFormed();
  const characters = Array.from(hideSecretsIn(searched).trim());
  if (characters.length <= FROM_PROMPT) return characters.join('');
  return `${characters.slice(0, FROM_PROMPT).join('').trimEnd()}…`;
}

function malformed(why: string): PalyraError {
  return new PalyraError('INVALID_INPUT', `the title ${why}`);
}
