/**
 * How a page of the console proves a call: it signs what it asks for with the key of its session.
 * Both ends take the words from here, so that they cannot come to differ.
 */
export const CONSOLE_PROOF_HEADER = 'x-palyra-proof';
/** How far the time of a proof may be from the gateway's, either way. */
export const CONSOLE_PROOF_WINDOW_MS = 60_000;
export const CONSOLE_NONCE_BYTES = 16;

const FORMAT = 'palyra.console-proof.v1';
/** 16 and 64 bytes. The last character of both carries two bits: only four spellings are real. */
const HEADER = /^v1\.(?<time>\d{13})\.(?<nonce>[\w-]{21}[AQgw])\.(?<signature>[\w-]{85}[AQgw])$/;

export interface ConsoleCall {
  readonly timeMs: number;
  /** Base64url; used once. */
  readonly nonce: string;
  readonly method: string;
  /** With its query, as it stands in the request. */
  readonly path: string;
  /** With its port: a proof for one gateway of a machine is none for another. */
  readonly host: string;
}

export interface ConsoleProof extends Pick<ConsoleCall, 'timeMs' | 'nonce'> {
  /** ECDSA on P-256 with SHA-256: r and s one after the other, in base64url. */
  readonly signature: string;
}

/** What is signed. A list in JSON, so that no two calls have the same text. */
export function consoleProofText({ timeMs, nonce, method, path, host }: ConsoleCall): string {
  return JSON.stringify([FORMAT, String(timeMs), nonce, method, path, host]);
}

export function writeConsoleProof({ timeMs, nonce, signature }: ConsoleProof): string {
  return `v1.${timeMs}.${nonce}.${signature}`;
}

/** Contract: `undefined` for anything that is not exactly what `writeConsoleProof` writes. */
export function readConsoleProof(header: string): ConsoleProof | undefined {
  const { time, nonce, signature } = HEADER.exec(header)?.groups ?? {};
  if (time === undefined || nonce === undefined || signature === undefined) return undefined;
  return { timeMs: Number(time), nonce, signature };
}
