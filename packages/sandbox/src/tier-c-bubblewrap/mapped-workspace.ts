import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync, writeFileSync } from 'node:fs';
import { PalyraError } from '@palyra/kernel';
import type { Libc } from '../libc.ts';
import { noneGiven } from '../out-of-descriptors.ts';
import type { MountPlaces } from './mount-places.ts';
import type { Workspace } from './workspace.ts';

/** A user by number. */
export interface Account {
  readonly uid: number;
  readonly gid: number;
}

/** The first three are the same on every machine that we know. */
const SYSCALLS = {
  open_tree: 428,
  move_mount: 429,
  mount_setattr: 442,
  umount2: process.arch === 'arm64' ? 39 : 166,
} as const;
const OPEN_TREE_CLONE = 1;
const OPEN_TREE_CLOEXEC = 0o2000000;
const AT_EMPTY_PATH = 0x1000;
const AT_RECURSIVE = 0x8000;
const MOUNT_ATTR_IDMAP = 0x0010_0000;
const MOVE_MOUNT_F_EMPTY_PATH = 4;
const MOUNT_ATTR_RDONLY = 1;
/** How what is mounted on it travels: to whoever has a copy of it, or to nobody. */
const MS_PRIVATE = 1 << 18;
const MS_SHARED = 1 << 20;
/** As bwrap wants every mount of a workspace; what has them already it leaves alone. */
const MOUNT_ATTR_HARMLESS = 2 | 4;
const MNT_DETACH = 2;
const AT_FDCWD = -100;
const MOUNT_ATTR_BYTES = 32;
const EMPTY = Buffer.from('\0');

/** A second way to a folder, on which its owner is somebody else. Contract: gone when disposed of. */
export interface MappedWorkspace extends Disposable {
  /** Of the folder, by that way. */
  readonly descriptor: number;
  /**
   * Until then what is laid over a name in it lies in every copy of it, also in one that was made before.
   * From then on nothing that becomes of it reaches a copy. Contract: throws; may be called again.
   */
  readonly part: () => void;
}

export interface MapOptions {
  readonly libc: Libc;
  readonly places: MountPlaces;
  /** Whose ids are whose; absent for a view on which everybody is who they are. */
  readonly namespace: number | undefined;
}

/**
 * Lets a user without rights work in a folder as if it were theirs, while on the disk everything
 * stays its owner's: how a daemon of root gives away nothing of root's.
 * Contract: needs root, in a mount namespace that is ours alone, so that it ends with us.
 * Throws SANDBOX_UNAVAILABLE where the kernel or the file system cannot do it.
 */
export function mapWorkspace(
  { descriptor }: Workspace,
  { libc, places, namespace }: MapOptions,
): MappedWorkspace {
  using undo = new DisposableStack();
  const tree = undo.adopt(cloneTree(libc, descriptor, AT_RECURSIVE), closeSync);
  const set = namespace === undefined ? 0 : MOUNT_ATTR_IDMAP;
  setAttributes(libc, tree, { set, namespace, flags: AT_RECURSIVE, propagation: MS_SHARED });
  const path = places.take();
  let isFree = false;
  undo.defer(() => (isFree ? places.giveBack(path) : places.discard(path)));
  const place = Buffer.from(`${path}\0`);
  const move = [tree, EMPTY, AT_FDCWD, place, MOVE_MOUNT_F_EMPTY_PATH];
  if (libc.syscall(SYSCALLS.move_mount, move) !== 0) throw cannotMap('move_mount');
  const part = () =>
    setAttributes(libc, tree, { set: 0, flags: AT_RECURSIVE, propagation: MS_PRIVATE });
  // INVARIANT: parted first, or whatever lies on it would be taken off every copy together with it.
  undo.defer(() => {
    part();
    isFree = libc.syscall(SYSCALLS.umount2, [place, MNT_DETACH]) === 0;
  });
  const held = undo.move();
  return { descriptor: tree, part, [Symbol.dispose]: () => held.dispose() };
}

/** What is laid, and the name in an open folder that it is laid over. */
export interface Cover {
  readonly source: number;
  readonly folder: number;
  readonly name: string;
}

/** Contract: in a mount namespace of ours, as `mapWorkspace`; over the name itself, never what it points to. */
export function layOver(
  libc: Libc,
  { source, folder, name }: Cover,
  how: 'read-only' | 'writable',
): void {
  const tree = cloneTree(libc, source, 0);
  try {
    const set = MOUNT_ATTR_HARMLESS | (how === 'read-only' ? MOUNT_ATTR_RDONLY : 0);
    setAttributes(libc, tree, { set, flags: 0 });
    const move = [tree, EMPTY, folder, Buffer.from(`${name}\0`), MOVE_MOUNT_F_EMPTY_PATH];
    if (libc.syscall(SYSCALLS.move_mount, move) !== 0) throw cannotMap('move_mount');
  } finally {
    closeSync(tree);
  }
}

function cloneTree(libc: Libc, descriptor: number, recursive: number): number {
  const flags = OPEN_TREE_CLONE | OPEN_TREE_CLOEXEC | AT_EMPTY_PATH | recursive;
  const tree = libc.syscall(SYSCALLS.open_tree, [descriptor, EMPTY, flags]);
  if (tree < 0) throw noneGiven(() => cannotMap('open_tree'));
  return tree;
}

interface Attributes {
  readonly set: number;
  readonly namespace?: number | undefined;
  readonly flags: number;
  readonly propagation?: number;
}

function setAttributes(libc: Libc, tree: number, wish: Attributes): void {
  const { set, namespace = 0, flags, propagation = 0 } = wish;
  const attributes = Buffer.alloc(MOUNT_ATTR_BYTES);
  attributes.writeBigUInt64LE(BigInt(set), 0);
  attributes.writeBigUInt64LE(BigInt(propagation), 16);
  attributes.writeBigUInt64LE(BigInt(namespace), 24);
  const words = [tree, EMPTY, AT_EMPTY_PATH | flags, attributes, MOUNT_ATTR_BYTES];
  if (libc.syscall(SYSCALLS.mount_setattr, words) !== 0) throw cannotMap('mount_setattr');
}

/** A user namespace that says: the owner on the disk is that user here. Contract: an open descriptor. */
export async function mappingNamespace(owner: Account, runAs: Account): Promise<number> {
  const holder = spawn('/usr/bin/unshare', ['--user', '/bin/sh', '-c', 'echo; read -r _'], {
    env: {},
    stdio: ['pipe', 'pipe', 'ignore'],
  });
  const exited = once(holder, 'exit');
  try {
    await said(holder);
    writeFileSync(`/proc/${holder.pid}/uid_map`, `${owner.uid} ${runAs.uid} 1\n`);
    writeFileSync(`/proc/${holder.pid}/gid_map`, `${owner.gid} ${runAs.gid} 1\n`);
    return openSync(`/proc/${holder.pid}/ns/user`, 'r');
  } catch (cause) {
    throw cannotMap('a user namespace', cause);
  } finally {
    holder.kill('SIGKILL');
    await exited;
  }
}

async function said({ stdout }: ChildProcess): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    stdout?.once('data', () => resolve());
    stdout?.once('close', () => reject(new TypeError('it ended at once')));
  });
}

export function cannotMap(what: string, cause?: unknown): PalyraError {
  return new PalyraError(
    'SANDBOX_UNAVAILABLE',
    `this machine cannot give a folder of root's to a user without rights (${what})`,
    {
      cause,
      help: 'run the gateway as a user of its own: `useradd --create-home palyra`, then `sudo -u palyra palyra up`',
    },
  );
}
