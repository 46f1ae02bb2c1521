import {
  type Json,
  type JsonObject,
  REDACTED,
  hideSecretWords,
  isJsonObject,
  redact,
  redactText,
} from '@palyra/kernel';
import type { EntityRef, PolicyContext, PolicyEntity, PolicyRequest } from '../model.ts';
import { commandLine, wordsOf } from '../request/process.ts';
import { programNames } from '../request/program-names.ts';
import { fieldAt, fieldOf } from './facts.ts';

/** Longer text is cut: an explanation names a value, it does not repeat it. */
export const MAX_SHOWN_TEXT = 500;
/** Of a set that long, the rest is left out. */
export const MAX_SHOWN_ITEMS = 64;

/** The request as a person may see it. Contract: for reading only; it may decide otherwise. */
export function shownRequest(request: PolicyRequest): PolicyRequest {
  return {
    principal: shownRef(request.principal),
    action: short(request.action),
    resource: shownRef(request.resource),
    context: shownContext(request.context),
    entities: request.entities.slice(0, MAX_SHOWN_ITEMS).map(shownEntity),
  };
}

function shownEntity({ uid, attrs, parents }: PolicyEntity): PolicyEntity {
  return {
    uid: shownRef(uid),
    attrs: shownRecord(attrs),
    parents: parents.slice(0, MAX_SHOWN_ITEMS).map(shownRef),
  };
}

function shownRef({ type, id }: EntityRef): EntityRef {
  return { type: short(type), id: short(id) };
}

function shownContext(context: PolicyContext): JsonObject {
  const { secrets, ...others } = context;
  const shown = shownRecord(withoutSecretArguments(others));
  // By its name this field would vanish; yet it holds names of secrets, which rules speak of.
  return secrets === undefined ? shown : { ...shown, secrets: cut(redact(secrets)) };
}

/**
 * A secret is known by the words around it only as long as they stand in their order: what the command
 * line does not show, the sets of its arguments and of the names in them must not show either.
 */
function withoutSecretArguments(context: JsonObject): JsonObject {
  const { process } = context;
  const line = fieldAt(context, ['process', 'commandLine']);
  if (!isJsonObject(process) || typeof line !== 'string') return context;
  const words = hideSecretWords(wordsOf(line));
  const shown = redactText(commandLine(words));
  if (shown === line) return context;
  const isShown = new Set(words.filter((word) => shown.includes(word)));
  const only = (value: Json | undefined): Json =>
    typeof value === 'string' && isShown.has(value) ? value : REDACTED;
  const names = new Set<Json>(programNames([...isShown]));
  const set = (name: string, each: (value: Json) => Json): Json => {
    const values = fieldOf(process, name);
    return Array.isArray(values) ? values.map(each) : REDACTED;
  };
  return {
    ...context,
    process: {
      ...process,
      commandLine: shown,
      executable: only(fieldOf(process, 'executable')),
      name: words[0] === wordsOf(line)[0] ? (fieldOf(process, 'name') ?? '') : REDACTED,
      first: only(fieldOf(process, 'first')),
      arguments: set('arguments', only),
      names: set('names', (name) => (names.has(name) ? name : REDACTED)),
    },
  };
}

/** Whether a text, or a command line in it, holds what is not shown. */
export function holdsSecret(text: string): boolean {
  if (redactText(text) !== text) return true;
  const words = wordsOf(text);
  return hideSecretWords(words).some((word, at) => word !== words[at]);
}

function shownRecord(record: JsonObject): JsonObject {
  const shown = cut(redact(record));
  return isJsonObject(shown) ? shown : {};
}

function cut(value: Json): Json {
  if (typeof value === 'string') return short(value);
  if (Array.isArray(value)) return cutList(value);
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, field]) => [name, cut(field)]));
}

function cutList(values: readonly Json[]): Json {
  const shown = values.slice(0, MAX_SHOWN_ITEMS).map(cut);
  return values.length > MAX_SHOWN_ITEMS
    ? [...shown, `… (${values.length - MAX_SHOWN_ITEMS} more)`]
    : shown;
}

/** Secrets go first: half a secret has no look to know it by. */
function short(text: string): string {
  const clean = redactText(text);
  return clean.length > MAX_SHOWN_TEXT ? `${clean.slice(0, MAX_SHOWN_TEXT)}… (cut)` : clean;
}
