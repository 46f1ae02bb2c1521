import { parsePermission } from '@palyra/kernel';
import { matches } from '../compare/pattern.ts';
import type { Expression } from '../compare/expression.ts';
import { MAX_PORT, spellHost } from '../request/hosts.ts';
import { SCHEMES, spellMethod, spellUrlPath } from '../request/http.ts';
import { nameOf, partsOf, spellExtension, spellPath } from '../request/paths.ts';
import { MAX_ARGUMENTS, commandLine, spellExecutable, wordsOf } from '../request/process.ts';
import { programNames } from '../request/program-names.ts';
import { timeFacts } from '../request/time.ts';
import { TOOL_SOURCES } from '../request/tool-source.ts';

type Pattern = NonNullable<Expression['pattern']>;

/** What a fact can be, told by what makes it. */
export type FactDomain = TextDomain | NumberDomain | { readonly kind: 'anything' };

export interface TextDomain {
  readonly kind: 'text';
  /** Goes on from «it is»: how it is spelt. */
  readonly says: string;
  /** Whoever wrote something that has no spelling may have meant this. */
  readonly hint: string;
  /**
   * In the spelling that the fact would have, by the very function that makes it; `undefined` for what it
   * never is. INVARIANT: what comes out is spelt as itself.
   */
  spell(text: string): string | undefined;
  /** Contract: false only where the fact can never be like it. */
  canBeLike(pattern: Pattern): boolean;
}

export interface NumberDomain {
  readonly kind: 'number';
  readonly least: number;
  readonly most: number;
}

const ANYTHING: FactDomain = { kind: 'anything' };

/** Stands for a wildcard where a pattern is looked at as a text; no fact holds it. */
const ANY_TEXT = '\0';

function spelt(
  parts: Omit<TextDomain, 'kind' | 'canBeLike'> & { readonly never?: RegExp },
): TextDomain {
  const { never, ...rest } = parts;
  return {
    kind: 'text',
    ...rest,
    canBeLike: (pattern) => never?.test(pattern.map((part) => part ?? ANY_TEXT).join('')) !== true,
  };
}

function oneOf(words: readonly string[], says: string): TextDomain {
  return {
    kind: 'text',
    says,
    hint: `write one of ${words.map((word) => `\`${word}\``).join(', ')}`,
    spell: (text) => (words.includes(text) ? text : undefined),
    canBeLike: (pattern) => words.some((word) => matches(word, pattern)),
  };
}

function between(least: number, most: number): NumberDomain {
  return { kind: 'number', least, most };
}

const COUNT = between(0, Number.MAX_SAFE_INTEGER);
const PORT = between(0, MAX_PORT);

const PATH = spelt({
  says: 'a path of the workspace such as `docs/a.md`, or an absolute one, without `.`, `..`, `~` and a final slash',
  hint: 'write it from the workspace, or from `/`',
  spell: spellPath,
  never: /\/\/|\/\.\.?(?:\/|$)|^\.\.?\/|[^/\0].*\/$/s,
});
const FOLDER = spelt({
  says: 'an absolute path, without `.`, `..` and a final slash',
  hint: 'write it from `/`',
  spell: (text) => (text.startsWith('/') ? spellPath(text) : undefined),
  never: /^[^/\0]|\/\/|\/\.\.?(?:\/|$)|[^/\0].*\/$/s,
});
const FILE_NAME = spelt({
  says: 'the last name of a path',
  hint: 'write one name; `all`, `allUnder` and `anyUnder` hold whole paths',
  spell: (text) => (text === '/' ? text : text.split('/').findLast((name) => name !== '')),
});
const PART = spelt({
  says: 'one name of a path, in lower case, nothing invisible, no dots or spaces at its end',
  hint: 'write one name; `anyUnder` and `allUnder` hold whole paths',
  spell: (text) => (text === '' ? text : onlyOne(partsOf(text))),
});
const EXTENSION = spelt({
  says: 'what follows the last dot of a name, in lower case',
  hint: 'write it without a dot, such as `exe`',
  spell: spellExtension,
});
const HOST = spelt({
  says: 'a name in ASCII and lower case, or an address, and nothing around it',
  hint: 'write it as `example.com`; `anyUnder` and `allUnder` hold every domain that a host is in',
  spell: (text) => spellHost(text) ?? spellHost(text.replace(AROUND_HOST, '$1')),
  never: /[^\d.:_a-z\0-]|^\.|\.\.|\.$/,
});
/** What people write around a host: a scheme, a wildcard or a dot before it, brackets, a port or a path after it. */
const AROUND_HOST = /^(?:[a-z]+:\/\/)?(?:\*?\.)?\[?([^/[\]]*?)\]?(?::\d+)?(?:\/.*)?$/i;

const EXECUTABLE = spelt({
  says: 'a name such as `git`, an absolute path, or `./…` for a program of the workspace',
  hint: 'write it as it is called, such as `git` or `./scripts/build`',
  spell: spellExecutable,
  never: /^(?:[^/.\0]|\.[^/\0]).*\/|\/\/|\/\.\.?(?:\/|$)|\/$/s,
});
const PROGRAM = spelt({
  says: 'the last part of the path of a program',
  hint: 'write the name alone, such as `git`',
  spell: (text) => nameOf(text),
  never: /\//,
});
const STARTED = spelt({
  says: 'one name in lower case, without the ending of a program',
  hint: 'write one name, such as `git`',
  spell: (text) => onlyOne(programNames([text])),
});
const COMMAND_LINE = spelt({
  says: 'the program and its arguments with one space between, odd ones in double quotes',
  hint: 'write it as `git status`',
  spell: (text) => commandLine(wordsOf(text)),
});
const METHOD = spelt({
  says: 'in upper case',
  hint: 'write it as `POST`',
  spell: spellMethod,
  never: /[^A-Z\0]/,
});
const URL_PATH = spelt({
  says: 'the path of an address as it is sent, escapes and all, from its first `/`, without query and fragment',
  hint: 'write it as `/v1/prices`, and what has to be escaped as `/b%C3%BCcher`',
  spell: spellUrlPath,
  never: /^[^/\0]|[?#\s"<>\\`{}]|[^\0-\x7f]|\/\.\.?(?:\/|$)/,
});
const SHA256 = spelt({
  says: '64 digits in hex, in lower case',
  hint: 'take it from `palyra policy explain --json`',
  spell: (text) => (/^(?:[\da-f]{64})?$/i.test(text) ? text.toLowerCase() : undefined),
  never: /[^\da-f\0]/,
});
const DATE = spelt({
  says: 'a day as `2026-11-17`',
  hint: 'write it as `2026-11-17`',
  spell: (text) => {
    const day = new Date(/^\d{4}-\d\d-\d\d$/.test(text) ? text : Number.NaN);
    return Number.isNaN(day.getTime()) || timeFacts(day).date !== text ? undefined : text;
  },
  never: /[^\d\0-]/,
});
const PERMISSION = spelt({
  says: 'a permission',
  hint: 'write one that exists, such as `sessions.use`',
  spell: (text) =>
    text === 'status.read' || parsePermission(text) !== undefined ? text : undefined,
});
const PERSON = spelt({
  says: '`user:` and the id of a person',
  hint: 'write it as `user:01J…`',
  spell: (text) => (/^user:./u.test(text) ? text : undefined),
});
const WORK_OWNER = spelt({
  says: '`user:` or `token:` and an id, or `everybody`',
  hint: 'write it as `user:01J…`',
  spell: (text) => (/^(?:user:.|token:.|everybody$)/u.test(text) ? text : undefined),
});

