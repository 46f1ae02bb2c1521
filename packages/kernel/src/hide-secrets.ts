import { type Json, type JsonObject, isJsonObject } from './canonical-json.ts';
import { REDACTED } from './redaction.ts';
import { isSecretName } from './secret-shapes.ts';
import { hideSecretWords, hideSecretsIn, secretsAmong, secretsIn } from './secret-words.ts';

/** Whatever is deeper is not shown. */
const MAX_DEPTH = 32;
/** Shorter words may stand in a text by chance. */
const MIN_FOUND_LENGTH = 6;

/**
 * What was recorded, for people to read: secrets are gone by name, by shape, and where a command takes
 * one, wherever else the same word stands then. What has to be exact is for programs and is not made
 * from this. Contract: nothing else is changed, but for text that is cut because it is too long to search.
 */
export function hideSecrets(value: Json): Json {
  return new Hiding(value).shown(value, { name: '', depth: 0 });
}

interface Place {
  /** Of the field that it is in. */
  readonly name: string;
  readonly depth: number;
}

class Hiding {
  /** Words of commands that are secrets for where they stand there. */
  readonly #found = new Set<string>();

  constructor(value: Json) {
    this.#search(value, 0);
  }

  shown(value: Json, { name, depth }: Place): Json {
    if (typeof value === 'string') return this.#shownText(value, { name, depth });
    if (typeof value !== 'object' || value === null) return value;
    if (depth >= MAX_DEPTH) return '[deep]';
    const inside = { name, depth: depth + 1 };
    if (isJsonObject(value)) return this.#shownFields(value, inside);
    if (!value.every((item) => typeof item === 'string') || isSecretName(name)) {
      return value.map((item) => this.shown(item, inside));
    }
    return hideSecretWords(value).map((item) => this.#shownText(item, inside));
  }

  #shownFields(fields: JsonObject, { depth }: Place): Json {
    const command = commandIn(fields);
    const shown = Object.entries(fields).map(([name, field]) => {
      const words = command?.name === name ? hideSecretWords(command.words).slice(1) : field;
      return [hideSecretsIn(name), this.shown(words, { name, depth })] as const;
    });
    return Object.fromEntries(shown);
  }

  #shownText(text: string, { name, depth }: Place): string {
    if (text !== '' && isSecretName(name) && !isCount(name, text)) return REDACTED;
    const inside = parsedJson(text);
    if (inside !== undefined) return JSON.stringify(this.shown(inside, { name, depth: depth + 1 }));
    if (this.#found.has(text)) return REDACTED;
    const clean = hideSecretsIn(text);
    return [...this.#found]
      .filter((word) => word.length >= MIN_FOUND_LENGTH)
      .reduce((left, word) => left.replaceAll(word, REDACTED), clean);
  }

  #search(value: Json, depth: number): void {
    if (depth >= MAX_DEPTH || value === null) return;
    if (typeof value === 'string') return this.#searchText(value, depth);
    if (typeof value !== 'object') return;
    const words = isJsonObject(value) ? commandIn(value)?.words : undefined;
    this.#keep(secretsAmong(words ?? []));
    for (const item of Object.values(value)) this.#search(item, depth + 1);
  }

  #searchText(text: string, depth: number): void {
    const inside = parsedJson(text);
    if (inside !== undefined) return this.#search(inside, depth + 1);
    this.#keep(secretsIn(text));
  }

  /** Sets of names hold it in lower case. */
  #keep(secrets: readonly string[]): void {
    for (const word of secrets.filter(({ length }) => length > 0)) {
      this.#found.add(word).add(word.toLowerCase());
    }
  }
}

/** A program and its arguments in their order, as tools take them and as they are recorded. */
function commandIn(fields: JsonObject) {
  const { executable, command = executable } = fields;
  const name = ['args', 'arguments'].find((each) => Array.isArray(fields[each]));
  const list = name === undefined ? undefined : fields[name];
  if (typeof command !== 'string' || !Array.isArray(list)) return undefined;
  const words = list.filter((word) => typeof word === 'string');
  return words.length === list.length ? { name, words: [command, ...words] } : undefined;
}

/** As the wire writes large numbers: how many tokens a model took. */
function isCount(name: string, text: string): boolean {
  return /tokens$/i.test(name) && /^\d+$/.test(text);
}

/** What a model wrote as the arguments of a call is JSON in a text. */
function parsedJson(text: string): JsonObject | undefined {
  if (!/^\s*\{/.test(text)) return undefined;
  try {
    const value: unknown = JSON.parse(text);
    return isJsonObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
