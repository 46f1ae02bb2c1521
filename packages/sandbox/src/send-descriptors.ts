import { type Libc, loadFfi } from './libc.ts';

const SENDMSG = process.arch === 'arm64' ? 211 : 46;
const WITHOUT_SIGNAL = 0x4000;
const [SOL_SOCKET, SCM_RIGHTS] = [1, 1];
/** As many as the kernel hands over at once. */
export const MOST_SENT = 253;
const HEAD_BYTES = 16;

/** Contract: ours stay open; `false` when nobody took them, or they are too many. */
export type SendDescriptors = (socket: number, descriptors: readonly number[]) => boolean;

/** Hands descriptors to whoever holds the other end of a socket, with one byte that says how many. */
export function openSend(libc: Libc): SendDescriptors {
  const memory = sendMemory();
  return (socket, descriptors) => {
    const { message, beside, count } = memory;
    if (descriptors.length > MOST_SENT) return false;
    count.writeUInt8(descriptors.length);
    const length = HEAD_BYTES + 4 * descriptors.length;
    message.writeBigUInt64LE(BigInt(length), 40);
    beside.writeBigUInt64LE(BigInt(length), 0);
    for (const [place, each] of descriptors.entries()) {
      beside.writeInt32LE(each, HEAD_BYTES + 4 * place);
    }
    return libc.syscall(SENDMSG, [socket, message, WITHOUT_SIGNAL]) === count.length;
  };
}

/**
 * All that the system reads. INVARIANT: ours as long as anything is sent, and the same each time: what only a
 * number points at would be taken away from under it.
 */
function sendMemory() {
  const { getRawPointer: at } = loadFfi();
  const memory = {
    message: Buffer.alloc(56),
    vector: Buffer.alloc(16),
    beside: Buffer.alloc(HEAD_BYTES + 4 * MOST_SENT),
    count: Buffer.alloc(1),
  };
  const { message, vector, beside, count } = memory;
  vector.writeBigUInt64LE(at(count), 0);
  vector.writeBigUInt64LE(BigInt(count.length), 8);
  beside.writeInt32LE(SOL_SOCKET, 8);
  beside.writeInt32LE(SCM_RIGHTS, 12);
  message.writeBigUInt64LE(at(vector), 16);
  message.writeBigUInt64LE(1n, 24);
  message.writeBigUInt64LE(at(beside), 32);
  return memory;
}
