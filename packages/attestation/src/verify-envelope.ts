import { fromJson } from '@bufbuild/protobuf';
import {
  type Bytes,
  type JsonObject,
  PUBLIC_KEY_BYTES,
  duplicateKey,
  fromBase64,
  isJsonObject,
  keyIdOf,
  verifySignature,
} from '@palyra/kernel';
import { type ToolAttestation, ToolAttestationSchema } from '@palyra/protocol';
import { PAYLOAD_TYPE, preAuthenticationBytes } from './envelope.ts';
import { statementBytes } from './statement.ts';
import { verifyAttestation } from './verify-attestation.ts';

export type EnvelopeVerdict =
  | {
      readonly verdict: 'verified';
      readonly attestation: ToolAttestation;
      /** SHA-256, in hex, of the key that signed both. */
      readonly keyId: string;
    }
  | { readonly verdict: 'broken'; readonly reason: string };

/** Longer than any attestation that a gateway makes. */
export const MAX_ENVELOPE_BYTES = 65_536;

/**
 * Whether the holder of the key signed this envelope, and the attestation in it.
 * Without a key, that which the envelope names: it then holds together, and whose key it is the
 * reader judges by `keyId`.
 * Contract: never throws; what is malformed, or says more than was signed, is broken.
 */
export async function verifyEnvelope(
  envelope: Uint8Array,
  publicKey?: Bytes,
): Promise<EnvelopeVerdict> {
  const read = readEnvelope(envelope);
  if (read === undefined) return broken('it is not a DSSE envelope of one in-toto statement');
  const { payload, signature, keyId } = read;
  const statement = readStatement(payload);
  if (statement === undefined) return broken('its statement is not about a tool call of Palyra');
  const key = publicKey ?? statement.publicKey;
  if (keyId !== keyIdOf(key)) return broken('it names another key than the one it is checked with');
  if (!(await verifySignature(key, preAuthenticationBytes(payload), signature))) {
    return broken('the envelope is not signed by this key');
  }
  const { attestation } = statement;
  if (!(await verifyAttestation(attestation, key))) {
    return broken('the attestation in it is not signed by this key');
  }
  if (!isSame(statementBytes(attestation, key), payload)) {
    return broken('the statement says something else than the attestation in it');
  }
  return { verdict: 'verified', attestation, keyId };
}

interface ReadEnvelope {
  readonly payload: Bytes;
  readonly signature: Bytes;
  readonly keyId: string;
}

function readEnvelope(bytes: Uint8Array): ReadEnvelope | undefined {
  if (bytes.length > MAX_ENVELOPE_BYTES) return undefined;
  const { payload, payloadType, signatures, ...more } = parseObject(bytes) ?? {};
  const [signed, ...others] = Array.isArray(signatures) ? signatures : [];
  if (payloadType !== PAYLOAD_TYPE || !isJsonObject(signed)) return undefined;
  const { keyid, sig, ...unknown } = signed;
  // What stands beside the signed payload is vouched for by nobody.
  if (others.length + Object.keys({ ...more, ...unknown }).length > 0) return undefined;
  const [statement, signature] = [fromBase64Text(payload), fromBase64Text(sig)];
  if (statement === undefined || signature === undefined) return undefined;
  return typeof keyid === 'string' ? { payload: statement, signature, keyId: keyid } : undefined;
}

function readStatement(
  payload: Bytes,
): { readonly attestation: ToolAttestation; readonly publicKey: Bytes } | undefined {
  const predicate = parseObject(payload)?.['predicate'];
  if (!isJsonObject(predicate)) return undefined;
  const publicKey = fromBase64Text(predicate['publicKey']);
  const attestation = readAttestation(predicate['attestation']);
  if (attestation === undefined || publicKey?.length !== PUBLIC_KEY_BYTES) return undefined;
  return { attestation, publicKey };
}

function readAttestation(json: unknown): ToolAttestation | undefined {
  try {
    return isJsonObject(json) ? fromJson(ToolAttestationSchema, { ...json }) : undefined;
  } catch {
    // Fields that this version does not know, or values that are none of theirs.
    return undefined;
  }
}

function parseObject(bytes: Uint8Array): JsonObject | undefined {
  try {
    const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
    const value: unknown = JSON.parse(text);
    // Another reader might take the other of two values, which nobody has signed.
    return isJsonObject(value) && duplicateKey(text) === undefined ? value : undefined;
  } catch {
    // Not JSON: the callers say what that means.
    return undefined;
  }
}

function fromBase64Text(value: unknown): Bytes | undefined {
  return typeof value === 'string' ? fromBase64(value) : undefined;
}

function isSame(left: Uint8Array, right: Uint8Array): boolean {
  return left.length === right.length && left.every((byte, place) => byte === right[place]);
}

function broken(reason: string): EnvelopeVerdict {
  return { verdict: 'broken', reason };
}
