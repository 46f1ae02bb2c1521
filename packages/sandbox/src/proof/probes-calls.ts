import type { Bytes } from '@palyra/kernel';
import type { Machine } from '../seccomp/compile.ts';
import { ARM64_SYSCALLS } from '../seccomp/syscalls-arm64.ts';
import { X86_64_SYSCALLS } from '../seccomp/syscalls-x86-64.ts';
import { type KernelCall, callerElf } from './caller-elf.ts';

/** A call of the kernel that a filter, or an empty network, has to answer. */
export interface CallProbe {
  readonly id: string;
  readonly says: string;
  readonly call: string | number;
  readonly arguments: KernelCall['arguments'];
  readonly expected: string;
  /** Exactly these: another answer, though an error as well, is not the filter's that was meant. */
  readonly answers: readonly string[];
}

const ERRORS = {
  EPERM: 1,
  EBADF: 9,
  EACCES: 13,
  ENOSYS: 38,
  ENETUNREACH: 101,
  ECONNREFUSED: 111,
} as const;
type ErrorName = keyof typeof ERRORS;

const SYSCALLS: Readonly<Record<Machine, Readonly<Record<string, number>>>> = {
  x64: X86_64_SYSCALLS,
  arm64: ARM64_SYSCALLS,
};
const [AF, NEWUSER] = [{ unix: 1, inet: 2, netlink: 16, packet: 17, vsock: 40 }, 0x1000_0000];
const REMOUNT_WRITABLE = 0x20 | 0x1000;
const HERE = -100;

type Row = readonly [
  id: string,
  says: string,
  ...call: readonly [string | number, ...KernelCall['arguments']],
];

/** Each without a filter does no harm, and answers something else. */
const REFUSED: readonly Row[] = [
  ['calls.remount', 'make `/usr` writable', 'mount', 'none', '/usr', 0, REMOUNT_WRITABLE, 0],
  ['calls.unmount', 'take a mask away', 'umount2', '/proc/sys', 2],
  ['calls.mount', 'mount by the new calls', 'fsopen', 'tmpfs', 0],
  ['calls.enter', 'enter another namespace', 'setns', 0, 0],
  ['calls.ptrace', 'trace a process', 'ptrace', 0, 0, 0, 0],
  ['calls.read-process', "read another process's memory", 'process_vm_readv', 1, 0, 0, 0, 0, 0],
  ['calls.bpf', 'load a program into the kernel', 'bpf', 0, 0, 0],
  ['calls.perf', 'measure other processes', 'perf_event_open', 0, 0, 0, 0, 0],
  ['calls.userfault', 'handle page faults', 'userfaultfd', 0],
  ['calls.keys', "read the kernel's keys", 'keyctl', 0, -3, 0],
  ['calls.handle', 'open a file by its handle', 'open_by_handle_at', HERE, 0, 0],
  ['calls.personality', 'make all memory executable', 'personality', 0x40_0000],
  ['calls.terminal', 'type into a terminal', 'ioctl', 0, 0x5412, 0],
  ['calls.set-id', 'set the set-id bit', 'fchmodat', HERE, 'missing', 0o4755],
  ['network.unix', 'make a unix socket', 'socket', AF.unix, 1, 0],
  ['network.vsock', "reach the machine's host by vsock", 'socket', AF.vsock, 1, 0],
  ['network.packet', 'read packets', 'socket', AF.packet, 3, 0],
  ['network.netlink', 'ask the kernel by netlink', 'socket', AF.netlink, 3, 15],
];

const ABSENT: readonly Row[] = [
  ['calls.io-uring', 'queue calls past the filter', 'io_uring_setup', 8, 0],
  ['calls.clone', 'start a process past the filter', 'clone3', 0, 0],
  ['calls.unknown', 'make a call that nobody knows', 1000],
];

/** Last: where it worked, everything after it would be tried with rights of its own. */
const LAST: readonly Row[] = [
  ['calls.user-namespace', 'make a user namespace', 'unshare', NEWUSER],
];

export function callProbes(port: number): readonly CallProbe[] {
  const all = (rows: readonly Row[], answer: ErrorName): readonly CallProbe[] =>
    rows.map(([id, says, call, ...rest]) => ({
      id,
      says,
      call,
      arguments: rest,
      expected: answer,
      answers: [answer],
    }));
  return [
    ...all(REFUSED, 'EPERM'),
    ...all(ABSENT, 'ENOSYS'),
    ...STATES,
    ...loopbackProbes(port),
    ...all(LAST, 'EPERM'),
  ];
}

/** What the kernel says of the process itself; and what needs a right that nobody has here. */
const STATES: readonly CallProbe[] = [
  {
    id: 'calls.no-new-rights',
    says: 'be able to gain rights',
    call: 'prctl',
    arguments: [39, 0, 0, 0, 0],
    expected: 'NoNewPrivs 1',
    answers: [gave(1)],
  },
  {
    id: 'calls.filtered',
    says: 'be without a filter',
    call: 'prctl',
    arguments: [21, 0, 0, 0, 0],
    expected: 'Seccomp 2',
    answers: [gave(2)],
  },
  {
    id: 'calls.device',
    says: 'make a device',
    call: 'mknodat',
    arguments: [HERE, 'inner/device', 0o020600, 0x103],
    expected: 'refused',
    answers: ['EPERM', 'EACCES'],
  },
];

const FIRST_FREE = 3;

/** A port on which somebody listens outside. */
function loopbackProbes(port: number): readonly CallProbe[] {
  return [
    {
      id: 'network.loopback',
      says: "reach the machine's loopback",
      call: 'connect',
      arguments: [FIRST_FREE, loopbackAddress(port), 16],
      expected: 'refused',
      answers: ['ECONNREFUSED', 'ENETUNREACH'],
    },
  ];
}

function loopbackAddress(port: number): Bytes {
  const address = Buffer.alloc(16);
  address.writeUInt16LE(AF.inet, 0);
  address.writeUInt16BE(port, 2);
  address.set([127, 0, 0, 1], 4);
  return new Uint8Array(address);
}

/** Before them all: the socket that `network.loopback` connects has the first number that is free. */
const PREPARATIONS: readonly (readonly [string, ...number[]])[] = [
  ['close', FIRST_FREE],
  ['socket', AF.inet, 1, 0],
];

export function callProgram(machine: Machine, probes: readonly CallProbe[]): Bytes {
  const numbers = SYSCALLS[machine];
  const numberOf = (call: string | number): number => {
    const number = typeof call === 'number' ? call : numbers[call];
    if (number === undefined) throw new RangeError(`there is no call ${call} on ${machine}`);
    return number;
  };
  return callerElf(machine, [
    ...PREPARATIONS.map(([call, ...rest]) => ({ number: numberOf(call), arguments: rest })),
    ...probes.map((probe) => ({ number: numberOf(probe.call), arguments: probe.arguments })),
  ]);
}

/** What the call gave, in the words of the table. Contract: `undefined` for one that was not made. */
export function readCall(results: readonly number[], place: number): string | undefined {
  const result = results[PREPARATIONS.length + place];
  if (result === undefined) return undefined;
  if (result >= 0) return gave(result);
  const named = Object.entries(ERRORS).find(([, number]) => number === -result);
  return named?.[0] ?? `error ${-result}`;
}

function gave(result: number): string {
  return `it worked (${result})`;
}
