import { closeSync, fsyncSync, openSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { PalyraError } from '@palyra/kernel';
import { lockFile } from './file-lock.ts';
import { malformedFile } from './layers.ts';
import type { FileOrigin } from './origin.ts';
import { ConfigError } from './problem.ts';
import { codeOf, inspectOwnDirectory, readSafeFile } from './safe-file.ts';
import { decodeToml } from './toml-file.ts';

/**
 * Changes the operator's own file, which is made when it is missing; `change` is given its text.
 * Contract: nothing is written when `change` throws; changes at the same time come one after the
 * other, and none of them is lost.
 */
export function changeFile(file: string, change: (text: string) => string): void {
  refuseUnsafeDirectory(file);
  using _lock = lockFile(file);
  writeConfigFile(file, change(readConfigFile(file)));
}

/**
 * Whole or not at all, also when the machine stops in the middle; readable by the owner alone.
 * Contract: throws a ConfigError when the directory is not safe, CONFIG_INVALID when it cannot write.
 */
export function writeConfigFile(file: string, text: string): void {
  refuseUnsafeDirectory(file);
  const draft = `${file}.${process.pid}.new`;
  try {
    // What a stopped process of the same number left behind; nobody else writes in this directory.
    rmSync(draft, { force: true });
    writeDurably(draft, text);
    renameSync(draft, file);
    syncDirectory(dirname(file));
  } catch (error) {
    rmSync(draft, { force: true });
    throw new PalyraError('CONFIG_INVALID', `\`${file}\` cannot be written: ${codeOf(error)}`, {
      cause: error,
      help: 'free disk space or mend the rights of its directory',
    });
  }
}

function refuseUnsafeDirectory(file: string): void {
  const problem = inspectOwnDirectory(dirname(file));
  if (problem !== undefined) throw new ConfigError([problem]);
}

/** Contract: empty for a missing file; throws a ConfigError for one that is not safe or not text. */
function readConfigFile(file: string): string {
  const origin: FileOrigin = { kind: 'user', file };
  const reading = readSafeFile(origin);
  switch (reading.kind) {
    case 'missing':
      return '';
    case 'refused':
      throw new ConfigError([reading.problem]);
    case 'read': {
      const text = decodeToml(reading.bytes);
      if (typeof text === 'string') return text;
      throw new ConfigError([malformedFile({ ...origin, line: text.line }, text.reason)]);
    }
  }
}

function writeDurably(path: string, text: string): void {
  const fd = openSync(path, 'wx', 0o600);
  try {
    writeFileSync(fd, text);
    fsyncSync(fd);
  } finally {
    closeSync(fd);
  }
}

function syncDirectory(path: string): void {
  const fd = openSync(path, 'r');
  try {
    fsyncSync(fd);
  } finally {
    closeSync(fd);
  }
}
