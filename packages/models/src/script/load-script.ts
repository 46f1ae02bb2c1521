import { constants } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { quote } from '@palyra/kernel';
import { parseScript, scriptInvalid } from './parse-script.ts';
import { SCRIPT_LIMITS, type Script } from './script.ts';

/** Contract: throws SCRIPT_INVALID when the file cannot be read or is not a script. */
export async function loadScript(path: string): Promise<Script> {
  await using file = await openFile(path);
  const stat = await file.stat();
  if (!stat.isFile()) throw scriptInvalid(path, 'is not a regular file');
  return parseScript(decode(await readBounded(file, path), path), path);
}

async function openFile(path: string): Promise<FileHandle> {
  try {
    // Without O_NONBLOCK a named pipe would hold the start for ever before it can be refused.
    return await open(path, constants.O_RDONLY | constants.O_NONBLOCK);
  } catch (error) {
    throw scriptInvalid(path, `cannot be opened (${quote(systemCode(error))})`, error);
  }
}

/** Reads one byte more than is allowed, because the size may have changed since anybody looked. */
async function readBounded(file: FileHandle, path: string): Promise<Uint8Array> {
  const bytes = new Uint8Array(SCRIPT_LIMITS.fileBytes + 1);
  let length = 0;
  while (length < bytes.length) {
    const { bytesRead } = await file.read(bytes, length, bytes.length - length, length);
    if (bytesRead === 0) return bytes.subarray(0, length);
    length += bytesRead;
  }
  throw scriptInvalid(path, `is larger than ${SCRIPT_LIMITS.fileBytes} bytes`);
}

function decode(bytes: Uint8Array, path: string): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch (error) {
    throw scriptInvalid(path, 'is not utf-8 text', error);
  }
}

function systemCode(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : 'unknown';
}
