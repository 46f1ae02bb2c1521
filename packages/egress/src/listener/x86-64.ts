import type { ListenerParts } from './listener-elf.ts';

const SYSCALL = { socket: 41, sendmsg: 46, bind: 49, listen: 50, close: 3, execve: 59, exit: 60 };
const AF_INET = 2;
const SOCK_STREAM = 1;
/** `struct cmsghdr` with one descriptor: its length without the padding at the end. */
const CONTROL = 20;
const PADDED_CONTROL = 24;
/** SOL_SOCKET, then SCM_RIGHTS. */
const RIGHTS = 0x1_0000_0001n;

/** Constants first, so that their places are known before the code that names them. */
export function x64Listener(parts: ListenerParts): (start: number) => Buffer {
  return (start) => {
    const jump = 2;
    const address = start + jump;
    const message = address + parts.address.length;
    const becomes = message + parts.message.length;
    const iovec = becomes + parts.becomes.length;
    const constants = Buffer.concat([
      parts.address,
      parts.message,
      parts.becomes,
      quad(BigInt(message)),
      quad(BigInt(parts.message.length)),
    ]);
    const code = instructions(parts, { address, becomes, iovec });
    // jmp over the constants: they are fewer than 128 bytes.
    return Buffer.concat([Buffer.from([0xeb, constants.length]), constants, code]);
  };
}

interface Places {
  readonly address: number;
  readonly becomes: number;
  readonly iovec: number;
}

function instructions(parts: ListenerParts, { address, becomes, iovec }: Places): Buffer {
  const steps = [
    // rbp = environment: rsp points at argc, behind it argv, NULL, the environment.
    [0x48, 0x8b, 0x04, 0x24], // mov rax, [rsp]
    [0x48, 0x8d, 0x6c, 0xc4, 0x10], // lea rbp, [rsp + rax * 8 + 16]
    [...movEdi(AF_INET), ...movEsi(SOCK_STREAM), ...ZERO_EDX, ...call(SYSCALL.socket)],
    [0x89, 0xc3], // mov ebx, eax: the socket
    [0x89, 0xdf, ...movEsi(address), ...movEdx(parts.address.length), ...call(SYSCALL.bind)],
    [0x89, 0xdf, ...movEsi(parts.backlog), ...call(SYSCALL.listen)],
    pushControl(),
    [0x49, 0x89, 0xe0], // mov r8, rsp
    pushMessageHeader(iovec),
    [...movEdi(parts.channel), 0x48, 0x89, 0xe6, ...ZERO_EDX, ...call(SYSCALL.sendmsg)],
    [0x89, 0xdf, ...call(SYSCALL.close)],
    [...movEdi(parts.channel), ...call(SYSCALL.close)],
    // argv on the stack: its name and NULL.
    [0x6a, 0x00, 0x68, ...imm32(becomes)], // push 0; push becomes
    [...movEdi(becomes), 0x48, 0x89, 0xe6, 0x48, 0x89, 0xea, ...call(SYSCALL.execve)],
  ];
  return withFailure(steps, parts.failed);
}

/** Every call is followed by a look at its result; `js` to the end, where it gives up. */
const CHECK: readonly number[] = [0x85, 0xc0, 0x0f, 0x88]; // test eax, eax; js rel32

function call(number: number): readonly number[] {
  return [0xb8, ...imm32(number), 0x0f, 0x05, ...CHECK, ...PATCH];
}

/** Stands for the distance to the end, which is known when all is written. */
const PATCH: readonly number[] = [0xde, 0xad, 0xbe, 0xef];

function withFailure(steps: readonly (readonly number[])[], failed: number): Buffer {
  const code = Buffer.from(steps.flat());
  const mark = Buffer.from([...CHECK, ...PATCH]);
  for (let at = code.indexOf(mark); at !== -1; at = code.indexOf(mark, at)) {
    const after = at + mark.length;
    code.writeInt32LE(code.length - after, after - PATCH.length);
  }
  const giveUp = [...movEdi(failed), 0xb8, ...imm32(SYSCALL.exit), 0x0f, 0x05];
  return Buffer.concat([code, Buffer.from(giveUp)]);
}

/** From the last field to the first: the stack grows downwards. */
function pushControl(): readonly number[] {
  return [
    [0x53], // push rbx: the descriptor and the padding
    [0x48, 0xb8, ...quad(RIGHTS), 0x50], // mov rax, RIGHTS; push rax
    [0x6a, CONTROL],
  ].flat();
}

/** `struct msghdr`: no name, one piece of message, the control from r8. */
function pushMessageHeader(iovec: number): readonly number[] {
  return [
    [0x6a, 0x00], // flags
    [0x6a, PADDED_CONTROL],
    [0x41, 0x50], // push r8
    [0x6a, 0x01], // pieces
    [0x68, ...imm32(iovec)],
    [0x6a, 0x00, 0x6a, 0x00], // name and its length
  ].flat();
}

const ZERO_EDX: readonly number[] = [0x31, 0xd2];

function movEdi(value: number): readonly number[] {
  return [0xbf, ...imm32(value)];
}

function movEsi(value: number): readonly number[] {
  return [0xbe, ...imm32(value)];
}

function movEdx(value: number): readonly number[] {
  return [0xba, ...imm32(value)];
}

function imm32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeInt32LE(value);
  return bytes;
}

function quad(value: bigint): Buffer {
  const bytes = Buffer.alloc(8);
  bytes.writeBigUInt64LE(value);
  return bytes;
}
