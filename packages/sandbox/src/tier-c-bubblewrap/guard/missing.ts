import { type Stats, accessSync, constants, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { quote } from '@palyra/kernel';
import { below } from '../workspace.ts';
import type { Findings } from './findings.ts';
import { OBEYED, SHELL_FILES, isInstruction } from './rules.ts';
import { linked, notWritable } from './scan-refusals.ts';
import type { ScanOptions } from './scan.ts';
import { type Walk, inside } from './walk.ts';

/** Each is an empty file on the host while a sandbox lives, and a mount in every one. */
const MAX_MASKS_BELOW = 128;
const MAX_TOLD = 3;

interface Names {
  readonly files: readonly string[];
  readonly folders: readonly string[];
}

type Missing = 'missing-file' | 'missing-folder';

/** Names that are not there and must not be made, where people start programs. Elsewhere there is no end to them. */
export class MissingNames {
  readonly #walk: Walk;
  readonly #findings: Findings;
  readonly #options: Pick<ScanOptions, 'rules' | 'ours'>;
  readonly #writable = new Map<string, boolean>();

  constructor(walk: Walk, findings: Findings, options: Pick<ScanOptions, 'rules' | 'ours'>) {
    this.#walk = walk;
    this.#findings = findings;
    this.#options = options;
  }

  /** Contract: after everything that is there was gathered. Throws SANDBOX_SCOPE_DENIED. */
  add(): void {
    const { guarded, projects, weaknesses } = this.#findings;
    this.#guardAll('', OBEYED.project);
    const inHome = (name: string) => this.#look('', name) !== undefined;
    // Shells look for theirs in a home, and this looks like one.
    if (SHELL_FILES.some(inHome)) this.#guardAll('', OBEYED.home);
    this.#guardRepository();
    const before = guarded.size;
    this.#guardOurs();
    const deeper = [...projects.keys()].filter((folder) => folder !== '');
    const left = deeper.toSorted().filter((folder) => {
      const hasRoom = guarded.size - before < MAX_MASKS_BELOW;
      if (hasRoom) this.#guardAll(folder, OBEYED.project);
      return !hasRoom;
    });
    if (left.length > 0) weaknesses.push(unmasked(left));
  }

  /**
   * Also where nobody needs a mask any more, such as `HEAD` beside a repository that came: whoever could remove
   * what others' masks lie on would take these off.
   */
  #guardOurs(): void {
    const { guarded } = this.#findings;
    for (const [path, { kind }] of this.#options.ours) {
      if (guarded.has(path) || this.#isClosedAbove(path)) continue;
      if (this.#walk.look(path) !== undefined) this.#mask(path, `missing-${kind}`);
    }
  }

  /** In what cannot be written, or is not to be seen, nothing can be removed. */
  #isClosedAbove(path: string): boolean {
    const above = dirname(path);
    if (above === '.') return false;
    const how = this.#findings.guarded.get(above);
    return (how !== undefined && how !== 'pinned') || this.#isClosedAbove(above);
  }

  #guardRepository(): void {
    const git = this.#look('', '.git');
    const isReal = git?.isDirectory() === false || this.#look('', '.git/HEAD') !== undefined;
    if (git !== undefined && isReal) return;
    // Without `HEAD` the folder itself cannot be made a repository, whose hooks somebody would run.
    this.#guardAll('', { files: ['HEAD'], folders: ['.git'] });
  }

  #guardAll(folder: string, names: Names): void {
    for (const name of names.files) this.#guardOrMask(folder, name, 'missing-file');
    for (const name of names.folders) this.#guardOrMask(folder, name, 'missing-folder');
  }

  /** A name of several parts is masked at the first that is missing. */
  #guardOrMask(folder: string, wanted: string, missing: Missing): void {
    const { guarded } = this.#findings;
    const names = wanted.split('/');
    for (const [place, name] of names.entries()) {
      const part = names.slice(0, place + 1).join('/');
      const here = inside(folder, part);
      // Write-protected, or even secret under another name.
      if (guarded.has(here)) return;
      if (this.#options.rules.exceptions.includes(name)) return;
      const stat = this.#look(folder, part);
      const isLast = place === names.length - 1;
      // Told of already, if it is one that may be.
      if (stat?.isSymbolicLink() === true && isInstruction(wanted)) return;
      if (stat?.isSymbolicLink() === true) throw linked(here);
      if (stat === undefined) return this.#mask(here, isLast ? missing : 'missing-folder');
      if (isLast) guarded.set(here, 'read-only');
      else if (!stat.isDirectory()) return;
      // Whoever made it, perhaps for a mask, must be able to remove it: nothing of ours is put into it.
      else if (this.#walk.isEmpty(here)) return void guarded.set(here, 'read-only');
    }
  }

  #mask(path: string, how: Missing): void {
    if (this.#canBeMadeIn(dirname(path))) this.#findings.guarded.set(path, how);
  }

  /** Where nobody can make a name, none has to be masked, and none could be. */
  #canBeMadeIn(folder: string): boolean {
    const known = this.#writable.get(folder);
    if (known !== undefined) return known;
    const place = below(this.#walk.root, folder);
    const isWritable = canWrite(place);
    // Its owner can take the write protection off from inside.
    if (!isWritable && isOwn(place)) throw notWritable(folder);
    // A volume or a flag of it may change without a word.
    if (!isWritable) this.#walk.lookElsewhere();
    this.#writable.set(folder, isWritable);
    return isWritable;
  }

  /** Contract: `folder` is a project; of what is not in it nobody has to be asked. */
  #look(folder: string, part: string): Stats | undefined {
    const [first = ''] = part.split('/', 1);
    const path = inside(folder, part);
    const { ours } = this.#options;
    // In what is only there because of us there is nothing either.
    if (ours.has(path) || ours.has(inside(folder, first))) return undefined;
    const isThere = this.#findings.projects.get(folder)?.has(first) === true;
    return isThere ? this.#walk.look(path) : undefined;
  }
}

function unmasked(folders: readonly string[]): string {
  const told = folders.slice(0, MAX_TOLD).map(quote).join(', ');
  const more = folders.length > MAX_TOLD ? ` and ${folders.length - MAX_TOLD} more` : '';
  return `names that other programs obey can be made in ${told}${more}: there are too many repositories to mask what is missing in each`;
}

function canWrite(place: string): boolean {
  try {
    accessSync(place, constants.W_OK);
    return true;
  } catch {
    return false;
  }
}

/** Contract: of a folder that cannot be written. Root is stopped by a volume alone, which nobody inside changes. */
function isOwn(place: string): boolean {
  const user = process.geteuid?.();
  return user !== 0 && statSync(place).uid === user;
}
