import type { JsonObject } from '@bufbuild/protobuf';
import { PalyraError, isJsonObject } from '@palyra/kernel';

/** Contract: throws INVALID_INPUT for what is no JSON object. */
export function readArguments(text: string): JsonObject {
  const value = parse(text.trim() === '' ? '{}' : text);
  if (isJsonObject(value)) return value;
  throw new PalyraError('INVALID_INPUT', 'the arguments are no JSON object', {
    help: 'write them as `{ "name": value }`',
  });
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (reason) {
    throw new PalyraError('INVALID_INPUT', 'the arguments are no JSON', { cause: reason });
  }
}
