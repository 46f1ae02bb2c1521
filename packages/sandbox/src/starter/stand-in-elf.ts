import type { Bytes } from '@palyra/kernel';
import { type ElfMachine, elfFile } from './elf-file.ts';
import { type User, switchCode } from './user-switch.ts';

/**
 * A static program that has one descriptor, a socket under 0, and waits there for all the others: a byte that
 * says how many, and them. They get the numbers from 1 on, the last of them takes the place of the socket. Then
 * it becomes a user, if one is named, and the program that its arguments name (`user-switch.ts`). It ends with
 * 126 when whoever holds the other end has let go, or when not all of them arrived.
 */
export function standInElf(machine: ElfMachine, user: User | undefined): Bytes {
  const code = [...RECEIVE[machine], ...switchCode(machine, user)];
  return elfFile(machine, new Uint8Array(Buffer.from(code.join(''), 'hex')));
}

/** What an assembler makes of the words beside it. */
const RECEIVE = {
  x64: [
    // What it was started with lies here, and is needed again.
    '4989e4', // mov r12, rsp
    // Room for what comes beside the byte: a head, and a number for each descriptor.
    '4881ec20040000', // sub rsp, 0x420
    '4989e5', // mov r13, rsp
    // Room for the byte.
    '6a00', // push 0
    '4989e6', // mov r14, rsp
    // struct iovec.
    '6a01', // push 1
    '4156', // push r14
    '4989e7', // mov r15, rsp
    // struct msghdr, from its end on.
    '6a00', // push 0
    '6820040000', // push 0x420
    '4155', // push r13
    '6a01', // push 1
    '4157', // push r15
    '6a00', // push 0
    '6a00', // push 0
    // recvmsg: it waits here.
    '4889e6', // mov rsi, rsp
    '31ff', // xor edi, edi
    '31d2', // xor edx, edx
    'b82f000000', // mov eax, 47
    '0f05', // syscall
    '4883f801', // cmp rax, 1
    '752f', // jne none
    // Nothing was left out: MSG_CTRUNC.
    'f644243008', // test byte [rsp + 48], 8
    '7528', // jnz none
    // The last has the number that the byte says, and so each has its own.
    '410fb61e', // movzx ebx, byte [r14]
    '41395c9d0c', // cmp [r13 + rbx*4 + 12], ebx
    '751d', // jne none
    // The last in place of the socket: dup2, close.
    '89df', // mov edi, ebx
    '31f6', // xor esi, esi
    'b821000000', // mov eax, 33
    '0f05', // syscall
    '85c0', // test eax, eax
    '780e', // js none
    '89df', // mov edi, ebx
    'b803000000', // mov eax, 3
    '0f05', // syscall
    '4c89e4', // mov rsp, r12
    'eb0c', // jmp received
    // exit 126.
    // none:
    'bf7e000000', // mov edi, 126
    'b83c000000', // mov eax, 60
    '0f05', // syscall
    // received:
  ],
  arm64: [
    // What it was started with lies here, and is needed again.
    'f3030091', // mov x19, sp
    // Room for what comes beside the byte: a head, and a number for each descriptor.
    'ff8310d1', // sub sp, sp, #0x420
    'f4030091', // mov x20, sp
    // Room for the byte.
    'ff0f1ff8', // str xzr, [sp, #-16]!
    'f5030091', // mov x21, sp
    // struct iovec.
    '200080d2', // mov x0, #1
    'f503bfa9', // stp x21, x0, [sp, #-16]!
    'f6030091', // mov x22, sp
    // struct msghdr.
    'ff0301d1', // sub sp, sp, #64
    'ff7f00a9', // stp xzr, xzr, [sp]
    'f60301a9', // stp x22, x0, [sp, #16]
    '018480d2', // mov x1, #0x420
    'f40702a9', // stp x20, x1, [sp, #32]
    'ff1b00f9', // str xzr, [sp, #48]
    // recvmsg: it waits here.
    'e1030091', // mov x1, sp
    '000080d2', // mov x0, #0
    '020080d2', // mov x2, #0
    '881a80d2', // mov x8, #212
    '010000d4', // svc #0
    '1f0400f1', // cmp x0, #1
    '41020054', // b.ne none
    // Nothing was left out: MSG_CTRUNC.
    'e03340b9', // ldr w0, [sp, #48]
    '00021837', // tbnz w0, #3, none
    // The last has the number that the byte says, and so each has its own.
    'b5024039', // ldrb w21, [x21]
    '800a158b', // add x0, x20, x21, lsl #2
    '000c40b9', // ldr w0, [x0, #12]
    '1f00156b', // cmp w0, w21
    '61010054', // b.ne none
    // The last in place of the socket: dup3, close.
    '010080d2', // mov x1, #0
    '020080d2', // mov x2, #0
    '080380d2', // mov x8, #24
    '010000d4', // svc #0
    'c000f8b7', // tbnz x0, #63, none
    'e00315aa', // mov x0, x21
    '280780d2', // mov x8, #57
    '010000d4', // svc #0
    '7f020091', // mov sp, x19
    '04000014', // b received
    // exit 126.
    // none:
    'c00f80d2', // mov x0, #126
    'a80b80d2', // mov x8, #93
    '010000d4', // svc #0
    // received:
  ],
} as const;
