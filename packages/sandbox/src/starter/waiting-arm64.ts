/** What an assembler makes of the words beside it; the numbers are those of arm64. */
export const ARM64_WAITING_STARTER: readonly string[] = [
  // The streams in their places: dup3 twice, then close twice.
  '800080d2', // mov x0, #4
  '210080d2', // mov x1, #1
  '020080d2', // mov x2, #0
  '080380d2', // mov x8, #24
  '010000d4', // svc #0
  '4013f8b7', // tbnz x0, #63, giveup
  'a00080d2', // mov x0, #5
  '410080d2', // mov x1, #2
  '020080d2', // mov x2, #0
  '080380d2', // mov x8, #24
  '010000d4', // svc #0
  '8012f8b7', // tbnz x0, #63, giveup
  '800080d2', // mov x0, #4
  '280780d2', // mov x8, #57
  '010000d4', // svc #0
  'a00080d2', // mov x0, #5
  '280780d2', // mov x8, #57
  '010000d4', // svc #0
  // Room for the order, where its own pointers say that it is: mmap.
  '1300a2d2', // mov x19, #0x10000000
  'e00313aa', // mov x0, x19
  '0108a0d2', // mov x1, #0x400000
  '620080d2', // mov x2, #3
  '430680d2', // mov x3, #0x32
  '04008092', // mov x4, #-1
  '050080d2', // mov x5, #0
  'c81b80d2', // mov x8, #222
  '010000d4', // svc #0
  '8010f8b7', // tbnz x0, #63, giveup
  // It is ready, and says so on the report.
  '490a80d2', // mov x9, #82
  'e90f1ff8', // str x9, [sp, #-16]!
  'c00080d2', // mov x0, #6
  'e1030091', // mov x1, sp
  '220080d2', // mov x2, #1
  '080880d2', // mov x8, #64
  '010000d4', // svc #0
  // The order, which begins with its length, in as many pieces as it comes: read.
  '140080d2', // mov x20, #0
  // more:
  '000080d2', // mov x0, #0
  '6102148b', // add x1, x19, x20
  '0208a0d2', // mov x2, #0x400000
  '420014cb', // sub x2, x2, x20
  'e80780d2', // mov x8, #63
  '010000d4', // svc #0
  '1f0000f1', // cmp x0, #0
  '8d0e0054', // b.le giveup
  '9402008b', // add x20, x20, x0
  '9f2200f1', // cmp x20, #8
  'c3feff54', // b.lo more
  '690240f9', // ldr x9, [x19]
  '9f0209eb', // cmp x20, x9
  '63feff54', // b.lo more
  // It has begun.
  '490880d2', // mov x9, #66
  'e90f1ff8', // str x9, [sp, #-16]!
  'c00080d2', // mov x0, #6
  'e1030091', // mov x1, sp
  '220080d2', // mov x2, #1
  '080880d2', // mov x8, #64
  '010000d4', // svc #0
  // Nobody inside opens what is ours, above all the report: prctl, PR_SET_DUMPABLE.
  '800080d2', // mov x0, #4
  '010080d2', // mov x1, #0
  'e81480d2', // mov x8, #167
  '010000d4', // svc #0
  // The report is closed in whatever is started: fcntl.
  'c00080d2', // mov x0, #6
  '410080d2', // mov x1, #2
  '220080d2', // mov x2, #1
  '280380d2', // mov x8, #25
  '010000d4', // svc #0
  // The limits, up to a resource that is none: prlimit64.
  '75a20091', // add x21, x19, #40
  // limit:
  'a10240f9', // ldr x1, [x21]
  '2101f8b7', // tbnz x1, #63, limited
  '000080d2', // mov x0, #0
  'a2220091', // add x2, x21, #8
  '030080d2', // mov x3, #0
  'a82080d2', // mov x8, #261
  '010000d4', // svc #0
  'a00a00b5', // cbnz x0, giveup
  'b5620091', // add x21, x21, #24
  'f7ffff17', // b limit
  // The folder: chdir.
  // limited:
  '601240f9', // ldr x0, [x19, #32]
  '280680d2', // mov x8, #49
  '010000d4', // svc #0
  'e00900b5', // cbnz x0, giveup
  // Its input takes the place of our orders: dup3, close.
  '600080d2', // mov x0, #3
  '010080d2', // mov x1, #0
  '020080d2', // mov x2, #0
  '080380d2', // mov x8, #24
  '010000d4', // svc #0
  '2009f8b7', // tbnz x0, #63, giveup
  '600080d2', // mov x0, #3
  '280780d2', // mov x8, #57
  '010000d4', // svc #0
  // No signal that can be blocked ends us before the child, which may send one at once: rt_sigprocmask.
  '09008092', // mov x9, #-1
  'ff27bfa9', // stp xzr, x9, [sp, #-16]!
  '000080d2', // mov x0, #0
  'e1230091', // add x1, sp, #8
  'e2030091', // mov x2, sp
  '030180d2', // mov x3, #8
  'e81080d2', // mov x8, #135
  '010000d4', // svc #0
  // A child, which has our memory until it is another program: clone with CLONE_VM, CLONE_VFORK and SIGCHLD.
  '202288d2', // mov x0, #0x4111
  '010080d2', // mov x1, #0
  '020080d2', // mov x2, #0
  '030080d2', // mov x3, #0
  '040080d2', // mov x4, #0
  '881b80d2', // mov x8, #220
  '010000d4', // svc #0
  'c006f8b7', // tbnz x0, #63, giveup
  '200300b5', // cbnz x0, parent
  // Here the child, in a session of its own, so that a signal to its group does not meet us: setsid.
  'a81380d2', // mov x8, #157
  '010000d4', // svc #0
  // It blocks what was blocked before: rt_sigprocmask.
  '400080d2', // mov x0, #2
  'e1030091', // mov x1, sp
  '020080d2', // mov x2, #0
  '030180d2', // mov x3, #8
  'e81080d2', // mov x8, #135
  '010000d4', // svc #0
  // execve, which does not come back.
  '600640f9', // ldr x0, [x19, #8]
  '610a40f9', // ldr x1, [x19, #16]
  '620e40f9', // ldr x2, [x19, #24]
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
  // What the child writes to ends with the child: close twice.
  // parent:
  'f30300aa', // mov x19, x0
  '200080d2', // mov x0, #1
  '280780d2', // mov x8, #57
  '010000d4', // svc #0
  '400080d2', // mov x0, #2
  '280780d2', // mov x8, #57
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
  'c1010054', // b.ne giveup
  'c00080d2', // mov x0, #6
  'e1030091', // mov x1, sp
  '820080d2', // mov x2, #4
  '080880d2', // mov x8, #64
  '010000d4', // svc #0
  // Whoever it has left behind may still write for it, until all of us are ended: ppoll, of nothing.
  // told:
  '000080d2', // mov x0, #0
  '010080d2', // mov x1, #0
  '020080d2', // mov x2, #0
  '030080d2', // mov x3, #0
  '040080d2', // mov x4, #0
  '280980d2', // mov x8, #73
  '010000d4', // svc #0
  'f9ffff17', // b told
  // exit 126, without a report.
  // giveup:
  'c00f80d2', // mov x0, #126
  'a80b80d2', // mov x8, #93
  '010000d4', // svc #0
];
