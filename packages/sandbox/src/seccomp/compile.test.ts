import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { compileFilter, filterProgram } from './compile.ts';
import { MAX_INSTRUCTIONS, RESULTS } from './program.ts';
import { type FilterTerms, NAMED } from './rules.ts';
import { ARM64_SYSCALLS } from './syscalls-arm64.ts';
import { X86_64_SYSCALLS } from './syscalls-x86-64.ts';

const STRICT: FilterTerms = { unixSockets: 'refuse', memoryFiles: 'refuse' };
const OPEN: FilterTerms = { unixSockets: 'allow', memoryFiles: 'allow' };
const ARCHITECTURE = { x64: 0xc000003e, arm64: 0xc00000b7 } as const;
const TABLES: Readonly<Record<'x64' | 'arm64', Readonly<Record<string, number>>>> = {
  x64: X86_64_SYSCALLS,
  arm64: ARM64_SYSCALLS,
};

const ORDINARY =
  'read write mmap execve exit_group futex pipe2 wait4 ppoll pselect6 nanosleep clock_gettime clock_nanosleep utimensat timerfd_settime recvmmsg'.split(
    ' ',
  );

interface Call {
  readonly machine?: 'x64' | 'arm64';
  readonly terms?: FilterTerms;
  readonly architecture?: number;
  readonly arguments?: readonly bigint[];
}

/** Does with a call what the kernel would do with it: six instructions are all that we use. */
function answer(name: string | number, call: Call = {}): string {
  const { machine = 'x64', terms = STRICT, arguments: args = [] } = call;
  const number = typeof name === 'number' ? name : (TABLES[machine][name] ?? -1);
  const facts = Buffer.alloc(64);
  facts.writeUInt32LE(number >>> 0, 0);
  facts.writeUInt32LE(call.architecture ?? ARCHITECTURE[machine], 4);
  for (const [place, value] of args.entries()) facts.writeBigUInt64LE(value, 16 + 8 * place);
  const program = filterProgram(machine, terms);
  let held = 0;
  for (let at = 0; ; at += 1) {
    const step = program[at];
    if (step === undefined) throw new RangeError('it ran off its end');
    const { code, jumpTrue, jumpFalse, value } = step;
    if (code === 0x06) return Object.entries(RESULTS).find(([, v]) => v === value)?.[0] ?? '';
    if (code === 0x20) held = facts.readUInt32LE(value);
    else if (code === 0x05) at += value;
    else if (code === 0x15) at += held === value ? jumpTrue : jumpFalse;
    else if (code === 0x35) at += held >= value ? jumpTrue : jumpFalse;
    else if (code === 0x45) at += (held & value) === 0 ? jumpFalse : jumpTrue;
  }
}

describe.each(['x64', 'arm64'] as const)('the filter for %s', (machine) => {
  it('lets ordinary calls through', () => {
    for (const name of ORDINARY) {
      expect(answer(name, { machine }), name).toBe('allow');
    }
  });

  it('refuses what reaches beyond the process', () => {
    for (const name of ['ptrace', 'mount', 'setns', 'unshare', 'bpf', 'keyctl', 'move_mount']) {
      expect(answer(name, { machine }), name).toBe('EPERM');
    }
  });

  it('knows nothing of calls that cannot be looked into, and of those to come', () => {
    for (const call of ['io_uring_setup', 'clone3', 'openat2', 451, 467, 1000, 0x3fff_ffff]) {
      expect(answer(call, { machine }), `${call}`).toBe('ENOSYS');
    }
  });

  it('ends a program of another machine', () => {
    expect(answer('read', { machine, architecture: 0x4000_0003 })).toBe('kill');
  });

  it('lets a process be made, and no namespace', () => {
    expect(answer('clone', { machine, arguments: [17n] })).toBe('allow');
    for (const flag of [
      0x20000n,
      0x2000000n,
      0x4000000n,
      0x8000000n,
      0x10000000n,
      0x20000000n,
      0x40000000n,
    ]) {
      expect(answer('clone', { machine, arguments: [flag | 17n] })).toBe('EPERM');
    }
  });

  it('keeps the limit of core dumps, and lets it be asked for', () => {
    const limit = (resource: bigint, pointer: bigint) =>
      answer('prlimit64', { machine, arguments: [0n, resource, pointer, 1n] });
    expect(limit(4n, 0n)).toBe('allow');
    expect(limit(4n, 0x7000n)).toBe('pretend');
    expect(limit(4n, 0x7_0000_0000n)).toBe('pretend');
    expect(limit(7n, 0x7000n)).toBe('allow');
  });

  it('makes no file that has the rights of its owner', () => {
    const open = (flags: bigint, mode: bigint) =>
      answer('openat', { machine, arguments: [0n, 0n, flags, mode] });
    expect(open(0o100n, 0o644n)).toBe('allow');
    expect(open(0n, 0o4755n)).toBe('allow');
    expect(open(0o100n, 0o4755n)).toBe('EPERM');
    expect(open(0o20000000n, 0o2755n)).toBe('EPERM');
    expect(answer('fchmodat', { machine, arguments: [0n, 0n, 0o2755n] })).toBe('EPERM');
  });

  it('opens sockets of the families that are asked for alone', () => {
    const socket = (family: bigint, protocol: bigint, terms: FilterTerms) =>
      answer('socket', { machine, terms, arguments: [family, 1n, protocol] });
    expect(socket(2n, 0n, STRICT)).toBe('allow');
    expect(socket(10n, 0n, STRICT)).toBe('allow');
    expect(socket(1n, 0n, STRICT)).toBe('EPERM');
    expect(socket(1n, 0n, OPEN)).toBe('allow');
    expect(socket(16n, 0n, STRICT)).toBe('allow');
    expect(socket(16n, 15n, STRICT)).toBe('EPERM');
    expect(socket(40n, 0n, OPEN)).toBe('EPERM');
  });

  it('allows memory of no process only where a group limits it', () => {
    for (const name of ['memfd_create', 'shmget', 'msgget', 'semget']) {
      expect(answer(name, { machine, terms: STRICT })).toBe('EPERM');
      expect(answer(name, { machine, terms: OPEN })).toBe('allow');
    }
  });

  it('looks at the lower half of an argument, like the kernel', () => {
    const ioctl = (request: bigint) => answer('ioctl', { machine, arguments: [0n, request] });
    expect(ioctl(0x5412n)).toBe('EPERM');
    expect(ioctl(0xdead_0000_5412n)).toBe('EPERM');
    expect(ioctl(0x5413n)).toBe('allow');
  });

  it('is the same every time, and short enough for the kernel', () => {
    expect(compileFilter(machine, STRICT)).toEqual(compileFilter(machine, STRICT));
    expect(filterProgram(machine, STRICT).length).toBeLessThan(MAX_INSTRUCTIONS / 4);
  });
});

