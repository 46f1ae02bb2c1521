import { Buffer } from 'node:buffer';
import { type JsonObject, PalyraError, canonicalJson, isJsonObject, quote } from '@palyra/kernel';
import * as z from 'zod';
import {
  DEFAULT_PACE_MS,
  SCRIPT_FORMAT,
  SCRIPT_LIMITS,
  type Script,
  type ScriptStep,
} from './script.ts';

/** Contract: throws SCRIPT_INVALID naming the script and the first element that is wrong. */
export function parseScript(text: string, name: string): Script {
  if (Buffer.byteLength(text) > SCRIPT_LIMITS.fileBytes) {
    throw scriptInvalid(name, `is larger than ${SCRIPT_LIMITS.fileBytes} bytes`);
  }
  return checkScript(parseJson(text, name), name);
}

/** Contract: as `parseScript`, for a document that is JSON already. */
export function checkScript(document: unknown, name: string): Script {
  const checked = documentSchema.safeParse(document);
  if (checked.success) return checked.data;
  const issue = checked.error.issues[0];
  const problem = issue?.message ?? 'is not a script';
  throw scriptInvalid(name, `${pathText(issue?.path ?? [])}${problem}`);
}

export function scriptInvalid(name: string, problem: string, cause?: unknown): PalyraError {
  return new PalyraError('SCRIPT_INVALID', `script ${quote(name)} ${problem}`, { cause });
}

const textSchema = z
  .string('is not text')
  .min(1, 'is empty')
  .refine(isWellFormed, 'holds half a surrogate pair')
  .refine(
    (text) => Buffer.byteLength(text) <= SCRIPT_LIMITS.textBytes,
    `is longer than ${SCRIPT_LIMITS.textBytes} bytes`,
  );

const toolSchema = z
  .string('is not text')
  .min(1, 'is empty')
  .max(SCRIPT_LIMITS.toolNameLength, `is longer than ${SCRIPT_LIMITS.toolNameLength} characters`)
  .refine(isWellFormed, 'holds half a surrogate pair');

/** Kept as it was read: zod's own records leave out keys such as `__proto__`. */
const argumentsSchema = z
  .custom<JsonObject>(isJsonObject, 'is not an object')
  .transform((value, context) => {
    try {
      return canonicalJson(value);
    } catch (error) {
      const problem = error instanceof TypeError ? error.message : 'it cannot be written as json';
      context.addIssue({ code: 'custom', message: `cannot be sent: ${problem}` });
      return z.NEVER;
    }
  });

/** One object instead of a union, so that an error names the field and not only the step. */
const stepSchema = z
  .strictObject(
    {
      text: textSchema.optional(),
      tool: toolSchema.optional(),
      arguments: argumentsSchema.optional(),
    },
    { error: describeObject },
  )
  .transform(({ text, tool, arguments: argumentsJson }, context): ScriptStep => {
    if (text !== undefined && tool === undefined && argumentsJson === undefined) {
      return { kind: 'text', text };
    }
    if (text === undefined && tool !== undefined && argumentsJson !== undefined) {
      return { kind: 'tool-call', tool, argumentsJson };
    }
    context.addIssue({
      code: 'custom',
      message: 'has to hold either `text`, or `tool` and `arguments`',
    });
    return z.NEVER;
  });

const turnSchema = z
  .array(stepSchema, 'is not a list of steps')
  .min(1, 'has no step')
  .max(SCRIPT_LIMITS.stepsPerTurn, `has more than ${SCRIPT_LIMITS.stepsPerTurn} steps`);

const documentSchema = z
  .strictObject(
    {
      format: z.literal(SCRIPT_FORMAT, `is not \`${SCRIPT_FORMAT}\``),
      pace_ms: z
        .int('is not a whole number')
        .min(0, 'is below 0')
        .max(SCRIPT_LIMITS.paceMs, `is above ${SCRIPT_LIMITS.paceMs}`)
        .default(DEFAULT_PACE_MS),
      turns: z
        .array(turnSchema, 'is not a list of turns')
        .min(1, 'has no turn')
        .max(SCRIPT_LIMITS.turns, `has more than ${SCRIPT_LIMITS.turns} turns`),
    },
    { error: describeObject },
  )
  .transform(({ pace_ms: paceMs, turns }): Script => ({ paceMs, turns }));

function describeObject(issue: { readonly code?: string; readonly keys?: unknown }): string {
  if (issue.code !== 'unrecognized_keys') return 'is not an object';
  const keys: readonly unknown[] = Array.isArray(issue.keys) ? issue.keys : [];
  return `has an unknown key ${quote(String(keys[0]))}`;
}

function isWellFormed(text: string): boolean {
  return text.isWellFormed();
}

function parseJson(text: string, name: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw scriptInvalid(name, 'is not json', error);
  }
}

function pathText(path: readonly PropertyKey[]): string {
  const text = path
    .map((part) => (typeof part === 'number' ? `[${part}]` : `.${String(part)}`))
    .join('')
    .replace(/^\./, '');
  return text === '' ? '' : `is wrong at \`${text}\`, which `;
}
