import { REDACTED, redactText } from './redaction.ts';

/**
 * A command as it may be shown: what its words themselves give away as a secret is gone, as everywhere
 * else, and so is what stands where a program takes a password. Commands in a word, as `sh -c` is given
 * them, are looked at too.
 * Contract: as many words as were given; each is itself, or was changed.
 */
export function hideSecretWords(words: readonly string[]): readonly string[] {
  return hide(words, MAX_NESTING);
}

/** The same for commands anywhere in a text, such as a message that repeats a value. */
export function hideSecretsIn(text: string): string {
  return hideInside(redactText(text), MAX_NESTING);
}

/** What is hidden of the words of a command: the words, and the parts of them that are not shown. */
export function secretsAmong(words: readonly string[]): readonly string[] {
  const shown = hide(words, MAX_NESTING);
  return words.flatMap((word, at) => {
    const left = shown[at] ?? REDACTED;
    return word === left ? [] : [word, hiddenPart(word, left)];
  });
}

/** The same for commands anywhere in a text. */
export function secretsIn(text: string): readonly string[] {
  return secretsAmong(bareWords(text));
}

function hiddenPart(word: string, shown: string): string {
  const [before = '', ...after] = shown.split(REDACTED);
  const end = after.at(-1) ?? '';
  const isAround = word.startsWith(before) && word.endsWith(end);
  return isAround ? word.slice(before.length, word.length - end.length) : word;
}

/** A command in a command in a command; deeper than that nothing is shown. */
const MAX_NESTING = 3;

/** Whose value is a secret, or ends with one after a sign: `user:password`. */
interface Options {
  readonly secret?: string;
  readonly pair?: { readonly letters: string; readonly sign: string };
  /** Long options of which nobody else would think so. */
  readonly long?: readonly string[];
  /** Otherwise the same letters mean something else. */
  readonly onlyWith?: string;
  /** Which of the words without a dash is one, from 1; told from what came before. */
  readonly placed?: (flags: string, first: string) => number | undefined;
}

const COLON = { letters: 'u', sign: ':' };

/** By the last part of a program's path. What a word gives away by its name or look needs no entry. */
const PROGRAMS: ReadonlyMap<string, Options> = new Map<string, Options>([
  ...named(
    'mysql mysqladmin mysqlbinlog mysqlcheck mysqldump mysqlimport mysqlpump mysqlshow mysqlslap',
    {
      secret: 'p',
    },
  ),
  ...named('mariadb mariadb-admin mariadb-check mariadb-dump mariadb-import mariadb-show', {
    secret: 'p',
  }),
  ...named('mongo mongosh mongodump mongoexport mongoimport mongorestore mongostat', {
    secret: 'p',
  }),
  ...named('sshpass 7z 7za 7zr 7zz cqlsh influx', { secret: 'p' }),
  ...named('zip unzip zipcloak sqlcmd bcp isql mosquitto_pub mosquitto_sub', { secret: 'P' }),
  ...named('redis-cli', { secret: 'a' }),
  ...named('ldapadd ldapcompare ldapdelete ldapmodify ldappasswd ldapsearch ldapwhoami', {
    secret: 'w',
  }),
  ...named('openssl', { secret: 'kK' }),
  ...named('curl', { secret: 'b', pair: { letters: 'uUE', sign: ':' } }),
  ...named('http https xh xhs', { pair: { letters: 'a', sign: ':' } }),
  ...named('ab', { pair: { letters: 'AP', sign: ':' } }),
  ...named('smbclient smbget rpcclient', { pair: { letters: 'U', sign: '%' } }),
  ...named('lftp', { pair: { letters: 'u', sign: ',' } }),
  ...named('gh', { secret: 'b', long: ['--body'], onlyWith: 'secret' }),
  ...named('htpasswd', { placed: passwordPlace }),
  ...named('vault', { placed: (_flags, first) => (first === 'login' ? 2 : undefined) }),
  ...named('docker podman nerdctl buildah skopeo helm oras', { secret: 'p', onlyWith: 'login' }),
]);

function named(programs: string, options: Options): readonly (readonly [string, Options])[] {
  return programs.split(' ').map((program) => [program, options] as const);
}

/** `htpasswd -b FILE USER PASSWORD`, and with `n` there is no file. */
function passwordPlace(flags: string): number | undefined {
  if (!flags.includes('b')) return undefined;
  return flags.includes('n') ? 2 : 3;
}

/** What the next word is. */
type Expected = 'anything' | 'secret' | { readonly sign: string };

function hide(words: readonly string[], nesting: number): readonly string[] {
  let options: Options = { pair: COLON };
  let expected: Expected = 'anything';
  let place = new Placing();
  return words.map((word, at) => {
    if (expected !== 'anything') {
      const shown = expected === 'secret' ? REDACTED : hideAfter(word, expected.sign);
      expected = 'anything';
      return shown;
    }
    const program = programIn(word, words);
    if (program !== undefined) {
      options = program;
      place = new Placing();
    } else if (place.isSecret(word, options)) return REDACTED;
    expected = expectedAfter(word, words[at - 1], options);
    return shownWord(word, options, nesting);
  });
}

