/** What an assembler makes of the words beside it; the numbers are those of x86-64. */
export const X86_64_KEEPER: readonly string[] = [
  // Nothing that is started may gain rights: prctl with PR_SET_NO_NEW_PRIVS.
  '41bc79000000', // mov r12d, 121
  'bf26000000', // mov edi, 38
  'be01000000', // mov esi, 1
  '31d2', // xor edx, edx
  '4531d2', // xor r10d, r10d
  '4531c0', // xor r8d, r8d
  'b89d000000', // mov eax, 157
  '0f05', // syscall
  '85c0', // test eax, eax
  '0f8534010000', // jnz fail
  '41ffc4', // inc r12d
  // Whoever loses its parent becomes our child: prctl with PR_SET_CHILD_SUBREAPER.
  'bf24000000', // mov edi, 36
  'b89d000000', // mov eax, 157
  '0f05', // syscall
  '85c0', // test eax, eax
  '0f851d010000', // jnz fail
  '41ffc4', // inc r12d
  // The paths, the ports and the scope: landlock_restrict_self with the first set.
  'bf09000000', // mov edi, 9
  '31f6', // xor esi, esi
  'b8be010000', // mov eax, 446
  '0f05', // syscall
  '85c0', // test eax, eax
  '0f8504010000', // jnz fail
  '41ffc4', // inc r12d
  // The filter, and a descriptor on which it asks: seccomp.
  'bf01000000', // mov edi, 1
  'be08000000', // mov esi, 8
  '488d158d010000', // lea rdx, [rip + data]
  'b83d010000', // mov eax, 317
  '0f05', // syscall
  '85c0', // test eax, eax
  '0f88e1000000', // js fail
  '41ffc4', // inc r12d
  // That descriptor goes out, with a byte of the data: sendmsg, a message built on the stack.
  '50', // push rax
  '48b90100000001000000', // movabs rcx, 0x100000001
  '51', // push rcx
  '6a14', // push 20
  '4989e0', // mov r8, rsp
  '6a01', // push 1
  '488d0d61010000', // lea rcx, [rip + data]
  '51', // push rcx
  '4989e1', // mov r9, rsp
  '6a00', // push 0
  '6a18', // push 24
  '4150', // push r8
  '6a01', // push 1
  '4151', // push r9
  '6a00', // push 0
  '6a00', // push 0
  'bf0b000000', // mov edi, 11
  '4889e6', // mov rsi, rsp
  'ba00400000', // mov edx, 0x4000
  'b82e000000', // mov eax, 46
  '0f05', // syscall
  '83f801', // cmp eax, 1
  '0f8595000000', // jne fail
  '41ffc4', // inc r12d
  // INVARIANT: whoever started us must be out of our reach, or the end below would meet it: getppid, kill with 0.
  'b86e000000', // mov eax, 110
  '0f05', // syscall
  '89c7', // mov edi, eax
  '31f6', // xor esi, esi
  'b83e000000', // mov eax, 62
  '0f05', // syscall
  '85c0', // test eax, eax
  '747c', // jz fail
  '41ffc4', // inc r12d
  // A child: clone with SIGCHLD and nothing else.
  'bf11000000', // mov edi, 17
  '31f6', // xor esi, esi
  '31d2', // xor edx, edx
  '4531d2', // xor r10d, r10d
  '4531c0', // xor r8d, r8d
  'b838000000', // mov eax, 56
  '0f05', // syscall
  '85c0', // test eax, eax
  '785f', // js fail
  '7567', // jnz parent
  '41ffc4', // inc r12d
  // Here the child, which ends with us: prctl with PR_SET_PDEATHSIG.
  'bf01000000', // mov edi, 1
  'be09000000', // mov esi, 9
  'b89d000000', // mov eax, 157
  '0f05', // syscall
  '85c0', // test eax, eax
  '7545', // jnz fail
  // From here on we ourselves are out of its reach: landlock_restrict_self with the second set.
  'bf0a000000', // mov edi, 10
  '31f6', // xor esi, esi
  'b8be010000', // mov eax, 446
  '0f05', // syscall
  '85c0', // test eax, eax
  '7533', // jnz fail
  // Only its streams and the starter stay open: close_range.
  'bf08000000', // mov edi, 8
  'beffffffff', // mov esi, -1
  '31d2', // xor edx, edx
  'b8b4010000', // mov eax, 436
  '0f05', // syscall
  '85c0', // test eax, eax
  '751c', // jnz fail
  // The shell: execve, which does not come back.
  '488d3dd2000000', // lea rdi, [rip + data + 32]
  '488d35bb000000', // lea rsi, [rip + data + 16]
  '488d15bc000000', // lea rdx, [rip + data + 24]
  'b83b000000', // mov eax, 59
  '0f05', // syscall
  // The number of the step that failed: exit_group.
  // fail:
  '4489e7', // mov edi, r12d
  'b8e7000000', // mov eax, 231
  '0f05', // syscall
  // Orphans are not waited for one by one: rt_sigaction, SIGCHLD ignored.
  // parent:
  'bf11000000', // mov edi, 17
  '488d35af000000', // lea rsi, [rip + data + 40]
  '31d2', // xor edx, edx
  '41ba08000000', // mov r10d, 8
  'b80d000000', // mov eax, 13
  '0f05', // syscall
  // No signal ends us before our time, and nobody inside can send one: rt_sigprocmask.
  '6aff', // push -1
  '31ff', // xor edi, edi
  '4889e6', // mov rsi, rsp
  '31d2', // xor edx, edx
  'b80e000000', // mov eax, 14
  '0f05', // syscall
  // None of the streams stays open here: close_range, twice.
  '31ff', // xor edi, edi
  'be07000000', // mov esi, 7
  '31d2', // xor edx, edx
  'b8b4010000', // mov eax, 436
  '0f05', // syscall
  'bf09000000', // mov edi, 9
  'beffffffff', // mov esi, -1
  '31d2', // xor edx, edx
  'b8b4010000', // mov eax, 436
  '0f05', // syscall
  // Until whoever started us lets go, or is no more: read.
  'bf08000000', // mov edi, 8
  '4889e6', // mov rsi, rsp
  'ba01000000', // mov edx, 1
  '31c0', // xor eax, eax
  '0f05', // syscall
  // Everybody that we can reach, in one go, which is everybody inside and nobody else: kill with -1.
  'bfffffffff', // mov edi, -1
  'be09000000', // mov esi, 9
  'b83e000000', // mov eax, 62
  '0f05', // syscall
  // Until none is left: wait4.
  // reap:
  'bfffffffff', // mov edi, -1
  '4889e6', // mov rsi, rsp
  '31d2', // xor edx, edx
  '4531d2', // xor r10d, r10d
  'b83d000000', // mov eax, 61
  '0f05', // syscall
  '85c0', // test eax, eax
  '79e8', // jns reap
  '31ff', // xor edi, edi
  'b8e7000000', // mov eax, 231
  '0f05', // syscall
];
