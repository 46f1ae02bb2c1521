import { readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import type { MountPoint } from './mount-point.ts';

/** What of ours stands in one workspace, as it is kept for after a sudden end. */
export interface Page {
  readonly workspace: string;
  readonly points: readonly MountPoint[];
}

const PAGE = z.strictObject({
  workspace: z.string(),
  points: z.array(
    z.strictObject({
      path: z.string(),
      kind: z.enum(['file', 'folder']),
      device: z.number(),
      inode: z.number(),
    }),
  ),
});

/** One page for each workspace, by its device and inode. Contract: `folder` exists and is ours alone. */
export class Ledger {
  readonly #folder: string;

  constructor(folder: string) {
    this.#folder = folder;
  }

  write(key: string, page: Page): void {
    writeFileSync(this.#at(key), JSON.stringify(page), { mode: 0o600 });
  }

  erase(key: string): void {
    rmSync(this.#at(key), { force: true });
  }

  /** What an earlier process left. A page that was half written is of no use, and is erased. */
  read(): ReadonlyMap<string, Page> {
    const pages = new Map<string, Page>();
    for (const name of readdirSync(this.#folder)) {
      const key = name.slice(0, -SUFFIX.length);
      const parsed = PAGE.safeParse(jsonOf(readFileSync(join(this.#folder, name), 'utf8')));
      if (parsed.success) pages.set(key, parsed.data);
      else this.erase(key);
    }
    return pages;
  }

  #at(key: string): string {
    return join(this.#folder, `${key}${SUFFIX}`);
  }
}

const SUFFIX = '.json';

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
