import { type Dir, type Dirent, opendirSync } from 'node:fs';
import { PalyraError } from '@palyra/kernel';
import type { ToolHands } from '../hands.ts';
import { IgnoreRules } from './ignore-rules.ts';
import { isMountPointAt } from './mount-points.ts';
import { isSkipped } from './names.ts';
import { type OpenWorkspace, below, identityOf } from './open-workspace.ts';
import { ENTRY_COST, type Pace } from './pace.ts';
import { type OpenedFolder, glanceAt, openFolder, pathIn } from './place.ts';
import { explain } from './refusals.ts';
import { READ, ownerMay } from './rights.ts';
import { secondNameOf } from './secret-links.ts';

export interface Entry {
  /** Open while the entry is looked at, not longer. */
  readonly folder: OpenedFolder;
  readonly name: string;
  /** From the workspace. */
  readonly path: string;
  readonly kind: 'file' | 'folder' | 'link' | 'other';
}

/** What a walk did not show, for an honest answer. */
export interface LeftOut {
  /** By ignore files. */
  ignored: number;
  /** Secrets, also under a second name, files of the gateway, repositories of git. */
  withheld: number;
  /** Without the right to read, gone meanwhile, or on another file system. */
  unreadable: number;
  /** Not looked at any more, because the call has looked at enough. */
  isCut: boolean;
}

export interface Walk {
  readonly hands: ToolHands;
  readonly pace: Pace;
  readonly depth: number;
  readonly leftOut: LeftOut;
  /** What is looked at for what it is before it is met: at files not where each is opened then. */
  readonly glance: 'all' | 'folders';
}

/** Contract of `entry.folder`: open until it has answered. */
export type Meet = (entry: Entry) => Step | Promise<Step>;
type Step = 'go-on' | 'stop';

export function nothingLeftOut(): LeftOut {
  return { ignored: 0, withheld: 0, unreadable: 0, isCut: false };
}

/** Folders by name, each before what is in it. Contract: what is first is not asked about ignore files. */
export async function walk(walking: Walk, names: readonly string[], meet: Meet): Promise<void> {
  const { workspace, limits } = walking.hands;
  const here = { ...walking, budget: { entries: limits.entries } };
  // A list of open folders and no recursion: an entry would be handed up through every level.
  const levels: Level[] = [];
  try {
    const folder = openFolder(workspace, names);
    levels.push(await levelOf({ ...here, folder }, rulesAbove(workspace, names)));
    for (let level = levels.at(-1); level !== undefined; level = levels.at(-1)) {
      const entry = await nextOf(level);
      if (entry === undefined) {
        levels.pop()?.here.folder[Symbol.dispose]();
        continue;
      }
      if ((await meet(entry)) === 'stop') return;
      if (entry.kind !== 'folder' || levels.length >= walking.depth) continue;
      const inside = enter(level.here, entry.name);
      if (inside !== undefined)
        levels.push(await levelOf({ ...here, folder: inside }, level.rules));
    }
  } finally {
    for (const { here: left } of levels) left.folder[Symbol.dispose]();
  }
}

/** Of one folder; more are not sorted in one go. */
const MAX_FOLDER_ENTRIES = 20_000;
/** Entries that the system is asked for in one go. */
const READ_AT_ONCE = 256;

interface Here extends Walk {
  readonly folder: OpenedFolder;
  readonly budget: { entries: number };
}

/** A folder on the way, and how far it was gone through. */
interface Level {
  readonly here: Here;
  readonly rules: IgnoreRules;
  readonly entries: Iterator<Pick<Entry, 'name' | 'kind'>>;
}

/** Contract: the folder is the level's from now on, and closed when there is none. */
async function levelOf(here: Here, above: IgnoreRules): Promise<Level> {
  try {
    const rules = IgnoreRules.of(here.hands.workspace, here.folder, above);
    return { here, rules, entries: (await entriesOf(here)).values() };
  } catch (error) {
    here.folder[Symbol.dispose]();
    throw error;
  }
}

/** The next that may be shown; `undefined` after the last. */
async function nextOf({ here, rules, entries }: Level): Promise<Entry | undefined> {
  const { folder, leftOut, pace, hands } = here;
  for (let next = entries.next(); next.done !== true; next = entries.next()) {
    const { name, kind } = next.value;
    if (isMountPointAt(hands.workspace, folder, name)) continue;
    const path = pathIn(folder, name);
    const rest = pace.spend(ENTRY_COST + rules.cost);
    if (rest !== undefined) await rest;
    const entry = { folder, name, path, kind };
    if (isSkipped(name) || (isGlancedAt(here, kind) && isWithheld(hands.workspace, entry))) {
      leftOut.withheld += 1;
    } else if (rules.hides(path, kind)) leftOut.ignored += 1;
    else return entry;
  }
  return undefined;
}

function isGlancedAt({ glance }: Here, kind: Entry['kind']): boolean {
  return glance === 'all' || kind !== 'file';
}

/** By what it is, whatever it is called. */
export function isWithheld(workspace: OpenWorkspace, { folder, name, path }: Entry): boolean {
  const stats = glanceAt(folder, name);
  if (stats === undefined) return false;
  const secondName = secondNameOf(workspace, stats, path);
  return workspace.closed.has(identityOf(stats)) || secondName !== 'innocent';
}

/** Contract: `undefined` for a folder that cannot be entered; it is counted. */
function enter({ hands, leftOut, folder }: Here, name: string): OpenedFolder | undefined {
  try {
    return openFolder(hands.workspace, [name], folder);
  } catch (error) {
    if (!(error instanceof PalyraError)) throw error;
    leftOut.unreadable += 1;
    return undefined;
  }
}

async function entriesOf(here: Here): Promise<readonly Pick<Entry, 'name' | 'kind'>[]> {
  const { folder, budget, leftOut, hands } = here;
  const entries: Pick<Entry, 'name' | 'kind'>[] = [];
  if (!ownerMay(hands.workspace.owner, folder.stats, READ)) {
    leftOut.unreadable += 1;
    return entries;
  }
  const listing = openListing(folder);
  if (listing === undefined) {
    leftOut.unreadable += 1;
    return entries;
  }
  try {
    for (;;) {
      const entry = listing.readSync();
      if (entry === null) break;
      if (budget.entries === 0 || entries.length === MAX_FOLDER_ENTRIES) {
        leftOut.isCut = true;
        break;
      }
      budget.entries -= 1;
      entries.push({ name: entry.name, kind: kindOf(entry) });
      const rest = here.pace.spend(ENTRY_COST / 4);
      if (rest !== undefined) await rest;
    }
  } finally {
    listing.closeSync();
  }
  return entries.toSorted((one, other) => (one.name < other.name ? -1 : 1));
}

function openListing(folder: OpenedFolder): Dir | undefined {
  try {
    return opendirSync(below(folder.descriptor, '.'), { bufferSize: READ_AT_ONCE });
  } catch (error) {
    if (explain(error, folder.path).code === 'UNEXPECTED') throw error;
    return undefined;
  }
}

function kindOf(entry: Dirent): Entry['kind'] {
  if (entry.isFile()) return 'file';
  if (entry.isDirectory()) return 'folder';
  return entry.isSymbolicLink() ? 'link' : 'other';
}

/** Ignore files of the workspace and of each folder on the way bind what is further down. */
function rulesAbove(workspace: OpenWorkspace, names: readonly string[]): IgnoreRules {
  let rules = IgnoreRules.none;
  for (const [depth] of names.entries()) {
    using folder = openFolder(workspace, names.slice(0, depth));
    rules = IgnoreRules.of(workspace, folder, rules);
  }
  return rules;
}
