/** Of what a command prints while it runs so much is kept: the end of it. */
export const MAX_LIVE_BYTES = 64 * 1024;
/** Pieces that take turns between the two streams, as few bytes as they may be. */
const MAX_PIECES = 256;
/** Up to here what comes is put to the piece before it, so that there are few. */
const FULL_PIECE_BYTES = 8 * 1024;

/** What a command prints, as it came, both streams in one order. */
export interface LiveOutput {
  readonly pieces: readonly OutputPiece[];
  /** Printed before what is kept. */
  readonly leftOutBytes: number;
}

export interface OutputPiece {
  readonly isErrorOutput: boolean;
  /** Bytes: a character may come in two halves. */
  readonly bytes: Uint8Array;
}

export const NO_OUTPUT: LiveOutput = { pieces: [], leftOutBytes: 0 };

/** Told from the start, but for what is no longer known. */
export function outputAfter(leftOutBytes: number): LiveOutput {
  return { ...NO_OUTPUT, leftOutBytes };
}

export function addOutput(output: LiveOutput, piece: OutputPiece): LiveOutput {
  return cut({ ...output, pieces: joined(output.pieces, piece) });
}

export function textOf({ bytes }: OutputPiece): string {
  return new TextDecoder().decode(bytes);
}

function joined(pieces: readonly OutputPiece[], next: OutputPiece): readonly OutputPiece[] {
  const last = pieces.at(-1);
  const fits =
    last !== undefined &&
    last.isErrorOutput === next.isErrorOutput &&
    last.bytes.length < FULL_PIECE_BYTES;
  if (!fits) return [...pieces, next];
  const bytes = new Uint8Array(last.bytes.length + next.bytes.length);
  bytes.set(last.bytes);
  bytes.set(next.bytes, last.bytes.length);
  return [...pieces.slice(0, -1), { ...last, bytes }];
}

function cut({ pieces, leftOutBytes }: LiveOutput): LiveOutput {
  const kept: OutputPiece[] = [];
  let room = MAX_LIVE_BYTES;
  let left = leftOutBytes;
  for (const piece of pieces.toReversed()) {
    const taken = kept.length < MAX_PIECES ? Math.min(piece.bytes.length, room) : 0;
    left += piece.bytes.length - taken;
    room -= taken;
    if (taken === 0) continue;
    kept.push({ ...piece, bytes: piece.bytes.subarray(piece.bytes.length - taken) });
  }
  return { pieces: kept.toReversed(), leftOutBytes: left };
}
