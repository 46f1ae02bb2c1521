/** What an assembler makes of the words beside it; the numbers are those of x86-64. */
export const X86_64_WAITING_STARTER: readonly string[] = [
  // The streams in their places: dup2 twice, then close twice.
  'bf04000000', // mov edi, 4
  'be01000000', // mov esi, 1
  'b821000000', // mov eax, 33
  '0f05', // syscall
  '85c0', // test eax, eax
  '0f881d020000', // js giveup
  'bf05000000', // mov edi, 5
  'be02000000', // mov esi, 2
  'b821000000', // mov eax, 33
  '0f05', // syscall
  '85c0', // test eax, eax
  '0f8804020000', // js giveup
  'bf04000000', // mov edi, 4
  'b803000000', // mov eax, 3
  '0f05', // syscall
  'bf05000000', // mov edi, 5
  'b803000000', // mov eax, 3
  '0f05', // syscall
  // Room for the order, where its own pointers say that it is: mmap.
  'bb00000010', // mov ebx, 0x10000000
  '89df', // mov edi, ebx
  'be00004000', // mov esi, 0x400000
  'ba03000000', // mov edx, 3
  '41ba32000000', // mov r10d, 0x32
  '49c7c0ffffffff', // mov r8, -1
  '4531c9', // xor r9d, r9d
  'b809000000', // mov eax, 9
  '0f05', // syscall
  '4885c0', // test rax, rax
  '0f88bb010000', // js giveup
  // It is ready, and says so on the report.
  '6a52', // push 82
  'bf06000000', // mov edi, 6
  '4889e6', // mov rsi, rsp
  'ba01000000', // mov edx, 1
  'b801000000', // mov eax, 1
  '0f05', // syscall
  // The order, which begins with its length, in as many pieces as it comes: read.
  '31ed', // xor ebp, ebp
  // more:
  '31ff', // xor edi, edi
  '488d342b', // lea rsi, [rbx + rbp]
  'ba00004000', // mov edx, 0x400000
  '29ea', // sub edx, ebp
  '31c0', // xor eax, eax
  '0f05', // syscall
  '4885c0', // test rax, rax
  '0f8e89010000', // jle giveup
  '4801c5', // add rbp, rax
  '4883fd08', // cmp rbp, 8
  '72dd', // jb more
  '483b2b', // cmp rbp, [rbx]
  '72d8', // jb more
  // It has begun.
  '6a42', // push 66
  'bf06000000', // mov edi, 6
  '4889e6', // mov rsi, rsp
  'ba01000000', // mov edx, 1
  'b801000000', // mov eax, 1
  '0f05', // syscall
  // Nobody inside opens what is ours, above all the report: prctl, PR_SET_DUMPABLE.
  'bf04000000', // mov edi, 4
  '31f6', // xor esi, esi
  'b89d000000', // mov eax, 157
  '0f05', // syscall
  // The report is closed in whatever is started: fcntl.
  'bf06000000', // mov edi, 6
  'be02000000', // mov esi, 2
  'ba01000000', // mov edx, 1
  'b848000000', // mov eax, 72
  '0f05', // syscall
  // The limits, up to a resource that is none: prlimit64.
  '4c8d6328', // lea r12, [rbx + 40]
  // limit:
  '498b3424', // mov rsi, [r12]
  '4885f6', // test rsi, rsi
  '781f', // js limited
  '31ff', // xor edi, edi
  '498d542408', // lea rdx, [r12 + 8]
  '4531d2', // xor r10d, r10d
  'b82e010000', // mov eax, 302
  '0f05', // syscall
  '85c0', // test eax, eax
  '0f851b010000', // jnz giveup
  '4983c418', // add r12, 24
  'ebd8', // jmp limit
  // The folder: chdir.
  // limited:
  '488b7b20', // mov rdi, [rbx + 32]
  'b850000000', // mov eax, 80
  '0f05', // syscall
  '85c0', // test eax, eax
  '0f8502010000', // jnz giveup
  // Its input takes the place of our orders: dup2, close.
  'bf03000000', // mov edi, 3
  '31f6', // xor esi, esi
  'b821000000', // mov eax, 33
  '0f05', // syscall
  '85c0', // test eax, eax
  '0f88ec000000', // js giveup
  'bf03000000', // mov edi, 3
  'b803000000', // mov eax, 3
  '0f05', // syscall
  // No signal that can be blocked ends us before the child, which may send one at once: rt_sigprocmask.
  '6aff', // push -1
  '6a00', // push 0
  '31ff', // xor edi, edi
  '488d742408', // lea rsi, [rsp + 8]
  '4889e2', // mov rdx, rsp
  '41ba08000000', // mov r10d, 8
  'b80e000000', // mov eax, 14
  '0f05', // syscall
  // A child, which has our memory until it is another program: clone with CLONE_VM, CLONE_VFORK and SIGCHLD.
  'bf11410000', // mov edi, 0x4111
  '31f6', // xor esi, esi
  '31d2', // xor edx, edx
  '4531d2', // xor r10d, r10d
  '4531c0', // xor r8d, r8d
  'b838000000', // mov eax, 56
  '0f05', // syscall
  '85c0', // test eax, eax
  '0f88a7000000', // js giveup
  '7559', // jnz parent
  // Here the child, in a session of its own, so that a signal to its group does not meet us: setsid.
  'b870000000', // mov eax, 112
  '0f05', // syscall
  // It blocks what was blocked before: rt_sigprocmask.
  'bf02000000', // mov edi, 2
  '4889e6', // mov rsi, rsp
  '31d2', // xor edx, edx
  '41ba08000000', // mov r10d, 8
  'b80e000000', // mov eax, 14
  '0f05', // syscall
  // execve, which does not come back.
  '488b7b08', // mov rdi, [rbx + 8]
  '488b7310', // mov rsi, [rbx + 16]
  '488b5318', // mov rdx, [rbx + 24]
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
  // What the child writes to ends with the child: close twice.
  // parent:
  '89c3', // mov ebx, eax
  'bf01000000', // mov edi, 1
  'b803000000', // mov eax, 3
  '0f05', // syscall
  'bf02000000', // mov edi, 2
  'b803000000', // mov eax, 3
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
  // Whoever it has left behind may still write for it, until all of us are ended: pause.
  // told:
  'b822000000', // mov eax, 34
  '0f05', // syscall
  'ebf7', // jmp told
  // exit 126, without a report.
  // giveup:
  'bf7e000000', // mov edi, 126
  'b83c000000', // mov eax, 60
  '0f05', // syscall
];
