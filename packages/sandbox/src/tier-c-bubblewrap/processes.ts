import { closeSync, readFileSync, readlinkSync } from 'node:fs';
import type { Libc } from '../libc.ts';

/** One process of the machine, as the kernel tells of it. */
export interface ProcessFacts {
  readonly pid: number;
  readonly isDead: boolean;
  readonly isStopped: boolean;
  readonly parent: number;
  readonly cpuMs: number;
  /** Each counts as a process where the kernel counts those of a user. */
  readonly threads: number;
  /** Since boot, in ticks: with the number it names one process for ever. */
  readonly startedAt: string;
}

/** The kernel's unit of time for programs; the same wherever Linux runs today. */
const TICK_MS = 10;

/** Contract: `undefined` when there is no such process any more. */
export function factsOf(pid: number): ProcessFacts | undefined {
  const text = readProc(`${pid}/stat`);
  if (text === undefined) return undefined;
  // The name comes second, in brackets, and may hold anything.
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
  const [state = 'X', parent = '0'] = fields;
  const ticks = fields.slice(11, 15).reduce((sum, field) => sum + Number(field), 0);
  return {
    pid,
    isDead: state === 'Z' || state === 'X',
    isStopped: state === 'T' || state === 't',
    parent: Number(parent),
    cpuMs: ticks * TICK_MS,
    threads: Number(fields[17] ?? 0),
    startedAt: fields[19] ?? '',
  };
}

/** The number of the process that began its session. Contract: `undefined` when there is no such process any more. */
export function sessionOf(pid: number): number | undefined {
  const text = readProc(`${pid}/stat`);
  return text === undefined
    ? undefined
    : Number(text.slice(text.lastIndexOf(')') + 2).split(' ')[3]);
}

const PIDFD_SEND_SIGNAL = 424;
const PIDFD_OPEN = 434;
const SIGKILL = 9;

/** One process, whoever else gets its number later. */
export interface HeldProcess extends Disposable {
  /** Contract: does nothing when it has ended. */
  kill(): void;
}

/** Contract: `undefined` when that process is no more. */
export function holdProcess(
  libc: Libc,
  { pid, startedAt }: Pick<ProcessFacts, 'pid' | 'startedAt'>,
): HeldProcess | undefined {
  const descriptor = libc.syscall(PIDFD_OPEN, [pid, 0]);
  if (descriptor < 0) return undefined;
  if (factsOf(pid)?.startedAt !== startedAt) {
    closeSync(descriptor);
    return undefined;
  }
  return {
    kill: () => void libc.syscall(PIDFD_SEND_SIGNAL, [descriptor, SIGKILL, 0, 0]),
    [Symbol.dispose]: () => closeSync(descriptor),
  };
}

/** Contract: meets that process or none, never another that has its number now. */
export function killExactly(libc: Libc, facts: ProcessFacts): void {
  using held = holdProcess(libc, facts);
  held?.kill();
}

export function childrenOf(pid: number): readonly number[] {
  return (readProc(`${pid}/task/${pid}/children`) ?? '').split(' ').filter(Boolean).map(Number);
}

/** It and everything below it. Contract: as many as there are at the moment, at most `most`. */
export function treeOf(pid: number, most: number): readonly number[] {
  const found = [pid];
  for (let place = 0; place < found.length && found.length < most; place += 1) {
    found.push(...childrenOf(found[place] ?? 0));
  }
  return found;
}

/** What it alone uses, its share of what it shares, and the tables that tell the kernel where that is. */
export function memoryOf(pid: number): number {
  const pages = /^Pss:\s+(\d+)/m.exec(readProc(`${pid}/smaps_rollup`) ?? '')?.[1];
  const tables = /^VmPTE:\s+(\d+)/m.exec(readProc(`${pid}/status`) ?? '')?.[1];
  return (Number(pages ?? 0) + Number(tables ?? 0)) * 1024;
}

/** A line of what the kernel says of a process, by its name. */
export function statusOf(pid: number): ReadonlyMap<string, string> {
  const lines = (readProc(`${pid}/status`) ?? '').split('\n').map((line) => line.split(':\t'));
  return new Map(lines.map(([name = '', value = '']) => [name, value.trim()]));
}

export function namespaceOf(pid: number | 'self', kind: string): string | undefined {
  try {
    return readlinkSync(`/proc/${pid}/ns/${kind}`);
  } catch {
    return undefined;
  }
}

function readProc(path: string): string | undefined {
  try {
    return readFileSync(`/proc/${path}`, 'utf8');
  } catch {
    // It ended meanwhile, or is nobody's business of ours.
    return undefined;
  }
}
