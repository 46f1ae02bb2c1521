import { fromJson } from '@bufbuild/protobuf';
import { PalyraError, isJsonObject } from '@palyra/kernel';
import { type ToolAttestation, ToolAttestationSchema } from '@palyra/protocol';
import type { Shell } from './command.ts';
import { askDaemonProgram } from './daemon-program.ts';

export type AttestationVerdict =
  | {
      readonly verdict: 'verified';
      readonly attestation: ToolAttestation;
      readonly keyId: string;
    }
  | { readonly verdict: 'broken'; readonly reason: string };

/** Longer than any that a gateway makes, and short enough for one argument of a program. */
export const MAX_ENVELOPE_BYTES = 65_536;

/**
 * Checks an envelope here, with no daemon.
 * Contract: throws EXPORT_MALFORMED for bytes that are no JSON object; every other edit is `broken`.
 */
export async function checkEnvelope(shell: Shell, bytes: Uint8Array): Promise<AttestationVerdict> {
  const answer = await askDaemonProgram(shell, ['attest', 'verify', oneArgument(bytes)]);
  const { verdict, attestation, keyId, reason } = answer;
  if (verdict === 'verified' && isJsonObject(attestation) && typeof keyId === 'string') {
    return { verdict, attestation: fromJson(ToolAttestationSchema, { ...attestation }), keyId };
  }
  // Whatever is not clearly verified is not verified.
  return { verdict: 'broken', reason: typeof reason === 'string' ? reason : 'no verdict came' };
}

/** What holds together and was signed by another key is not what was asked for. */
export function withKeyOf(verdict: AttestationVerdict, keyId: string): AttestationVerdict {
  if (verdict.verdict === 'broken' || verdict.keyId === keyId) return verdict;
  return { verdict: 'broken', reason: `it is signed by another key, ${verdict.keyId}` };
}

/** Written anew, because a file may hold bytes that no argument can carry. */
function oneArgument(bytes: Uint8Array): string {
  const text = JSON.stringify(parsed(bytes));
  if (text.startsWith('{') && text.length <= MAX_ENVELOPE_BYTES) return text;
  throw notAnEnvelope();
}

function parsed(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch (cause) {
    throw notAnEnvelope(cause);
  }
}

export function notAnEnvelope(cause?: unknown): PalyraError {
  return new PalyraError('EXPORT_MALFORMED', 'the file is not an exported attestation', {
    cause,
    help: 'make one with `palyra attest export CALL --out FILE`',
  });
}
