import { SHARED_ANSWERS, SHARED_CHECKS } from './shared-ground.ts';

/** What a program gets for an answer: its call, an error, or its end. */
export type Answer = 'allow' | 'EPERM' | 'ENOSYS' | 'EOPNOTSUPP';

/** Which calls are answered by looking at an argument; the others by their name alone. */
export type Check =
  /** Refused when any of these bits is set. */
  | {
      readonly kind: 'bits';
      readonly argument: number;
      readonly refuse: number;
      /** Whoever listens to the filter does it instead. */
      readonly otherwise?: 'ask';
    }
  /** Refused when it is one of these. */
  | { readonly kind: 'values'; readonly argument: number; readonly refuse: readonly number[] }
  /** Allowed only when it is one of these. */
  | { readonly kind: 'only'; readonly argument: number; readonly allow: readonly number[] }
  /** Only when it is one of these is it looked at further. */
  | {
      readonly kind: 'if';
      readonly argument: number;
      readonly allow: readonly number[];
      readonly further: Check;
    }
  /** Allowed without that pointer; with it, whoever listens to the filter does it. */
  | { readonly kind: 'null'; readonly argument: number }
  /** A mode counts only when the flags create something. */
  | {
      readonly kind: 'mode-on-create';
      readonly flags: number;
      readonly create: number;
      readonly mode: number;
      readonly refuse: number;
    }
  /** A limit for core dumps stays what it is; asking for it, without a new one, is fine. */
  | { readonly kind: 'core-limit'; readonly resource: number; readonly limit?: number }
  /** Only these families; netlink only with the protocol of routes. */
  | { readonly kind: 'families'; readonly allow: readonly number[]; readonly netlink: boolean };

export interface FilterTerms {
  /** Sockets of the machine's own kind can reach daemons outside when their file is visible. */
  readonly unixSockets: 'allow' | 'refuse';
  /** Memory of no process escapes every limit but a cgroup's. */
  readonly memoryFiles: 'allow' | 'refuse';
  /** No namespace stands between the process and the rest of the machine: the filter does, alone. */
  readonly ground?: 'shared';
}

/** Calls that reach other processes, the kernel, mounts, clocks or devices. */
const REFUSED: readonly string[] = [
  'ptrace process_vm_readv process_vm_writev kcmp pidfd_getfd',
  'process_madvise process_mrelease migrate_pages move_pages',
  'bpf perf_event_open userfaultfd lookup_dcookie',
  'keyctl add_key request_key',
  'mount umount2 pivot_root chroot fsopen fsconfig fsmount fspick',
  'open_tree move_mount mount_setattr quotactl quotactl_fd acct',
  'setns unshare name_to_handle_at open_by_handle_at',
  'fanotify_init fanotify_mark syslog vhangup',
  'create_module init_module finit_module delete_module',
  'kexec_load kexec_file_load reboot swapon swapoff',
  'settimeofday clock_settime clock_adjtime adjtimex',
  'sethostname setdomainname iopl ioperm modify_ldt',
  'mbind set_mempolicy set_mempolicy_home_node memfd_secret',
].flatMap((names) => names.split(' '));

/** As on a kernel without them: libraries then use what can be checked. */
const ABSENT: readonly string[] = [
  'io_uring_setup io_uring_enter io_uring_register',
  // Its flags stand in memory, where a filter cannot look; libc falls back to clone.
  'clone3',
  // Likewise: its mode could make a set-id file.
  'openat2',
  '_sysctl get_kernel_syms query_module nfsservctl getpmsg putpmsg',
  'afs_syscall tuxcall security vserver uselib epoll_ctl_old epoll_wait_old',
].flatMap((names) => names.split(' '));

const SET_ID_BITS = 0o6000;
const O_CREAT = 0o100;
const O_TMPFILE_BIT = 0o20000000;
const CREATES = O_CREAT | O_TMPFILE_BIT;
/** Every kind of namespace: time, mount, cgroup, uts, ipc, user, pid, net. */
const NEW_NAMESPACES = 0x7e02_0080;
const TIOCSTI = 0x5412;
const TIOCLINUX = 0x541c;
const AT_EMPTY_PATH = 0x1000;
const AF = { unix: 1, inet: 2, inet6: 10, netlink: 16 } as const;
/** Plain Linux, 32 bits of it, the old version number, both, and the question what it is. */
const HARMLESS_PERSONALITIES = [0, 0x8, 0x2_0000, 0x2_0008, 0xffff_ffff] as const;

/** Memory that belongs to no process, so that no limit of a process binds it. */
const MEMORY_FILES: readonly string[] = ['memfd_create', 'shmget', 'msgget', 'semget'];

export function answerOf(name: string, terms: FilterTerms): Answer {
  const shared = terms.ground === 'shared' ? SHARED_ANSWERS.get(name) : undefined;
  if (shared !== undefined) return shared;
  if (ABSENT.includes(name)) return 'ENOSYS';
  if (REFUSED.includes(name)) return 'EPERM';
  if (terms.memoryFiles === 'refuse' && MEMORY_FILES.includes(name)) return 'EPERM';
  return 'allow';
}

export function checkOf(name: string, terms: FilterTerms): Check | undefined {
  if (terms.ground === 'shared') {
    return SHARED_ANSWERS.has(name) ? undefined : (SHARED_CHECKS.get(name) ?? CHECKS.get(name));
  }
  if (name === 'socket' && terms.unixSockets === 'allow') {
    return { kind: 'families', allow: [AF.unix, AF.inet, AF.inet6], netlink: true };
  }
  return CHECKS.get(name);
}

const CHECKS: ReadonlyMap<string, Check> = new Map<string, Check>([
  ['clone', { kind: 'bits', argument: 0, refuse: NEW_NAMESPACES }],
  ['ioctl', { kind: 'values', argument: 1, refuse: [TIOCSTI, TIOCLINUX] }],
  ['personality', { kind: 'only', argument: 0, allow: HARMLESS_PERSONALITIES }],
  ['execveat', { kind: 'bits', argument: 4, refuse: AT_EMPTY_PATH }],
  ['socket', { kind: 'families', allow: [AF.inet, AF.inet6], netlink: true }],
  ['socketpair', { kind: 'only', argument: 0, allow: [AF.unix] }],
  ['chmod', { kind: 'bits', argument: 1, refuse: SET_ID_BITS }],
  ['fchmod', { kind: 'bits', argument: 1, refuse: SET_ID_BITS }],
  ['fchmodat', { kind: 'bits', argument: 2, refuse: SET_ID_BITS }],
  ['mknod', { kind: 'bits', argument: 1, refuse: SET_ID_BITS }],
  ['mknodat', { kind: 'bits', argument: 2, refuse: SET_ID_BITS }],
  ['creat', { kind: 'bits', argument: 1, refuse: SET_ID_BITS }],
  // A core dump of none is still handed to the machine's own handler; one of a single byte is not.
  ['setrlimit', { kind: 'core-limit', resource: 0 }],
  ['prlimit64', { kind: 'core-limit', resource: 1, limit: 2 }],
  ['open', modeOnCreate(1)],
  ['openat', modeOnCreate(2)],
]);

function modeOnCreate(flags: number): Check {
  return { kind: 'mode-on-create', flags, create: CREATES, mode: flags + 1, refuse: SET_ID_BITS };
}

/** Every name that is spoken of here, so that a test can find a misspelt one. */
export const NAMED: readonly string[] = [
  ...REFUSED,
  ...ABSENT,
  ...CHECKS.keys(),
  ...MEMORY_FILES,
  ...SHARED_ANSWERS.keys(),
  ...SHARED_CHECKS.keys(),
];
