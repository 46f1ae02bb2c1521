/** What an assembler makes of the words beside it; the numbers are those of arm64. */
export const ARM64_KEEPER: readonly string[] = [
  // Nothing that is started may gain rights: prctl with PR_SET_NO_NEW_PRIVS.
  '330f80d2', // mov x19, #121
  'c00480d2', // mov x0, #38
  '210080d2', // mov x1, #1
  '020080d2', // mov x2, #0
  '030080d2', // mov x3, #0
  '040080d2', // mov x4, #0
  'e81480d2', // mov x8, #167
  '010000d4', // svc #0
  '600a00b5', // cbnz x0, fail
  '73060091', // add x19, x19, #1
  // Whoever loses its parent becomes our child: prctl with PR_SET_CHILD_SUBREAPER.
  '800480d2', // mov x0, #36
  '210080d2', // mov x1, #1
  'e81480d2', // mov x8, #167
  '010000d4', // svc #0
  'a00900b5', // cbnz x0, fail
  '73060091', // add x19, x19, #1
  // The paths, the ports and the scope: landlock_restrict_self with the first set.
  '200180d2', // mov x0, #9
  '010080d2', // mov x1, #0
  'c83780d2', // mov x8, #446
  '010000d4', // svc #0
  'e00800b5', // cbnz x0, fail
  '73060091', // add x19, x19, #1
  // The filter, and a descriptor on which it asks: seccomp.
  '200080d2', // mov x0, #1
  '010180d2', // mov x1, #8
  '420e0010', // adr x2, data
  'a82280d2', // mov x8, #277
  '010000d4', // svc #0
  '0008f8b7', // tbnz x0, #63, fail
  '73060091', // add x19, x19, #1
  // That descriptor goes out, with a byte of the data: sendmsg, a message built on the stack.
  'ff8301d1', // sub sp, sp, #96
  '890280d2', // mov x9, #20
  '2a0080d2', // mov x10, #1
  '2a00c0f2', // movk x10, #1, lsl #32
  'e9ab04a9', // stp x9, x10, [sp, #72]
  'e02f00f9', // str x0, [sp, #88]
  'e90c0010', // adr x9, data
  '2a0080d2', // mov x10, #1
  'e9ab03a9', // stp x9, x10, [sp, #56]
  'ff7f00a9', // stp xzr, xzr, [sp]
  'e9e30091', // add x9, sp, #56
  'e92b01a9', // stp x9, x10, [sp, #16]
  'e9230191', // add x9, sp, #72
  '0a0380d2', // mov x10, #24
  'e92b02a9', // stp x9, x10, [sp, #32]
  'ff1b00f9', // str xzr, [sp, #48]
  '600180d2', // mov x0, #11
  'e1030091', // mov x1, sp
  '020088d2', // mov x2, #0x4000
  '681a80d2', // mov x8, #211
  '010000d4', // svc #0
  '1f0400f1', // cmp x0, #1
  '01050054', // b.ne fail
  '73060091', // add x19, x19, #1
  // INVARIANT: whoever started us must be out of our reach, or the end below would meet it: getppid, kill with 0.
  'a81580d2', // mov x8, #173
  '010000d4', // svc #0
  '010080d2', // mov x1, #0
  '281080d2', // mov x8, #129
  '010000d4', // svc #0
  '200400b4', // cbz x0, fail
  '73060091', // add x19, x19, #1
  // A child: clone with SIGCHLD and nothing else.
  '200280d2', // mov x0, #17
  '010080d2', // mov x1, #0
  '020080d2', // mov x2, #0
  '030080d2', // mov x3, #0
  '040080d2', // mov x4, #0
  '881b80d2', // mov x8, #220
  '010000d4', // svc #0
  '0003f8b7', // tbnz x0, #63, fail
  '400300b5', // cbnz x0, parent
  '73060091', // add x19, x19, #1
  // Here the child, which ends with us: prctl with PR_SET_PDEATHSIG.
  '200080d2', // mov x0, #1
  '210180d2', // mov x1, #9
  'e81480d2', // mov x8, #167
  '010000d4', // svc #0
  '200200b5', // cbnz x0, fail
  // From here on we ourselves are out of its reach: landlock_restrict_self with the second set.
  '400180d2', // mov x0, #10
  '010080d2', // mov x1, #0
  'c83780d2', // mov x8, #446
  '010000d4', // svc #0
  '800100b5', // cbnz x0, fail
  // Only its streams and the starter stay open: close_range.
  '000180d2', // mov x0, #8
  '01008012', // mov w1, #-1
  '020080d2', // mov x2, #0
  '883680d2', // mov x8, #436
  '010000d4', // svc #0
  'c00000b5', // cbnz x0, fail
  // The shell: execve, which does not come back.
  '80070010', // adr x0, data + 32
  'e1060010', // adr x1, data + 16
  '02070010', // adr x2, data + 24
  'a81b80d2', // mov x8, #221
  '010000d4', // svc #0
  // The number of the step that failed: exit_group.
  // fail:
  'e00313aa', // mov x0, x19
  'c80b80d2', // mov x8, #94
  '010000d4', // svc #0
  // Orphans are not waited for one by one: rt_sigaction, SIGCHLD ignored.
  // parent:
  '200280d2', // mov x0, #17
  'a1060010', // adr x1, data + 40
  '020080d2', // mov x2, #0
  '030180d2', // mov x3, #8
  'c81080d2', // mov x8, #134
  '010000d4', // svc #0
  // No signal ends us before our time, and nobody inside can send one: rt_sigprocmask.
  '09008092', // mov x9, #-1
  'e90f1ff8', // str x9, [sp, #-16]!
  '000080d2', // mov x0, #0
  'e1030091', // mov x1, sp
  '020080d2', // mov x2, #0
  '030180d2', // mov x3, #8
  'e81080d2', // mov x8, #135
  '010000d4', // svc #0
  // None of the streams stays open here: close_range, twice.
  '000080d2', // mov x0, #0
  'e10080d2', // mov x1, #7
  '020080d2', // mov x2, #0
  '883680d2', // mov x8, #436
  '010000d4', // svc #0
  '200180d2', // mov x0, #9
  '01008012', // mov w1, #-1
  '020080d2', // mov x2, #0
  '883680d2', // mov x8, #436
  '010000d4', // svc #0
  // Until whoever started us lets go, or is no more: read.
  '000180d2', // mov x0, #8
  'e1030091', // mov x1, sp
  '220080d2', // mov x2, #1
  'e80780d2', // mov x8, #63
  '010000d4', // svc #0
  // Everybody that we can reach, in one go, which is everybody inside and nobody else: kill with -1.
  '00008012', // mov w0, #-1
  '210180d2', // mov x1, #9
  '281080d2', // mov x8, #129
  '010000d4', // svc #0
  // Until none is left: wait4.
  // reap:
  '00008012', // mov w0, #-1
  'e1030091', // mov x1, sp
  '020080d2', // mov x2, #0
  '030080d2', // mov x3, #0
  '882080d2', // mov x8, #260
  '010000d4', // svc #0
  '40ffffb6', // tbz x0, #63, reap
  '000080d2', // mov x0, #0
  'c80b80d2', // mov x8, #94
  '010000d4', // svc #0
];
