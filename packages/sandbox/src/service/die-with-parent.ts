import { openLibc } from '../libc.ts';

const PRCTL = process.arch === 'arm64' ? 167 : 157;
const PR_SET_PDEATHSIG = 1;
const SIGKILL = 9;

/**
 * For the process that makes sandboxes, once and first: the kernel ends it with whoever started it, also
 * while it is busy, and each sandbox with it. What it leaves on the disk the next one takes away.
 * Contract: throws SANDBOX_UNAVAILABLE; elsewhere than on Linux the end of the channel has to do.
 */
export function dieWithParent(): void {
  if (process.platform === 'linux') openLibc().syscall(PRCTL, [PR_SET_PDEATHSIG, SIGKILL]);
}
