import type { Bytes } from '@palyra/kernel';
import { type ElfMachine, elfFile } from './elf-file.ts';

/** A user by number, with the group of the same standing. */
export interface User {
  readonly uid: number;
  readonly gid: number;
}

/**
 * A static program that becomes a user without any other group, and then the program that its arguments
 * name: the path, then the program's own from its name on but for that. Whatever is refused ends it with 126.
 */
export function userSwitchElf(machine: ElfMachine, user: User): Bytes {
  const code = Buffer.from(switchCode(machine, user).join(''), 'hex');
  return elfFile(machine, new Uint8Array(code));
}

/** The code of that program, or only its end for whoever stays who they are. It can stand behind other code. */
export function switchCode(machine: ElfMachine, user: User | undefined): readonly string[] {
  return user === undefined ? RUN[machine] : [...BECOME[machine](user), ...RUN[machine]];
}

/** What an assembler makes of the words beside it. INVARIANT: `RUN` comes right behind, where `giveup` is. */
const BECOME = {
  x64: ({ uid, gid }: User) => [
    // No other group: setgroups.
    '31ff', // xor edi, edi
    '31f6', // xor esi, esi
    'b874000000', // mov eax, 116
    '0f05', // syscall
    '85c0', // test eax, eax
    '7542', // jnz giveup
    // setresgid.
    `bf${littleEndian(gid)}`, // mov edi, gid
    '89fe', // mov esi, edi
    '89fa', // mov edx, edi
    'b877000000', // mov eax, 119
    '0f05', // syscall
    '85c0', // test eax, eax
    '752e', // jnz giveup
    // setresuid, after which there is no way back.
    `bf${littleEndian(uid)}`, // mov edi, uid
    '89fe', // mov esi, edi
    '89fa', // mov edx, edi
    'b875000000', // mov eax, 117
    '0f05', // syscall
    '85c0', // test eax, eax
    '751a', // jnz giveup
  ],
  arm64: ({ uid, gid }: User) => [
    // No other group: setgroups.
    '000080d2', // mov x0, #0
    '010080d2', // mov x1, #0
    'e81380d2', // mov x8, #159
    '010000d4', // svc #0
    'a00200b5', // cbnz x0, giveup
    // setresgid.
    ...numberInto0(gid), // mov w0, gid
    'e10300aa', // mov x1, x0
    'e20300aa', // mov x2, x0
    'a81280d2', // mov x8, #149
    '010000d4', // svc #0
    'c00100b5', // cbnz x0, giveup
    // setresuid, after which there is no way back.
    ...numberInto0(uid), // mov w0, uid
    'e10300aa', // mov x1, x0
    'e20300aa', // mov x2, x0
    '681280d2', // mov x8, #147
    '010000d4', // svc #0
    'e00000b5', // cbnz x0, giveup
  ],
} as const;

const RUN = {
  x64: [
    // execve, which does not come back.
    '488b7c2410', // mov rdi, [rsp + 16]
    '488d742410', // lea rsi, [rsp + 16]
    '488b0424', // mov rax, [rsp]
    '488d54c410', // lea rdx, [rsp + rax*8 + 16]
    'b83b000000', // mov eax, 59
    '0f05', // syscall
    // exit 126.
    // giveup:
    'bf7e000000', // mov edi, 126
    'b83c000000', // mov eax, 60
    '0f05', // syscall
  ],
  arm64: [
    // execve, which does not come back.
    'e00b40f9', // ldr x0, [sp, #16]
    'e1430091', // add x1, sp, #16
    'e30340f9', // ldr x3, [sp]
    '220c038b', // add x2, x1, x3, lsl #3
    'a81b80d2', // mov x8, #221
    '010000d4', // svc #0
    // exit 126.
    // giveup:
    'c00f80d2', // mov x0, #126
    'a80b80d2', // mov x8, #93
    '010000d4', // svc #0
  ],
} as const;

function littleEndian(word: number): string {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(word);
  return bytes.toString('hex');
}

/** Two halves: movz w0, #low; movk w0, #high, lsl #16. */
function numberInto0(word: number): readonly string[] {
  const [low, high] = [word & 0xffff, word >>> 16];
  return [(0x5280_0000 | (low << 5)) >>> 0, (0x72a0_0000 | (high << 5)) >>> 0].map(littleEndian);
}
