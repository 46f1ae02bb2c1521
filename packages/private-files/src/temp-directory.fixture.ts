import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'vitest';

/** A directory of one test, ours alone, gone afterwards. */
export class TempDirectory implements Disposable {
  readonly path = mkdtempSync(join(tmpdir(), 'palyra-private-'));

  at(name: string): string {
    return join(this.path, name);
  }

  /** A file that only we may use. */
  write(name: string, text: string): string {
    writeFileSync(this.at(name), text, { mode: 0o600 });
    return this.at(name);
  }

  [Symbol.dispose](): void {
    rmSync(this.path, { recursive: true, force: true });
  }
}

export const IS_ROOT = process.getuid?.() === 0;
export const SOMEBODY_ELSE = 65_534;

export function modeOf(path: string): string {
  return (statSync(path).mode & 0o777).toString(8);
}

export function unsafe(message: string): unknown {
  return expect.objectContaining({ code: 'HOME_UNSAFE', message });
}

/** Of the system, as it gave it, and no fault of the catalogue. */
export function system(code: string): unknown {
  return expect.objectContaining({ code, name: 'Error' });
}
