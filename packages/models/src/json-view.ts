import { type Json, type JsonObject, isJsonObject } from '@palyra/kernel';

/**
 * Looking into JSON that a provider has sent. Whatever is missing or of another type is absent:
 * servers that speak these formats leave things out and add others.
 */

export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

export function objectAt(value: unknown, key: string): JsonObject | undefined {
  const found = valueAt(value, key);
  return isJsonObject(found) ? found : undefined;
}

export function listAt(value: unknown, key: string): readonly Json[] {
  const found = valueAt(value, key);
  return Array.isArray(found) ? found : [];
}

export function textAt(value: unknown, key: string): string | undefined {
  const found = valueAt(value, key);
  return typeof found === 'string' ? found : undefined;
}

/** A count: whole and not negative. */
export function countAt(value: unknown, key: string): number | undefined {
  const found = valueAt(value, key);
  return typeof found === 'number' && Number.isSafeInteger(found) && found >= 0 ? found : undefined;
}

export function valueAt(value: unknown, key: string): Json | undefined {
  return isJsonObject(value) && Object.hasOwn(value, key) ? value[key] : undefined;
}
