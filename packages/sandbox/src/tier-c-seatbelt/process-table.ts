import { execFile } from 'node:child_process';

export interface Row {
  readonly pid: number;
  readonly parent: number;
  readonly group: number;
  readonly memoryBytes: number;
}

const PS = '/bin/ps';
const WORDS = ['-axo', 'pid=,ppid=,pgid=,rss='];
const MAX_BYTES = 16 * 1024 * 1024;

/** Contract: resolves with nothing where the table cannot be read; then nothing is known. */
export async function readProcesses(): Promise<readonly Row[]> {
  const text = await new Promise<string>((resolve) => {
    execFile(PS, WORDS, { env: {}, maxBuffer: MAX_BYTES }, (error, stdout) =>
      resolve(error === null ? stdout : ''),
    );
  });
  return parseProcesses(text);
}

export function parseProcesses(text: string): readonly Row[] {
  return text.split('\n').flatMap((line) => {
    const [pid, parent, group, kibibytes, ...more] = line.trim().split(/\s+/).map(Number);
    const fields = [pid, parent, group, kibibytes];
    if (more.length > 0 || !fields.every((field) => Number.isSafeInteger(field))) return [];
    return [
      {
        pid: pid ?? 0,
        parent: parent ?? 0,
        group: group ?? 0,
        memoryBytes: (kibibytes ?? 0) * 1024,
      },
    ];
  });
}

/** It, its group, and everything that descends from either, as the table has it. */
export function familyOf(rows: readonly Row[], first: number): readonly Row[] {
  const family = new Set<number>(
    rows.filter(({ pid, group }) => pid === first || group === first).map(({ pid }) => pid),
  );
  for (let size = -1; size !== family.size;) {
    size = family.size;
    for (const { pid, parent } of rows) if (family.has(parent)) family.add(pid);
  }
  return rows.filter(({ pid }) => family.has(pid));
}
