import type { Answer } from './model-server.fixture.ts';

/** Numbers that look like chance and are the same for the same seed. */
export function seeded(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

export const FAULTS = ['reset', 'truncate', 'close', 'stall', 'garbage', 'refuse'] as const;
export type Fault = (typeof FAULTS)[number];

/** None of it is JSON wherever it falls, so that no reader may take it for something said. */
const GARBAGE: readonly Uint8Array[] = [
  Uint8Array.of(0xff, 0xfe, 0xfd),
  Uint8Array.of(0x00),
  Uint8Array.of(0xc3, 0x28),
  Buffer.from('\n\ndata: {"cut\n\n'),
  Buffer.from('\n\nHTTP/1.1 502 Bad Gateway\r\n\r\n'),
];

/** The answer, cut into pieces of any size, with one fault at any place. */
export function chaotic(text: string, fault: Fault, random: () => number): Answer {
  const bytes = Buffer.from(text);
  const place = Math.floor(random() * (bytes.length + 1));
  const garbage = GARBAGE[Math.floor(random() * GARBAGE.length)] ?? Uint8Array.of(0);
  const sizes = Array.from({ length: 64 }, () => 1 + Math.floor(random() * 97));
  return (response, socket) => {
    if (fault === 'refuse') return void socket.resetAndDestroy();
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.flushHeaders();
    const write = (part: Uint8Array, then?: () => void) => {
      for (const piece of inPieces(part, sizes)) response.write(piece);
      if (then !== undefined) response.write('', then);
    };
    switch (fault) {
      case 'reset':
        return write(bytes.subarray(0, place), () => socket.resetAndDestroy());
      case 'truncate':
        return write(bytes.subarray(0, place), () => socket.end());
      case 'close':
        // A proxy that ends the answer as if that were all of it.
        write(bytes.subarray(0, place));
        return void response.end();
      case 'stall':
        return write(bytes.subarray(0, place));
      case 'garbage':
        write(bytes.subarray(0, place));
        write(garbage);
        write(bytes.subarray(place));
        return void response.end();
    }
  };
}

function* inPieces(bytes: Uint8Array, sizes: readonly number[]): Generator<Uint8Array> {
  let start = 0;
  for (let turn = 0; start < bytes.length; turn += 1) {
    const end = start + (sizes[turn % sizes.length] ?? 1);
    yield bytes.subarray(start, end);
    start = end;
  }
}
