import { isJsonObject } from '@palyra/kernel';
import type { PolicyRequest } from '../model.ts';

/** Of the request's JSON, in UTF-8. */
export const MAX_REQUEST_BYTES = 65_536;
export const MAX_REQUEST_DEPTH = 16;

/**
 * Why Cedar must not see a request; `undefined` when it may. On its way in Cedar's binding rounds
 * integers, mends broken text and leaves out what JSON cannot say, so that rules would be asked
 * about something else than what is done.
 * Contract: never throws, whatever it is given.
 */
export function checkRequest(request: PolicyRequest): string | undefined {
  try {
    const walk = new Walk();
    const problem = walk.problemIn(request, 0) ?? shapeProblem(request);
    return problem ?? (walk.mayBeTooLarge ? sizeProblem(request) : undefined);
  } catch {
    return 'the request cannot be read';
  }
}

/** What the types promise; a request may come from elsewhere. */
function shapeProblem({ principal, action, resource, context, entities }: PolicyRequest) {
  const texts = [principal.type, principal.id, action, resource.type, resource.id];
  const isWhole = texts.every((text) => typeof text === 'string') && isJsonObject(context);
  return isWhole && Array.isArray(entities) ? undefined : 'the request is not whole';
}

function sizeProblem(request: PolicyRequest): string | undefined {
  return Buffer.byteLength(JSON.stringify(request)) > MAX_REQUEST_BYTES ? TOO_LARGE : undefined;
}

const TOO_LARGE = `the request is larger than ${MAX_REQUEST_BYTES} bytes`;

/** One look at every value. Bounded by what was seen, so a value in itself ends it as well. */
class Walk {
  /** INVARIANT: the bytes of the JSON are never fewer than the first and never more than the second. */
  #leastBytes = 0;
  #mostBytes = 0;

  get mayBeTooLarge(): boolean {
    return this.#mostBytes > MAX_REQUEST_BYTES;
  }

  problemIn(value: unknown, depth: number): string | undefined {
    switch (typeof value) {
      case 'string':
        return this.#textProblem(value);
      case 'number':
        if (!Number.isSafeInteger(value)) return 'a number is not an exact integer';
        return this.#count(1, MOST_BYTES_OF_A_NUMBER);
      case 'boolean':
        return this.#count(1, MOST_BYTES_OF_A_NUMBER);
      case 'object':
        return value === null ? 'a value is null' : this.#nestedProblem(value, depth);
      case 'bigint':
      case 'symbol':
      case 'undefined':
      case 'function':
        return `a value is of the type ${typeof value}, which json cannot say`;
    }
  }

  #textProblem(text: string): string | undefined {
    if (!text.isWellFormed()) return 'a text holds half a surrogate pair';
    return this.#count(text.length, text.length * MOST_BYTES_OF_A_CHARACTER + PUNCTUATION);
  }

  #nestedProblem(value: object, depth: number): string | undefined {
    if (depth >= MAX_REQUEST_DEPTH) return `a value is deeper than ${MAX_REQUEST_DEPTH} levels`;
    const problem = this.#count(1, PUNCTUATION);
    if (problem !== undefined) return problem;
    return Array.isArray(value)
      ? this.#itemsProblem(value, depth)
      : this.#fieldsProblem(value, depth);
  }

  #itemsProblem(items: readonly unknown[], depth: number): string | undefined {
    // By place, not by iterating: a hole is an undefined value, and json would make it null.
    for (let place = 0; place < items.length; place += 1) {
      const problem = this.problemIn(items[place], depth + 1);
      if (problem !== undefined) return problem;
    }
    return undefined;
  }

  #fieldsProblem(value: object, depth: number): string | undefined {
    if (!isPlain(value)) return 'a value is not a plain object';
    for (const key of Object.keys(value)) {
      if (key === '__proto__') return 'a key is called `__proto__`';
      const problem = this.#textProblem(key) ?? this.problemIn(value[key], depth + 1);
      if (problem !== undefined) return problem;
    }
    return undefined;
  }

  #count(least: number, most: number): string | undefined {
    this.#leastBytes += least;
    this.#mostBytes += most;
    return this.#leastBytes > MAX_REQUEST_BYTES ? TOO_LARGE : undefined;
  }
}

/** A control character is six: `\u0000`. */
const MOST_BYTES_OF_A_CHARACTER = 6;
/** `-9007199254740991` and a comma. */
const MOST_BYTES_OF_A_NUMBER = 18;
/** Two quotes or brackets, and a comma or colon. */
const PUNCTUATION = 3;

function isPlain(value: object): value is Readonly<Record<string, unknown>> {
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}
