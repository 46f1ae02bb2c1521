/**
 * Two programs that do one thing: make each call of the table behind them, and write its result as
 * eight bytes to their output. A call is a number and six arguments, eight bytes each; -1 ends the
 * table. What an assembler makes of the words beside them.
 */
export const X86_64_CALLER: readonly string[] = [
  '488d1d48000000', // lea rbx, [rip + table]
  // next:
  '488b03', // mov rax, [rbx]
  '4883f8ff', // cmp rax, -1
  '7436', // je done
  '488b7b08', // mov rdi, [rbx + 8]
  '488b7310', // mov rsi, [rbx + 16]
  '488b5318', // mov rdx, [rbx + 24]
  '4c8b5320', // mov r10, [rbx + 32]
  '4c8b4328', // mov r8, [rbx + 40]
  '4c8b4b30', // mov r9, [rbx + 48]
  '0f05', // syscall
  // The result is written from the stack: write.
  '50', // push rax
  'bf01000000', // mov edi, 1
  '4889e6', // mov rsi, rsp
  'ba08000000', // mov edx, 8
  'b801000000', // mov eax, 1
  '0f05', // syscall
  '58', // pop rax
  '4883c338', // add rbx, 56
  'ebc1', // jmp next
  // done: exit 0.
  '31ff', // xor edi, edi
  'b83c000000', // mov eax, 60
  '0f05', // syscall
];

export const ARM64_CALLER: readonly string[] = [
  '93020010', // adr x19, table
  // next:
  '680240f9', // ldr x8, [x19]
  '1f0500b1', // cmn x8, #1
  'c0010054', // b.eq done
  '608640a9', // ldp x0, x1, [x19, #8]
  '628e41a9', // ldp x2, x3, [x19, #24]
  '649642a9', // ldp x4, x5, [x19, #40]
  '010000d4', // svc #0
  // The result is written from the stack: write.
  'e00f1ff8', // str x0, [sp, #-16]!
  '200080d2', // mov x0, #1
  'e1030091', // mov x1, sp
  '020180d2', // mov x2, #8
  '080880d2', // mov x8, #64
  '010000d4', // svc #0
  'ff430091', // add sp, sp, #16
  '73e20091', // add x19, x19, #56
  'f1ffff17', // b next
  // done: exit 0.
  '000080d2', // mov x0, #0
  'a80b80d2', // mov x8, #93
  '010000d4', // svc #0
];
