/** What an assembler makes of the words beside it; the numbers are those of arm64. */
export const ARM64_STARTER: readonly string[] = [
  // Nobody inside opens what is ours, above all the report: prctl, PR_SET_DUMPABLE.
  '800080d2', // mov x0, #4
  '010080d2', // mov x1, #0
  'e81480d2', // mov x8, #167
  '010000d4', // svc #0
  // The arguments and the environment; then the report is closed in whatever is started: fcntl.
  'f30340f9', // ldr x19, [sp]
  'f4430091', // add x20, sp, #16
  '950e138b', // add x21, x20, x19, lsl #3
  'c00080d2', // mov x0, #6
  '410080d2', // mov x1, #2
  '220080d2', // mov x2, #1
  '280380d2', // mov x8, #25
  '010000d4', // svc #0
  // A child: clone with SIGCHLD and nothing else.
  '200280d2', // mov x0, #17
  '010080d2', // mov x1, #0
  '020080d2', // mov x2, #0
  '030080d2', // mov x3, #0
  '040080d2', // mov x4, #0
  '881b80d2', // mov x8, #220
  '010000d4', // svc #0
  // Here the child, in a session of its own, so that a signal to its group does not meet us: setsid.
  'a005f8b7', // tbnz x0, #63, giveup
  '600200b5', // cbnz x0, parent
  'a81380d2', // mov x8, #157
  '010000d4', // svc #0
  // execve, which does not come back.
  '800240f9', // ldr x0, [x20]
  '81220091', // add x1, x20, #8
  'e20315aa', // mov x2, x21
  'a81b80d2', // mov x8, #221
  '010000d4', // svc #0
  // It did: the error number with the highest bit set, as the report.
  'e003004b', // neg w0, w0
  '00000132', // orr w0, w0, #0x80000000
  'e00f1ff8', // str x0, [sp, #-16]!
  'c00080d2', // mov x0, #6
  'e1030091', // mov x1, sp
  '820080d2', // mov x2, #4
  '080880d2', // mov x8, #64
  '010000d4', // svc #0
  // exit 127.
  'e00f80d2', // mov x0, #127
  'a80b80d2', // mov x8, #93
  '010000d4', // svc #0
  // No signal that can be blocked ends us before the child: rt_sigprocmask.
  // parent:
  'f30300aa', // mov x19, x0
  '09008092', // mov x9, #-1
  'e90f1ff8', // str x9, [sp, #-16]!
  '000080d2', // mov x0, #0
  'e1030091', // mov x1, sp
  '020080d2', // mov x2, #0
  '030180d2', // mov x3, #8
  'e81080d2', // mov x8, #135
  '010000d4', // svc #0
  // wait4.
  'e00313aa', // mov x0, x19
  'e1030091', // mov x1, sp
  '020080d2', // mov x2, #0
  '030080d2', // mov x3, #0
  '882080d2', // mov x8, #260
  '010000d4', // svc #0
  // The wait status, as the report.
  '1f0013eb', // cmp x0, x19
  '21010054', // b.ne giveup
  'c00080d2', // mov x0, #6
  'e1030091', // mov x1, sp
  '820080d2', // mov x2, #4
  '080880d2', // mov x8, #64
  '010000d4', // svc #0
  // exit 0.
  '000080d2', // mov x0, #0
  'a80b80d2', // mov x8, #93
  '010000d4', // svc #0
  // exit 126, without a report.
  // giveup:
  'c00f80d2', // mov x0, #126
  'a80b80d2', // mov x8, #93
  '010000d4', // svc #0
];
