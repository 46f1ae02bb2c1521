import type { ListenerParts } from './listener-elf.ts';

const SYSCALL = {
  close: 57,
  exit: 93,
  socket: 198,
  bind: 200,
  listen: 201,
  sendmsg: 211,
  execve: 221,
};
const AF_INET = 2;
const SOCK_STREAM = 1;
const CONTROL = 20;
const PADDED_CONTROL = 24;

/** Registers that the kernel leaves alone: the socket, and the environment. */
const SOCKET = 19;
const ENVIRONMENT = 20;
const ZERO = 31;
const STACK = 31;
const NUMBER = 8;

/** On the stack: `struct msghdr`, the control, the piece of message, the arguments of what it becomes. */
const HEADER_AT = 0;
const CONTROL_AT = 56;
const IOVEC_AT = 80;
const ARGV_AT = 96;
const FRAME = 112;

export function arm64Listener(parts: ListenerParts): (start: number) => Buffer {
  // Everything is reached by its distance, so it does not matter where it lies.
  return () => {
    const code = instructions(parts, { address: 0, message: 0, becomes: 0 });
    const address = code.length * 4;
    const message = address + parts.address.length;
    const becomes = message + parts.message.length;
    const words = instructions(parts, { address, message, becomes });
    return Buffer.concat([...words.map(littleEndian), parts.address, parts.message, parts.becomes]);
  };
}

function littleEndian(word: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeInt32LE(word | 0);
  return bytes;
}

interface Places {
  readonly address: number;
  readonly message: number;
  readonly becomes: number;
}

/** A word, or what becomes one as soon as its own place is known. */
type Instruction = number | ((at: number, end: number) => number);

function instructions(parts: ListenerParts, places: Places): readonly number[] {
  const steps: readonly Instruction[] = [
    keepEnvironment(),
    [move(0, AF_INET), move(1, SOCK_STREAM), move(2, 0), ...call(SYSCALL.socket)],
    [copy(SOCKET, 0)],
    [adr(1, places.address), move(2, parts.address.length), ...call(SYSCALL.bind)],
    [copy(0, SOCKET), move(1, parts.backlog), ...call(SYSCALL.listen)],
    writeMessage(parts, places),
    [move(0, parts.channel), addStack(1, HEADER_AT), move(2, 0), ...call(SYSCALL.sendmsg)],
    [copy(0, SOCKET), ...call(SYSCALL.close)],
    [move(0, parts.channel), ...call(SYSCALL.close)],
    [adr(0, places.becomes), store(0, ARGV_AT), store(ZERO, ARGV_AT + 8)],
    [addStack(1, ARGV_AT), copy(2, ENVIRONMENT), ...call(SYSCALL.execve)],
  ].flat();
  const giveUp = [move(0, parts.failed), move(NUMBER, SYSCALL.exit), SVC];
  const end = steps.length * 4;
  return [
    ...steps.map((step, place) => (typeof step === 'number' ? step : step(place * 4, end))),
    ...giveUp,
  ];
}

/** sp points at argc, behind it argv, NULL, the environment. */
function keepEnvironment(): readonly Instruction[] {
  const argc = 9;
  const base = 10;
  return [
    0xf94003e0 | argc, // ldr x9, [sp]
    addStack(base, 16),
    0x8b000c00 | (argc << 16) | (base << 5) | ENVIRONMENT, // add x20, x10, x9, lsl #3
    0xd1000000 | (FRAME << 10) | (STACK << 5) | STACK, // sub sp, sp, #FRAME
  ];
}

function writeMessage(parts: ListenerParts, places: Places): readonly Instruction[] {
  const scratch = 9;
  return [
    [store(ZERO, HEADER_AT), store(ZERO, HEADER_AT + 8)],
    [addStack(scratch, IOVEC_AT), store(scratch, HEADER_AT + 16)],
    [move(scratch, 1), store(scratch, HEADER_AT + 24)],
    [addStack(scratch, CONTROL_AT), store(scratch, HEADER_AT + 32)],
    [move(scratch, PADDED_CONTROL), store(scratch, HEADER_AT + 40)],
    [store(ZERO, HEADER_AT + 48)],
    [move(scratch, CONTROL), store(scratch, CONTROL_AT)],
    // SOL_SOCKET below, SCM_RIGHTS above: both are 1.
    [move(scratch, 1), moveUpperOne(scratch), store(scratch, CONTROL_AT + 8)],
    [store(SOCKET, CONTROL_AT + 16)],
    [adr(scratch, places.message), store(scratch, IOVEC_AT)],
    [move(scratch, parts.message.length), store(scratch, IOVEC_AT + 8)],
  ].flat();
}

const SVC = 0xd4000001;

/** Every call is followed by a look at its result: a negative one leads to the end. */
function call(number: number): readonly Instruction[] {
  const giveUpIfNegative = (at: number, end: number) => 0xb7f80000 | (((end - at) >> 2) << 5); // tbnz x0, #63, end
  return [move(NUMBER, number), SVC, giveUpIfNegative];
}

/** movz xN, #value */
function move(register: number, value: number): number {
  return 0xd2800000 | (value << 5) | register;
}

/** movk xN, #1, lsl #32 */
function moveUpperOne(register: number): number {
  return 0xf2c00000 | (1 << 5) | register;
}

/** mov xN, xM */
function copy(to: number, from: number): number {
  return 0xaa0003e0 | (from << 16) | to;
}

/** add xN, sp, #offset */
function addStack(register: number, offset: number): number {
  return 0x91000000 | (offset << 10) | (STACK << 5) | register;
}

/** str xN, [sp, #offset] */
function store(register: number, offset: number): number {
  return 0xf9000000 | ((offset / 8) << 10) | (STACK << 5) | register;
}

/** adr xN, place */
function adr(register: number, place: number): Instruction {
  return (at) => {
    const distance = place - at;
    return 0x10000000 | ((distance & 3) << 29) | ((distance >> 2) << 5) | register;
  };
}
