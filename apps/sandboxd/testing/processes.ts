import { readFileSync, readdirSync } from 'node:fs';

export interface ProcessFacts {
  readonly pid: number;
  readonly parent: number;
  readonly name: string;
  /** A letter, as the kernel has it; `Z` and `X` are dead. */
  readonly state: string;
}

const PR_SET_CHILD_SUBREAPER = 36n;
const WNOHANG = 1n;
const [PRCTL, WAIT4] = process.arch === 'arm64' ? [167n, 260n] : [157n, 61n];

/**
 * From now on whoever loses their parent below us is our child: nobody can hide by being left behind.
 * Contract: gives what ends it.
 */
export function adoptOrphans(): () => void {
  adopt(1n);
  return () => adopt(0n);
}

function adopt(isOn: 0n | 1n): void {
  if (systemCalls()(PRCTL, PR_SET_CHILD_SUBREAPER, isOn, 0n, 0n) !== 0n) throw new Error('prctl');
}

/** Those that were adopted, and that nobody else waits for: a look at everybody would take ever longer. */
export function buryOrphans(own: number): void {
  const call = systemCalls();
  const dead = everybody().filter(({ parent, state }) => parent === process.pid && state === 'Z');
  for (const { pid } of dead) if (pid !== own) call(WAIT4, BigInt(pid), 0n, WNOHANG, 0n);
}

function systemCalls() {
  const ffi = process.getBuiltinModule('node:ffi');
  if (ffi === undefined) throw new Error('this Node cannot call the C library');
  const library = new ffi.DynamicLibrary('libc.so.6');
  return library.getFunction('syscall', {
    arguments: ['i64', 'i64', 'i64', 'i64', 'i64'],
    return: 'i64',
  });
}

/** Everybody, the dead included: they keep their children for a while. */
export function everybody(): readonly ProcessFacts[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => factsOf(Number(name)));
}

/** Everybody alive below a process, itself not counted. */
export function below(pid: number, all = everybody()): readonly ProcessFacts[] {
  return descendants(pid, all).filter(({ state }) => state !== 'Z' && state !== 'X');
}

function descendants(pid: number, all: readonly ProcessFacts[]): readonly ProcessFacts[] {
  const children = all.filter(({ parent }) => parent === pid);
  return children.flatMap((child) => [child, ...descendants(child.pid, all)]);
}

function factsOf(pid: number): ProcessFacts[] {
  const text = readIfThere(`/proc/${pid}/stat`);
  const [, name = '', state = '', parent = ''] =
    /^\d+ \((.*)\) (\S) (\d+) /s.exec(text ?? '') ?? [];
  return text === undefined ? [] : [{ pid, parent: Number(parent), name, state }];
}

export function readIfThere(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    // It ended while we were looking.
    return undefined;
  }
}
