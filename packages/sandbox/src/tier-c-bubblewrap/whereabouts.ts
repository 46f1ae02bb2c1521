import type { Libc } from '../libc.ts';

/** What something is, and on which mount it lies, as the kernel numbers them. */
export interface Whereabouts {
  readonly device: bigint;
  readonly inode: bigint;
  readonly mount: bigint;
}

const STATX = process.arch === 'arm64' ? 291 : 332;
const AT_SYMLINK_NOFOLLOW = 0x100;
const AT_NO_AUTOMOUNT = 0x800;
const AT_EMPTY_PATH = 0x1000;
const STATX_INO = 0x100;
const STATX_MNT_ID = 0x1000;
/** Where the answer has what was asked for. */
const AT = { mask: 0, inode: 32, device: 136, mount: 144 } as const;
const ANSWER_BYTES = 256;

/**
 * Of one name in an open folder, itself and not what it points to; with '' of what is open.
 * Contract: `name` has no slash in it. `undefined` for what is not there, or of which the kernel tells less.
 */
export function whereabouts(libc: Libc, descriptor: number, name: string): Whereabouts | undefined {
  const answer = Buffer.alloc(ANSWER_BYTES);
  const wanted = STATX_INO | STATX_MNT_ID;
  const flags = AT_SYMLINK_NOFOLLOW | AT_NO_AUTOMOUNT | AT_EMPTY_PATH;
  const words = [descriptor, Buffer.from(`${name}\0`), flags, wanted, answer];
  if (libc.syscall(STATX, words) !== 0) return undefined;
  if ((answer.readUInt32LE(AT.mask) & wanted) !== wanted) return undefined;
  return {
    device: answer.readBigUInt64LE(AT.device),
    inode: answer.readBigUInt64LE(AT.inode),
    mount: answer.readBigUInt64LE(AT.mount),
  };
}
