import type { Libc } from './libc.ts';

/** What the kernel has to say of a descriptor. */
const EVENTS = { readable: 1, urgent: 2 } as const;

/** Asks, without waiting, whether a descriptor is so now. Contract: whatever is not a plain no is a yes. */
export function pollNow(libc: Libc, descriptor: number, event: keyof typeof EVENTS): () => boolean {
  const asked = Buffer.alloc(8);
  asked.writeInt32LE(descriptor, 0);
  asked.writeInt16LE(EVENTS[event], 4);
  const ask = libc.poll(asked);
  return () => ask() !== 0;
}
