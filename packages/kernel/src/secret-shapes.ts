/** How secrets are told from everything else: by the name they stand under, or by their look. */

const SECRET_WORD =
  /(?:authorization|cookie|credential|passphrase|password|passwd|passcode|pwd|secret|token|(?:api|private|access|secret|signing|encryption|master)key|^auth|^jwt|^otp|^pin)s?$/;
/** Words that only say how a secret is written: `password_hash`, `private_key_pem`. */
const FORM_WORDS: ReadonlySet<string> = new Set(['base64', 'hash', 'hex', 'pem', 'value']);
/** The end of a name decides; a name beyond this is no name. */
const MAX_NAME_LENGTH = 256;

/** Whether a field of this name is never shown, whatever its value looks like. */
export function isSecretName(name: string): boolean {
  const words = name
    .slice(-MAX_NAME_LENGTH)
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .map((word) => (FORM_WORDS.has(word) ? '' : word.replace(/[0-9]+$/, '')))
    .filter((word) => word !== '');
  const last = words.at(-1) ?? '';
  return SECRET_WORD.test(last) || SECRET_WORD.test(`${words.at(-2) ?? ''}${last}`);
}

/** Names that announce a secret in running text, a query, or JSON inside a string. */
const NAMES =
  '(?:authorization|cookie|credential|pass(?:phrase|word|wd|code)|pwd|secret|token|\\bpin|\\bjwt|(?:api|private|access|secret|signing|encryption|master)[_. -]?key)s?';
const IS = `${NAMES}(?:\\\\*["'\`])?\\s{0,8}(?:=>?|:|%3D)\\s{0,8}`;

/**
 * Every match is replaced as a whole. Shapes come first: by the time a name claims the word after
 * it, `token: Bearer …` has to be one word.
 * INVARIANT: linear. What may repeat without bound either ends its pattern or cannot match what
 * follows it, and no two starts share a run; the test gives each of them its worst input.
 */
export const SECRET_SHAPES: readonly RegExp[] = [
  // Private keys, to their end or to the end of the text: their headers may hold dashes, too.
  /-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----[\s\S]*?(?:-----END [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----|$)/g,
  /AGE-SECRET-KEY-1[A-Z0-9]{8,}/gi,
  // Headers and phrases hold spaces, so the whole line goes.
  /(?<=(?:authorization|cookie|passphrase)[ \t]{0,8}[:=][ \t]{0,8})[^\s"'`][^\r\n]*/gi,
  /\bbearer\s+[A-Za-z0-9+/=._~-]{8,}/gi,
  /\b(?:Basic|BASIC)\s+[A-Za-z0-9+/=_-]{8,}/g,
  // JSON in base64: tokens in three parts, and in five.
  /(?<![A-Za-z0-9])eyJ[A-Za-z0-9_-]{8,}(?:\.[A-Za-z0-9_-]*)*/g,
  /(?<![A-Za-z0-9])pal_[A-Za-z0-9_-]{16,}/g,
  /(?<![A-Za-z0-9])(?:sk|rk|pk)-[A-Za-z0-9_-]{16,}/g,
  /(?<![A-Za-z0-9])(?:sk|rk|pk)_(?:live|test)_[A-Za-z0-9]{10,}/g,
  /(?<![A-Za-z0-9])(?:gh[oprsu]|github_pat|npm|hf|whsec)_[A-Za-z0-9_]{20,}/g,
  /(?<![A-Za-z0-9])glpat-[A-Za-z0-9_-]{20,}/g,
  /(?<![A-Za-z0-9])(?:xox[a-z]|xapp)-[A-Za-z0-9-]{10,}/g,
  /(?<![A-Za-z0-9])(?:AKIA|ASIA)[A-Z0-9]{16}(?![A-Za-z0-9])/g,
  /(?<![A-Za-z0-9])AIza[A-Za-z0-9_-]{30,}/g,
  // Everything between :// and the host, up to the last @: a password may hold one.
  /(?<=:\/\/)[^\s/?#"'<>]+(?=@)/g,
  /(?<=[?&](?:auth|code|key|sig|signature)=)[^\s&"']+/gi,
];

/** A text without this has nothing for the shapes below, which take long to get ready. */
export const SECRET_NAME = new RegExp(NAMES, 'i');

/** Those that a name announces. The same holds of them; they come last. INVARIANT: each has NAMES in it. */
export const NAMED_SECRET_SHAPES: readonly RegExp[] = [
  new RegExp(`(?<=${IS}")(?:[^"\\\\]|\\\\[\\s\\S])+`, 'gi'),
  new RegExp(`(?<=${IS}')(?:[^'\\\\]|\\\\[\\s\\S])+`, 'gi'),
  new RegExp(`(?<=${IS}\`)[^\`]+`, 'gi'),
  // A string inside a string: it ends where the same number of backslashes comes again.
  new RegExp(`(?<=${IS}(?<slashes>\\\\+)")[\\s\\S]+?(?=(?<!\\\\)\\k<slashes>"|$)`, 'gi'),
  new RegExp(`(?<=${IS})(?!\\\\+")[^\\s;&"'\`][^\\s;&"']*`, 'gi'),
  new RegExp(`(?<=--[\\w-]{0,40}${NAMES}[ \\t]{1,8})[^\\s-]\\S*`, 'gi'),
];