/** What a program was given so far. */
class Placing {
  #flags = '';
  #first = '';
  #count = 0;

  /** Contract: asked once for each word, in their order. */
  isSecret(word: string, { placed }: Options): boolean {
    if (placed === undefined) return false;
    if (word.startsWith('-')) {
      this.#flags += word.slice(0, MAX_FLAGS);
      return false;
    }
    this.#count += 1;
    if (this.#count === 1) this.#first = word;
    return this.#count === placed(this.#flags, this.#first) && !word.includes('=');
  }
}

/** Longer ones are no letters in a row. */
const MAX_FLAGS = 8;

function programIn(word: string, words: readonly string[]): Options | undefined {
  const name = word.slice(Math.max(word.lastIndexOf('/'), word.lastIndexOf('\\')) + 1);
  const options = PROGRAMS.get(name.toLowerCase().replace(/\.exe$/, ''));
  if (options?.onlyWith === undefined || words.includes(options.onlyWith)) return options;
  return undefined;
}

function expectedAfter(word: string, before: string | undefined, options: Options): Expected {
  if (LONG_PAIRS.test(word)) return { sign: ':' };
  if (/^--?[\w.-]{2,}$/.test(word) && (LONG_SECRETS.test(word) || announces(word))) return 'secret';
  if (options.long?.includes(word) === true || REGISTRY_SECRET.test(word)) return 'secret';
  // `config set NAME VALUE`
  if ((before === 'set' || before === 'config') && announces(word)) return 'secret';
  const [, last] = /^-\w*(\w)$/.exec(word) ?? [];
  if (last === undefined) return 'anything';
  if (options.secret?.includes(last) === true) return 'secret';
  const { letters, sign } = options.pair ?? COLON;
  return letters.includes(last) ? { sign } : 'anything';
}

const LONG_PAIRS = /^--(?:auth|login|proxy-user|user|username|userpwd)$/;
/** As npm is told who it is: `//registry.example/:_authToken VALUE`. */
const REGISTRY_SECRET = /\/:_(?:auth|authToken|password)$/i;
/** `become_pass=…`, `PW=…`: names that say it only of a value that is given them. */
const ASSIGNED_SECRET = /^((?:-e)?[\w.-]*(?:pass|pw|psk))=./is;
/** Names that say it only of an option. */
const LONG_SECRETS = /^--?(?:\w+pass|pass|pw|oauth2-bearer|http-passwd)$/i;

/** Whether a value of this name is one of the secrets that are known by their names everywhere. */
function announces(name: string): boolean {
  const line = `${name}=value`;
  return /^[\w.-]+$/.test(name) && redactText(line) !== line;
}

function shownWord(word: string, options: Options, nesting: number): string {
  const clean = redactText(word);
  if (clean !== word) return clean;
  const [, name = '', value = ''] = /^(--[\w.-]+)=(.+)$/s.exec(word) ?? [];
  if (LONG_SECRETS.test(name)) return `${name}=${REDACTED}`;
  if (LONG_PAIRS.test(name)) return `${name}=${hideAfter(value, ':')}`;
  if (options.long?.includes(name) === true) return `${name}=${REDACTED}`;
  const [, assigned] = BETWEEN_WORDS.test(word) ? [] : (ASSIGNED_SECRET.exec(word) ?? []);
  if (assigned !== undefined) return `${assigned}=${REDACTED}`;
  if (/^pass:./s.test(word)) return `pass:${REDACTED}`;
  const [, letter = ' ', rest = ''] = /^-(\w)(.+)$/s.exec(word) ?? [];
  if (options.secret?.includes(letter) === true) return `-${letter}${REDACTED}`;
  const { pair } = options;
  if (pair?.letters.includes(letter) === true) return `-${letter}${hideAfter(rest, pair.sign)}`;
  return BETWEEN_WORDS.test(word) ? hideInside(word, nesting - 1) : word;
}

/** `1000:1000` is a user and a group. */
function hideAfter(text: string, sign: string): string {
  const place = text.indexOf(sign);
  if (place === -1 || /^\d+:\d+$/.test(text)) return redactText(text);
  return `${text.slice(0, place + 1)}${REDACTED}`;
}

const BETWEEN_WORDS = /[\s;|&()[\]{}`]/;
/** INVARIANT: linear. No two alternatives begin alike, and nothing follows what repeats. */
const WORD = /(?:"[^"]*"|'[^']*'|[^\s"';|&()[\]{}`])+/g;

/** Words as a shell would take them; what is between them stays. */
function hideInside(text: string, nesting: number): string {
  if (nesting <= 0) return REDACTED;
  const bare = bareWords(text);
  const shown = hide(bare, nesting);
  let at = -1;
  return text.replaceAll(WORD, (word) => {
    at += 1;
    return shown[at] === bare[at] ? word : (shown[at] ?? REDACTED);
  });
}

function bareWords(text: string): readonly string[] {
  return (text.match(WORD) ?? []).map((word) => word.replaceAll(/["']/g, ''));
}
