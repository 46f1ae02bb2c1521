import { type Stats, closeSync, constants, openSync, readSync } from 'node:fs';

const FIRST_LINE = 256;
const MOST_PROGRAMS = 256;

/**
 * What was seen of the system's folders and programs, which hardly ever change. INVARIANT: nothing is allowed by
 * it: it spares looking again at what the kernel looks at anyway when a program is started.
 */
export class SeenPrograms {
  readonly #folders = new Set<string>();
  /** What the first line of a program asks for, by the file as it was then. */
  readonly #interpreters = new Map<string, string | undefined>();

  /** Whether it was a folder, reached through no link. */
  isFolder(inside: string): boolean {
    return this.#folders.has(inside);
  }

  /** Contract: as many as the system has on the way to its programs. */
  addFolder(inside: string): void {
    if (this.#folders.size < MOST_PROGRAMS) this.#folders.add(inside);
  }

  interpreterOf(host: string, stat: Stats): string | undefined {
    const key = [stat.dev, stat.ino, stat.size, stat.ctimeMs].join(' ');
    if (this.#interpreters.has(key)) return this.#interpreters.get(key);
    const interpreter = readInterpreter(host);
    if (this.#interpreters.size >= MOST_PROGRAMS) this.#interpreters.clear();
    this.#interpreters.set(key, interpreter);
    return interpreter;
  }
}

function readInterpreter(host: string): string | undefined {
  const bytes = Buffer.alloc(FIRST_LINE);
  try {
    const flags = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;
    const descriptor = openSync(host, flags);
    try {
      readSync(descriptor, bytes, 0, FIRST_LINE, 0);
    } finally {
      closeSync(descriptor);
    }
  } catch {
    // A program may be executable and still not readable for us.
    return undefined;
  }
  return /^#![ \t]*([^\s\0]+)/.exec(bytes.toString('latin1'))?.[1];
}
