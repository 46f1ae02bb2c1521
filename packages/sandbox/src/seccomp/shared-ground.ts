import type { Answer, Check } from './rules.ts';

/** Sockets, queues and shared memory of the machine; what has owners; what tells of others' files. */
const REFUSED: readonly string[] = [
  'socket mq_open mq_unlink',
  'shmget shmat shmctl shmdt semget semop semctl semtimedop msgget msgsnd msgrcv msgctl',
  'chown fchown lchown fchownat',
  // No library uses them any more.
  'utime utimes futimesat',
].flatMap((names) => names.split(' '));
/** As on a kernel without them: programs then look for themselves. */
const ABSENT: readonly string[] = ['inotify_init', 'inotify_init1', 'inotify_add_watch'];
/** As on a file system without them: what else is kept with a file outside is not to be read or set. */
const UNSUPPORTED: readonly string[] = [
  'getxattr lgetxattr listxattr llistxattr',
  'setxattr lsetxattr fsetxattr removexattr lremovexattr fremovexattr',
].flatMap((names) => names.split(' '));

const SET_ID_BITS = 0o6000;
const AF_UNIX = 1;
const PRIO_PROCESS = 0;
const IOPRIO_WHO_PROCESS = 1;
/** Connected for good, with every combination of close-on-exec and no waiting. A pair that is not could be sent elsewhere. */
const STREAMS = [1, 5].flatMap((type) => [0, 0x800, 0x8_0000, 0x8_0800].map((flag) => type | flag));

export const SHARED_ANSWERS: ReadonlyMap<string, Answer> = new Map<string, Answer>([
  ...REFUSED.map((name) => [name, 'EPERM'] as const),
  ...ABSENT.map((name) => [name, 'ENOSYS'] as const),
  ...UNSUPPORTED.map((name) => [name, 'EOPNOTSUPP'] as const),
]);

/** The settings of other processes of the account are none of a command's: only its own, told as 0. */
function onlySelf(argument: number): Check {
  return { kind: 'only', argument, allow: [0] };
}

/** Landlock looks neither at modes nor at times: whoever listens sets them, in the workspace alone. */
function modeAsked(argument: number): Check {
  return { kind: 'bits', argument, refuse: SET_ID_BITS, otherwise: 'ask' };
}

export const SHARED_CHECKS: ReadonlyMap<string, Check> = new Map<string, Check>([
  ['chmod', modeAsked(1)],
  ['fchmod', modeAsked(1)],
  ['fchmodat', modeAsked(2)],
  ['utimensat', { kind: 'null', argument: 1 }],
  [
    'socketpair',
    {
      kind: 'if',
      argument: 0,
      allow: [AF_UNIX],
      further: { kind: 'only', argument: 1, allow: STREAMS },
    },
  ],
  ['setpriority', { kind: 'if', argument: 0, allow: [PRIO_PROCESS], further: onlySelf(1) }],
  ['ioprio_set', { kind: 'if', argument: 0, allow: [IOPRIO_WHO_PROCESS], further: onlySelf(1) }],
  ['sched_setaffinity', onlySelf(0)],
  ['sched_setattr', onlySelf(0)],
  ['sched_setparam', onlySelf(0)],
  ['sched_setscheduler', onlySelf(0)],
  [
    'prlimit64',
    {
      kind: 'if',
      argument: 0,
      allow: [0],
      further: { kind: 'core-limit', resource: 1, limit: 2 },
    },
  ],
]);
