import { quote } from '@palyra/kernel';
import * as z from 'zod';
import { readCommand } from './canonical/command.ts';
import { MAX_VARIABLES, readEnvironment } from './canonical/environment.ts';
import { MAX_HEADERS, readHeaders } from './canonical/headers.ts';
import { MAX_HOST_PORT, readHostPort } from './canonical/host-port.ts';
import { readMethod } from './canonical/method.ts';
import { MAX_PATH_BYTES, readFilePath, readPath } from './canonical/path.ts';
import { type Reading, read, unreadable } from './canonical/reading.ts';
import { MAX_URL_LENGTH, readUrl } from './canonical/url.ts';

/** Of one text that is written, sent or fed to a process. */
export const MAX_TEXT = 262_144;
/** Of an argument of a process; Linux takes 131,071 bytes in one. */
export const MAX_PROCESS_ARGUMENT = 32_768;

/** The arguments that tools share. What comes out of them is in its one spelling. */

export const path = () => canonical(z.string().max(MAX_PATH_BYTES), readPath);

export const filePath = () => canonical(z.string().max(MAX_PATH_BYTES), readFilePath);

export const url = () =>
  canonical(z.string().max(MAX_URL_LENGTH), (address) => {
    const reading = readUrl(address);
    return reading.kind === 'read' ? read(reading.value.url) : reading;
  });

/** `HOST:PORT`. */
export const hostPort = () =>
  canonical(z.string().max(MAX_HOST_PORT), (place) => {
    const reading = readHostPort(place);
    return reading.kind === 'read' ? read(reading.value.text) : reading;
  });

export const method = () => canonical(z.string().max(16), readMethod);

export const headers = () => {
  const header = z.strictObject({ name: z.string().max(128), value: z.string().max(8192) });
  return canonical(z.array(header).max(MAX_HEADERS), readHeaders);
};

export const environment = () => {
  const variable = z.strictObject({
    name: z.string().max(128),
    value: z.string().max(MAX_PROCESS_ARGUMENT),
  });
  return canonical(z.array(variable).max(MAX_VARIABLES), readEnvironment);
};

export const command = () => canonical(z.string().min(1).max(MAX_PATH_BYTES), readCommand);

/** Anything a person could write; only what cannot be stored as UTF-8 is refused. */
export const text = ({ least = 0, most = MAX_TEXT }: { least?: number; most?: number } = {}) =>
  canonical(z.string().min(least).max(most), readText);

export const processArgument = () =>
  canonical(z.string().max(MAX_PROCESS_ARGUMENT), (argument) => {
    if (!argument.includes('\0')) return readText(argument);
    return unreadable('holds a NUL character', 'no process can be given one; leave it out');
  });

/** SHA-256 in hex, with or without `sha256:` before it. */
export const artifactName = () => canonical(z.string().max(71), readArtifactName);

export const element = () =>
  canonical(z.string().max(64), readElement).describe('its name, as `browser.read` gives it');

export function bytesOf(...texts: readonly string[]): number {
  return texts.reduce((bytes, each) => bytes + Buffer.byteLength(each), 0);
}

function readText(value: string): Reading<string> {
  if (value.isWellFormed()) return read(value);
  return unreadable('holds half a surrogate pair', 'write the whole character');
}

function readArtifactName(value: string): Reading<string> {
  const [, hex] = /^(?:sha256:)?([0-9a-f]{64})$/.exec(value) ?? [];
  if (hex !== undefined) return read(hex);
  return unreadable(
    `is no name of an artifact: ${quote(value)}`,
    'the result that was too large names it: `sha256:` and 64 digits',
  );
}

function readElement(value: string): Reading<string> {
  if (/^[a-z0-9]+(?:-[a-z0-9]+)*$/.test(value)) return read(value);
  return unreadable(
    `is no name of an element: ${quote(value)}`,
    'call `browser.read`, which names each element of the page',
  );
}

function canonical<Input, Value>(
  schema: z.ZodType<Input, Input>,
  reader: (input: Input) => Reading<Value>,
) {
  return schema.transform((input, context): Value => {
    const reading = reader(input);
    if (reading.kind === 'read') return reading.value;
    const { reason, help } = reading;
    context.issues.push({ code: 'custom', message: reason, input, params: { help } });
    return z.NEVER;
  });
}
