import { basename } from 'node:path';
import { PalyraError, quote } from '@palyra/kernel';
import { type Advice, adviceFor } from './advice.ts';
import { type Content, readContent } from './content.ts';
import type { Interpreters } from './interpreters.ts';
import {
  type Executable,
  type FileIdentity,
  isSameFile,
  openExecutable,
} from './open-executable.ts';

/** Which programs may be started where nothing but our checks stands between them and the machine. */
export interface ExecutableRules {
  /** Names, looked up in the system's folders, or absolute paths. What is not listed is refused. */
  readonly allowed: readonly string[];
  /** The same for programs that can run others: to allow one of them is to trust whoever writes its words. */
  readonly trusted: readonly string[];
}

export interface Judgement {
  /** What is known against a program that was allowed all the same. */
  readonly advice: Advice | undefined;
}

export interface JudgeParts {
  readonly rules: ExecutableRules;
  readonly interpreters: Interpreters;
  /** Where bare names are looked for. */
  readonly folders: readonly string[];
}

export interface Judge {
  /** Before anything is looked for: a name alone may say enough. Contract: as `judge`. */
  checkName(name: string): void;
  /** Contract: throws INVALID_INPUT with the reason for everything that is not allowed. */
  judge(executable: Executable): Judgement;
}

/** The kernel's own bound on scripts that are run by scripts. */
const MAX_INTERPRETERS = 4;
const MAX_REMEMBERED = 512;

export function createJudge({ rules, interpreters, folders }: JudgeParts): Judge {
  const remembered = new Map<string, Content>();
  const contentOf = (executable: Executable): Content => {
    const key = JSON.stringify(executable.identity);
    const content = remembered.get(key) ?? readOrRefuse(executable);
    if (remembered.size >= MAX_REMEMBERED) remembered.clear();
    remembered.set(key, content);
    return content;
  };
  const adviceOn = (executable: Executable, left = MAX_INTERPRETERS): Advice | undefined => {
    const content = contentOf(executable);
    const own =
      adviceFor(executable.calledAs) ??
      adviceFor(basename(executable.path)) ??
      (content.multiCall === undefined ? undefined : multiCall(content.multiCall)) ??
      interpreters.recognise(executable);
    switch (content.format.kind) {
      case 'elf':
        return own;
      case 'other':
        throw refused(executable, 'is neither a program of this machine nor a script');
      case 'script': {
        if (left === 0) throw refused(executable, 'is a script of a script of a script');
        using interpreter = interpreterOf(executable, content.format.interpreter);
        // Whatever runs a script is an interpreter, whether we have heard of it or not.
        return own ?? adviceOn(interpreter, left - 1) ?? scriptOf(interpreter);
      }
    }
  };
  return {
    checkName: (name) => {
      const calledAs = basename(name);
      const advice = adviceFor(calledAs);
      const isTrusted = rules.trusted.some((listed) => basename(listed) === calledAs);
      if (advice !== undefined && !isTrusted) throw denied({ calledAs }, advice);
    },
    judge: (executable) => {
      const isTrusted = isListed(rules.trusted, executable, folders);
      const advice = adviceOn(executable);
      if (advice !== undefined && !isTrusted) throw denied(executable, advice);
      if (isTrusted || isListed(rules.allowed, executable, folders)) return { advice };
      throw refused(executable, 'is not on the list of programs that may run in tier B');
    },
  };
}

/** Contract: throws INVALID_INPUT for what changed since it was looked at. */
export function checkUnchanged(seen: FileIdentity, now: FileIdentity, name: string): void {
  const isSame =
    isSameFile(seen, now) && seen.size === now.size && seen.changedMs === now.changedMs;
  if (isSame) return;
  throw new PalyraError('INVALID_INPUT', `the program ${quote(name)} changed while it was checked`);
}

/** By the name it was called with and by the file: one file may be many programs, and one name many files. */
function isListed(
  names: readonly string[],
  executable: Executable,
  folders: readonly string[],
): boolean {
  return names
    .filter((name) => basename(name) === executable.calledAs)
    .flatMap((name) =>
      name.startsWith('/') ? [name] : folders.map((folder) => `${folder}/${name}`),
    )
    .some((path) => isAt(path, executable));
}

function isAt(path: string, executable: Executable): boolean {
  try {
    using listed = openExecutable(path, [path]);
    return isSameFile(listed.identity, executable.identity);
  } catch {
    return false;
  }
}

function readOrRefuse(executable: Executable): Content {
  try {
    return readContent(executable.descriptor);
  } catch (cause) {
    throw refused(executable, 'may not be read, so that nobody can tell what it is', cause);
  }
}

function interpreterOf(executable: Executable, path: string): Executable {
  // The kernel reads it from the folder of the caller, which is the workspace's.
  if (!path.startsWith('/')) throw refused(executable, 'names its interpreter by no full path');
  return openExecutable(path, [path]);
}

function multiCall(name: string): Advice {
  return { kind: 'multi-call', name, how: '' };
}

function scriptOf({ calledAs }: Executable): Advice {
  return { kind: 'interpreter', name: calledAs, how: '' };
}

type Called = Pick<Executable, 'calledAs'>;

const WHAT: Readonly<Record<Advice['kind'], string>> = {
  shell: 'is a shell',
  interpreter: 'is an interpreter, or run by one',
  'multi-call': 'is many programs in one, a shell among them',
  loader: 'loads any other program',
  starter: 'can run other programs',
};

function denied(executable: Called, { kind, name, how }: Advice): PalyraError {
  const detail = how === '' ? name : `${name}: ${how}`;
  return refused(executable, `${WHAT[kind]} (${detail})`);
}

function refused({ calledAs }: Called, why: string, cause?: unknown): PalyraError {
  return new PalyraError('INVALID_INPUT', `the program ${quote(calledAs)} ${why}`, {
    cause,
    help: 'run it in tier C, which needs no list; or list it in `sandbox.programs`',
  });
}
