import { PalyraError, quote } from '@palyra/kernel';

/**
 * A text of a profile. Contract: throws SANDBOX_SCOPE_DENIED for what no path of ours has any business with.
 * INVARIANT: a quote and a backslash are the only characters that mean anything in there, and both are
 * escaped; what a reader might still take for the end of a line never gets in.
 */
export function profileText(text: string): string {
  if (UNSAFE.test(text) || !text.isWellFormed()) {
    throw new PalyraError(
      'SANDBOX_SCOPE_DENIED',
      `${quote(text)} cannot be named in a sandbox profile`,
      { help: 'rename the folder without control characters' },
    );
  }
  return `"${text.replaceAll(/["\\]/g, String.raw`\$&`)}"`;
}

const UNSAFE = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u;

/** Matches that name however it is capitalised: most volumes do not tell the difference. */
export function namePattern(name: string): string {
  if (!/^[\w.@+/-]+$/.test(name)) throw new RangeError('a guarded name is plain ASCII');
  return name
    .replaceAll(/[.+]/g, String.raw`\$&`)
    .replaceAll(/[a-z]/gi, (letter) => `[${letter.toLowerCase()}${letter.toUpperCase()}]`);
}

/** INVARIANT: patterns are ours alone; no text from outside is ever one. */
export function profilePattern(pattern: string): string {
  if (pattern.includes('"') || /\s/.test(pattern)) throw new RangeError('not a pattern of ours');
  return `(regex #"${pattern}")`;
}
