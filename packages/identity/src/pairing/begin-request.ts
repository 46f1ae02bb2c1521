import { type Bytes, PalyraError, parseId } from '@palyra/kernel';
import { type BeginPairingRequest, DeviceKind, PairingSecret } from '@palyra/protocol';
import type { CertificateRequest } from '../authority/issue.ts';
import { checkDeviceName } from '../registry/shown-name.ts';

/** The first message of a new device, checked in every way that needs no secret. */
export interface BeginOrder {
  /** As sent: empty for the only one that waits. */
  readonly pairingId: string;
  /** INVARIANT: one of those that there are. */
  readonly secret: PairingSecret;
  readonly name: string;
  readonly kind: DeviceKind;
  readonly share: Bytes;
  readonly certificateRequest: Bytes;
  /** Read from the certificate request. */
  readonly request: CertificateRequest;
}

type ReadRequest = (der: Uint8Array) => Promise<CertificateRequest>;

/**
 * Contract: INVALID_INPUT for anything malformed. The cheap checks come first, those that do
 * arithmetic last.
 */
export async function readBeginRequest(
  message: BeginPairingRequest,
  readRequest: ReadRequest,
): Promise<BeginOrder> {
  const { pairingId, name, kind, secret } = message;
  if (!isSecretKind(secret)) throw malformed('`secret` names no kind of secret');
  if (!isKind(kind)) throw malformed('`kind` names no kind of device');
  checkDeviceName(name);
  checkPairingId(pairingId, secret);
  const share = await readShare(message.share);
  const certificateRequest = Uint8Array.from(message.certificateRequest);
  const request = await readRequest(certificateRequest);
  return { pairingId, secret, name, kind, share, certificateRequest, request };
}

/** Contract: INVALID_INPUT unless it is an uncompressed point of P-256. */
export async function readShare(bytes: Uint8Array): Promise<Bytes> {
  const { isShare } = await import('@palyra/pake');
  if (!isShare(bytes)) throw malformed('`share` is not an uncompressed point of P-256');
  return Uint8Array.from(bytes);
}

const SECRETS: ReadonlySet<PairingSecret> = new Set(Object.values(PairingSecret));
const KINDS: ReadonlySet<DeviceKind> = new Set(Object.values(DeviceKind));

/** A number from outside may be of a newer client. */
function isSecretKind(secret: PairingSecret): boolean {
  return secret !== PairingSecret.UNSPECIFIED && SECRETS.has(secret);
}

function isKind(kind: DeviceKind): boolean {
  return kind !== DeviceKind.UNSPECIFIED && KINDS.has(kind);
}

function checkPairingId(pairingId: string, secret: PairingSecret): void {
  const isAbsent = pairingId === '';
  if (secret === PairingSecret.LOCAL && !isAbsent) {
    throw malformed('`pairing_id` has no place where the secret is that of this machine');
  }
  if (!isAbsent && parseId(pairingId) === undefined) throw malformed('`pairing_id` is no id');
}

function malformed(message: string): PalyraError {
  return new PalyraError('INVALID_INPUT', message, {
    help: 'let the Palyra client of the same version ask',
  });
}