describe('the filter', () => {
  it('ends a program that calls by the numbers of x32', () => {
    expect(answer(0x4000_0000)).toBe('kill');
    expect(answer(0xffff_ffff)).toBe('kill');
  });

  it('speaks of no call that neither machine has', () => {
    const known = new Set([...Object.keys(X86_64_SYSCALLS), ...Object.keys(ARM64_SYSCALLS)]);
    expect(NAMED.filter((name) => !known.has(name))).toEqual([]);
  });

  const headers = '/usr/include/x86_64-linux-gnu/asm/unistd_64.h';
  it.runIf(existsSync(headers))('has the numbers of x86-64 that the headers have', () => {
    const found = [...readFileSync(headers, 'utf8').matchAll(/#define __NR_(\w+) (\d+)/g)];
    const table: Readonly<Record<string, number>> = X86_64_SYSCALLS;
    const wrong = found.filter(([, name = '', number]) => table[name] !== Number(number));
    expect(wrong.map(([line]) => line)).toEqual([]);
  });

  const generic = '/usr/include/asm-generic/unistd.h';
  it.runIf(existsSync(generic))('has the numbers of arm64 that the headers have', () => {
    const found = new Map(
      [...readFileSync(generic, 'utf8').matchAll(/#define __NR_(\w+) (\d+)/g)].map(
        ([, name = '', number]) => [name, Number(number)],
      ),
    );
    const wrong = Object.entries(ARM64_SYSCALLS).filter(
      ([name, number]) => found.has(name) && found.get(name) !== number,
    );
    expect(wrong).toEqual([]);
  });
});

describe.each(['x64', 'arm64'] as const)('the filter for %s on shared ground', (machine) => {
  const terms: FilterTerms = { ...STRICT, ground: 'shared' };
  const on = (name: string, ...args: readonly bigint[]) =>
    answer(name, { machine, terms, arguments: args });

  it('gives no socket of any kind, and only pairs that are connected for good', () => {
    for (const family of [1n, 2n, 10n, 16n, 40n]) expect(on('socket', family, 1n)).toBe('EPERM');
    for (const type of [1n, 5n, 0x8_0001n, 0x8_0801n]) {
      expect(on('socketpair', 1n, type)).toBe('allow');
    }
    expect(on('socketpair', 1n, 2n)).toBe('EPERM');
    expect(on('socketpair', 1n, 0x8_0002n)).toBe('EPERM');
    expect(on('socketpair', 2n, 1n)).toBe('EPERM');
  });

  it('asks before it sets modes and times by name', () => {
    expect(on('fchmodat', 0n, 1n, 0o755n)).toBe('ask');
    expect(on('fchmodat', 0n, 1n, 0o4755n)).toBe('EPERM');
    expect(on('fchmod', 3n, 0o644n)).toBe('ask');
    expect(on('utimensat', 3n, 0n)).toBe('allow');
    expect(on('utimensat', 3n, 1n)).toBe('ask');
    expect(on('utimensat', 3n, 1n << 32n)).toBe('ask');
    expect(on('fchownat', 3n, 1n)).toBe('EPERM');
    expect(on('lgetxattr', 1n)).toBe('EOPNOTSUPP');
  });

  it('lets a process change the settings of itself alone', () => {
    expect(on('prlimit64', 0n, 7n)).toBe('allow');
    expect(on('prlimit64', 0n, 4n, 1n)).toBe('pretend');
    expect(on('prlimit64', 9n, 7n)).toBe('EPERM');
    expect(on('setpriority', 0n, 0n)).toBe('allow');
    expect(on('setpriority', 0n, 9n)).toBe('EPERM');
    expect(on('setpriority', 2n, 0n)).toBe('EPERM');
    expect(on('sched_setaffinity', 9n)).toBe('EPERM');
  });

  it('shares no memory, queue or watch with anybody', () => {
    for (const name of ['shmget', 'semget', 'msgget', 'mq_open']) expect(on(name)).toBe('EPERM');
    expect(on('inotify_add_watch')).toBe('ENOSYS');
  });

  it('still refuses what every filter refuses', () => {
    for (const name of ['ptrace', 'mount', 'setns', 'unshare', 'bpf', 'keyctl']) {
      expect(on(name)).toBe('EPERM');
    }
    expect(on('io_uring_enter')).toBe('ENOSYS');
    expect(on('clone', 0x1000_0000n)).toBe('EPERM');
    expect(on('execve')).toBe('allow');
  });
});
