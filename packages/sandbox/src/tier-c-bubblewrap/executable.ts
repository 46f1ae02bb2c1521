import { type Stats, lstatSync, readlinkSync } from 'node:fs';
import { posix } from 'node:path';
import { PalyraError, quote } from '@palyra/kernel';
import { MissingProgram } from '../faults.ts';
import type { SystemRoot } from './plan.ts';
import type { SeenPrograms } from './seen-programs.ts';
import { below } from './workspace.ts';

/** What a command sees, and where that is on the host. */
export interface View {
  readonly roots: readonly SystemRoot[];
  readonly workspaceAt: string;
  readonly workspace: number;
  readonly seen: SeenPrograms;
}

/** Where programs are looked for, inside. */
export const SEARCH_PATH = ['/usr/local/bin', '/usr/bin', '/bin'] as const;

const MAX_LINKS = 40;
const ANY_EXECUTE = 0o111;

/**
 * The path, inside, of what would be run. Contract: throws SANDBOX_SPAWN_FAILED, each reason with its own
 * words. It tells what is so now; the kernel's own answer is final.
 */
export function resolveExecutable(view: View, name: string, directory: string): string {
  const candidates = name.includes('/')
    ? [posix.resolve(view.workspaceAt, directory, name)]
    : SEARCH_PATH.map((folder) => `${folder}/${name}`);
  const program = firstProgram(view, candidates);
  if (program === undefined) throw missing(name, 'is not there');
  if (program.stat.isDirectory()) throw failed(name, 'is a folder');
  if (!program.stat.isFile()) throw failed(name, 'is not a file');
  if (!isProgram(program.stat)) throw failed(name, 'is not executable');
  const interpreter = view.seen.interpreterOf(program.host, program.stat);
  if (interpreter !== undefined && see(view, posix.resolve('/', interpreter)) === undefined) {
    throw missing(name, `asks for the interpreter ${quote(interpreter)}, which is not there`);
  }
  return program.inside;
}

/** Contract: of those that are there, the first that can be run, or else the first. */
function firstProgram(view: View, candidates: readonly string[]) {
  let other: (Seen & { readonly inside: string }) | undefined;
  for (const inside of candidates) {
    const seen = see(view, inside);
    if (seen !== undefined && isProgram(seen.stat)) return { inside, ...seen };
    if (seen !== undefined) other ??= { inside, ...seen };
  }
  return other;
}

function isProgram(stat: Stats): boolean {
  return stat.isFile() && (stat.mode & ANY_EXECUTE) !== 0;
}

/** What the kernel's answer to a start that failed means. */
export function spawnFault(name: string, errno: number): PalyraError {
  switch (errno) {
    case 2:
      return missing(name, 'or the loader that it asks for is not there');
    case 7:
      return new PalyraError('INVALID_INPUT', 'the words of the command are too long');
    case 8:
      return failed(name, 'is not a program of this machine');
    case 13:
      return failed(name, 'is not executable');
    default:
      return failed(name, `cannot be started (error ${errno})`);
  }
}

interface Seen {
  readonly host: string;
  readonly stat: Stats;
}

/** Follows every link as it would be followed inside. Contract: `undefined` for what is not there. */
function see(view: View, path: string): Seen | undefined {
  if (!view.seen.isFolder(posix.dirname(path))) return walkTo(view, path);
  const straight = statAt(view, path);
  return straight?.stat.isSymbolicLink() === true ? walkTo(view, path) : straight;
}

function walkTo(view: View, path: string): Seen | undefined {
  let names = namesOf(path);
  let here = '/';
  for (let links = 0; links <= MAX_LINKS;) {
    const [name, ...rest] = names;
    if (name === undefined) return statAt(view, here);
    const next = posix.join(here, name);
    const seen = statAt(view, next);
    const target = linkAt(view, next, seen);
    if (target !== undefined) {
      links += 1;
      names = [...namesOf(posix.resolve(here, target)), ...rest];
      here = '/';
    } else if (rest.length === 0) {
      return seen;
    } else {
      // On the way to it is no link: what one leads to is walked to from the root.
      if (seen?.stat.isDirectory() === true && seen.host === next) view.seen.addFolder(next);
      here = next;
      names = rest;
    }
  }
  return undefined;
}

function namesOf(path: string): readonly string[] {
  return path.split('/').filter((name) => name !== '' && name !== '.');
}

function linkAt({ roots }: View, inside: string, seen: Seen | undefined): string | undefined {
  const root = roots.find(({ path }) => path === inside);
  if (root?.kind === 'link') return root.target;
  return seen?.stat.isSymbolicLink() === true ? readlinkSync(seen.host) : undefined;
}

function statAt(view: View, inside: string): Seen | undefined {
  const host = hostOf(view, inside);
  if (host === undefined) return undefined;
  try {
    // Most of what is looked for is not there, and no reason to throw.
    const stat = lstatSync(host, { throwIfNoEntry: false });
    return stat && { host, stat };
  } catch {
    // Too long, or below something that is no folder: to a command it is all the same.
    return undefined;
  }
}

function hostOf({ roots, workspaceAt, workspace }: View, inside: string): string | undefined {
  const isIn = (folder: string) => inside === folder || inside.startsWith(`${folder}/`);
  if (isIn(workspaceAt)) return below(workspace, inside.slice(workspaceAt.length + 1) || '.');
  if (isIn('/etc/alternatives')) return inside;
  return roots.some(({ kind, path }) => kind === 'bind' && isIn(path)) ? inside : undefined;
}

function failed(name: string, why: string): PalyraError {
  return new PalyraError('SANDBOX_SPAWN_FAILED', `the program ${quote(name)} ${why}`);
}

function missing(name: string, why: string): PalyraError {
  return new MissingProgram('SANDBOX_SPAWN_FAILED', `the program ${quote(name)} ${why}`);
}
