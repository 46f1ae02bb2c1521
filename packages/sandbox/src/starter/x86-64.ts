/** What an assembler makes of the words beside it; the numbers are those of x86-64. */
export const X86_64_STARTER: readonly string[] = [
  // Nobody inside opens what is ours, above all the report: prctl, PR_SET_DUMPABLE.
  'bf04000000', // mov edi, 4
  '31f6', // xor esi, esi
  'b89d000000', // mov eax, 157
  '0f05', // syscall
  // The arguments and the environment; then the report is closed in whatever is started: fcntl.
  '488b1c24', // mov rbx, [rsp]
  '488d6c2410', // lea rbp, [rsp + 16]
  '4c8d64dc10', // lea r12, [rsp + rbx*8 + 16]
  'bf06000000', // mov edi, 6
  'be02000000', // mov esi, 2
  'ba01000000', // mov edx, 1
  'b848000000', // mov eax, 72
  '0f05', // syscall
  // A child: clone with SIGCHLD and nothing else.
  'bf11000000', // mov edi, 17
  '31f6', // xor esi, esi
  '31d2', // xor edx, edx
  '4531d2', // xor r10d, r10d
  '4531c0', // xor r8d, r8d
  'b838000000', // mov eax, 56
  '0f05', // syscall
  // Here the child, in a session of its own, so that a signal to its group does not meet us: setsid.
  '85c0', // test eax, eax
  '0f888d000000', // js giveup
  '7541', // jnz parent
  'b870000000', // mov eax, 112
  '0f05', // syscall
  // execve, which does not come back.
  '488b7d00', // mov rdi, [rbp]
  '488d7508', // lea rsi, [rbp + 8]
  '4c89e2', // mov rdx, r12
  'b83b000000', // mov eax, 59
  '0f05', // syscall
  // It did: the error number with the highest bit set, as the report.
  'f7d8', // neg eax
  '0d00000080', // or eax, 0x80000000
  '50', // push rax
  'bf06000000', // mov edi, 6
  '4889e6', // mov rsi, rsp
  'ba04000000', // mov edx, 4
  'b801000000', // mov eax, 1
  '0f05', // syscall
  // exit 127.
  'bf7f000000', // mov edi, 127
  'b83c000000', // mov eax, 60
  '0f05', // syscall
  // No signal that can be blocked ends us before the child: rt_sigprocmask.
  // parent:
  '89c3', // mov ebx, eax
  '6aff', // push -1
  '31ff', // xor edi, edi
  '4889e6', // mov rsi, rsp
  '31d2', // xor edx, edx
  '41ba08000000', // mov r10d, 8
  'b80e000000', // mov eax, 14
  '0f05', // syscall
  // wait4.
  '89df', // mov edi, ebx
  '4889e6', // mov rsi, rsp
  '31d2', // xor edx, edx
  '4531d2', // xor r10d, r10d
  'b83d000000', // mov eax, 61
  '0f05', // syscall
  // The wait status, as the report.
  '39d8', // cmp eax, ebx
  '751d', // jne giveup
  'bf06000000', // mov edi, 6
  '4889e6', // mov rsi, rsp
  'ba04000000', // mov edx, 4
  'b801000000', // mov eax, 1
  '0f05', // syscall
  // exit 0.
  '31ff', // xor edi, edi
  'b83c000000', // mov eax, 60
  '0f05', // syscall
  // exit 126, without a report.
  // giveup:
  'bf7e000000', // mov edi, 126
  'b83c000000', // mov eax, 60
  '0f05', // syscall
];