function onlyOne(texts: readonly string[]): string | undefined {
  return texts.length === 1 ? texts[0] : undefined;
}

const PATHS = {
  all: PATH,
  allUnder: PATH,
  anyUnder: PATH,
  names: FILE_NAME,
  parts: PART,
  extensions: EXTENSION,
} as const;

/** Every text and number of the schema, by the way that a rule reads it. */
export const FACTS: ReadonlyMap<string, FactDomain> = new Map<string, FactDomain>([
  ...Object.entries(PATHS).flatMap(([name, domain]) => [
    [`context.reads.${name}`, domain] as const,
    [`context.writes.${name}`, domain] as const,
  ]),
  ['context.hosts.all', HOST],
  ['context.hosts.allUnder', HOST],
  ['context.hosts.anyUnder', HOST],
  ['context.hosts.ports', PORT],
  ['context.process.executable', EXECUTABLE],
  ['context.process.name', PROGRAM],
  ['context.process.first', ANYTHING],
  ['context.process.arguments', ANYTHING],
  ['context.process.names', STARTED],
  ['context.process.count', between(0, MAX_ARGUMENTS)],
  ['context.process.commandLine', COMMAND_LINE],
  ['context.process.directory', PATH],
  ['context.process.environment', ANYTHING],
  ['context.http.method', METHOD],
  ['context.http.scheme', oneOf(SCHEMES, 'in lower case')],
  ['context.http.host', HOST],
  ['context.http.port', PORT],
  ['context.http.path', URL_PATH],
  ['context.time.date', DATE],
  ['context.time.weekday', between(1, 7)],
  ['context.time.hour', between(0, 23)],
  ['context.time.minute', between(0, 59)],
  ['context.approval.approvers', PERSON],
  ['context.approval.count', COUNT],
  ['context.approval.admins', COUNT],
  ['context.approval.owners', COUNT],
  ['context.permission', PERMISSION],
  ['context.device', ANYTHING],
  ['context.agent', ANYTHING],
  ['context.session', ANYTHING],
  ['context.run', ANYTHING],
  ['context.skill', ANYTHING],
  ['context.workspace', FOLDER],
  ['context.secrets', ANYTHING],
  ['context.argumentBytes', COUNT],
  ['context.bodyBytes', COUNT],
  ['context.argumentsSha256', SHA256],
  ['principal.name', ANYTHING],
  ['principal.scopes', PERMISSION],
  ['principal.kind', oneOf(['unknown'], 'nothing that anybody can prove')],
  ['principal.actsFor', ANYTHING],
  ['resource.source', oneOf(TOOL_SOURCES, 'where a tool comes from')],
  ['resource.publisher', ANYTHING],
  ['resource.name', HOST],
  ['resource.under', HOST],
  ['resource.port', PORT],
  ['resource.path', FOLDER],
]);

/** Of entities that a rule names, by their type; those of other types may have any id. */
export const IDS: ReadonlyMap<string, TextDomain> = new Map([
  ['Gateway', oneOf(['gateway'], 'the one that there is')],
  ['Host', HOST],
  ['Workspace', FOLDER],
  ['Work', WORK_OWNER],
]);
