import { type JsonObject, fromJsonString, toJson } from '@bufbuild/protobuf';
import { ValueSchema } from '@bufbuild/protobuf/wkt';
import { type Json, quote } from '@palyra/kernel';
import type { Invocation } from './command.ts';
import { UsageError } from './usage-error.ts';

/** `name=value` as often as it stands; a value that is JSON is that, any other is text. */
export function jsonPairs(invocation: Invocation, option: string): JsonObject {
  const texts = Object.entries(textPairs(invocation, option));
  return Object.fromEntries(texts.map(([name, text]) => [name, valueOf(text)]));
}

/** The same before anybody has judged what is text. */
export function textPairs(
  invocation: Invocation,
  option: string,
): Readonly<Record<string, string>> {
  const fields = new Map<string, string>();
  for (const pair of invocation.texts.get(option) ?? []) {
    const place = pair.indexOf('=');
    const name = pair.slice(0, place);
    if (place < 1 || fields.has(name)) {
      throw new UsageError(
        `\`--${option}\` takes name=value, each name once: ${quote(pair)}`,
        `for example \`--${option} command=git\``,
      );
    }
    fields.set(name, pair.slice(place + 1));
  }
  return Object.fromEntries(fields);
}

function valueOf(text: string): Json {
  try {
    return toJson(ValueSchema, fromJsonString(ValueSchema, text));
  } catch {
    return text;
  }
}
