import { readSync } from 'node:fs';
import { PalyraError } from '@palyra/kernel';
import { type Glob, readGlob } from './glob.ts';
import type { OpenWorkspace } from './open-workspace.ts';
import { type OpenedFolder, glanceAt, openFile } from './place.ts';

/** What the ignore files of a folder and of those above it say. The nearest and last word counts. */
export class IgnoreRules {
  readonly #above: IgnoreRules | undefined;
  readonly #rules: readonly Rule[];
  readonly #depth: number;
  readonly #count: number;

  private constructor(above: IgnoreRules | undefined, rules: readonly Rule[], depth: number) {
    this.#above = above;
    this.#rules = rules;
    this.#depth = depth;
    this.#count = rules.length + (above === undefined ? 0 : above.#count);
  }

  static readonly none = new IgnoreRules(undefined, [], 0);

  /** Contract: one that cannot be read or is too large counts as empty: it only ever hides. */
  static of(workspace: OpenWorkspace, folder: OpenedFolder, above: IgnoreRules): IgnoreRules {
    const rules = IGNORE_FILES.filter((name) => glanceAt(folder, name)?.isFile()).flatMap((name) =>
      readRules(textOf(workspace, folder, name)),
    );
    if (rules.length === 0 || rules.length + above.#count > MAX_RULES) return above;
    const depth = folder.path === '' ? 0 : folder.path.split('/').length;
    return new IgnoreRules(above, rules, depth);
  }

  /** Of asking about one entry, as `Pace` counts. */
  get cost(): number {
    return this.#count * RULE_COST;
  }

  /** `path` is from the workspace. */
  hides(path: string, kind: Kind): boolean {
    return this.#count > 0 && this.#hides(path.split('/'), kind);
  }

  #hides(path: readonly string[], kind: Kind): boolean {
    const below = path.slice(this.#depth);
    const rule = this.#rules.findLast(
      ({ glob, foldersOnly }) => (!foldersOnly || kind === 'folder') && glob.matches(below),
    );
    if (rule !== undefined) return rule.hides;
    return this.#above !== undefined && this.#above.#hides(path, kind);
  }
}

type Kind = 'file' | 'folder' | 'link' | 'other';

/** The second has the last word, as it is made for tools like ours. */
const IGNORE_FILES: readonly string[] = ['.gitignore', '.ignore'];
const MAX_IGNORE_BYTES = 65_536;
/** Of all files that bind a folder together; further ones are not read. */
const MAX_RULES = 1024;
const MAX_PATTERN = 160;
/** What one rule weighs beside a byte that is read. */
const RULE_COST = 64;

interface Rule {
  readonly glob: Glob;
  readonly hides: boolean;
  readonly foldersOnly: boolean;
}

function readRules(text: string): Rule[] {
  return text
    .split(/\r?\n/u, MAX_RULES)
    .filter((line) => line.length <= MAX_PATTERN)
    .flatMap(readRule);
}

function readRule(line: string): Rule[] {
  const trimmed = line.replace(/(?<!\\) +$/u, '');
  if (trimmed === '' || trimmed.startsWith('#')) return [];
  const hides = !trimmed.startsWith('!');
  const written = hides ? trimmed : trimmed.slice(1);
  const foldersOnly = written.endsWith('/');
  const pattern = foldersOnly ? written.slice(0, -1) : written;
  if (pattern === '' || pattern === '/') return [];
  const isAnchored = pattern.includes('/') ? 'anchored' : 'anywhere';
  return [{ glob: readGlob(pattern.replace(/^\//u, ''), isAnchored), hides, foldersOnly }];
}

function textOf(workspace: OpenWorkspace, folder: OpenedFolder, name: string): string {
  try {
    using file = openFile(workspace, folder, name);
    if (file.stats.size > MAX_IGNORE_BYTES) return '';
    const bytes = Buffer.alloc(MAX_IGNORE_BYTES);
    return bytes.toString('utf8', 0, readSync(file.descriptor, bytes, 0, bytes.length, 0));
  } catch (error) {
    if (error instanceof PalyraError) return '';
    throw error;
  }
}
