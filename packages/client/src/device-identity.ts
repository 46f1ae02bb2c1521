import { type JsonObject, isJsonObject } from '@palyra/kernel';
import type { TlsGateway } from './tls-transports.ts';

/** Who this device is to one gateway. Certificates and key as PEM. */
export interface DeviceIdentity {
  /** What the gateway is called on this device: `local`, or as the person chose. */
  readonly gateway: string;
  readonly address: string;
  readonly deviceId: string;
  readonly deviceName: string;
  readonly key: string;
  readonly certificate: string;
  readonly authorities: readonly string[];
  /** Of the authority that issued the certificate. */
  readonly authorityId: string;
  readonly notBefore: string;
  readonly notAfter: string;
}

/** The gateway on this machine, of this user. */
export const LOCAL = 'local';

export function serverNameOf(authorityId: string): string {
  return `${authorityId}.palyra.internal`;
}

export function toTlsGateway(identity: DeviceIdentity): TlsGateway {
  const { address, authorities, authorityId, certificate, key } = identity;
  return { address, authorities, certificate, key, serverName: serverNameOf(authorityId) };
}

const FORMAT = 'palyra.device.v1';

export function writeIdentity(identity: DeviceIdentity): string {
  return `${JSON.stringify({ format: FORMAT, ...identity }, undefined, 2)}\n`;
}

/** Contract: `undefined` for anything that `writeIdentity` has not written. */
export function readIdentity(text: string): DeviceIdentity | undefined {
  const fields = parseObject(text);
  if (fields?.['format'] !== FORMAT) return undefined;
  const authorities = textsOf(fields['authorities']);
  const valueOf = (name: keyof DeviceIdentity) => {
    const value = fields[name];
    return typeof value === 'string' ? value : '';
  };
  const identity = {
    gateway: valueOf('gateway'),
    address: valueOf('address'),
    deviceId: valueOf('deviceId'),
    deviceName: valueOf('deviceName'),
    key: valueOf('key'),
    certificate: valueOf('certificate'),
    authorities: authorities ?? [],
    authorityId: valueOf('authorityId'),
    notBefore: valueOf('notBefore'),
    notAfter: valueOf('notAfter'),
  };
  const life = Date.parse(identity.notAfter) - Date.parse(identity.notBefore);
  const isWhole = authorities !== undefined && !Object.values(identity).includes('') && life > 0;
  return isWhole ? identity : undefined;
}

/** Contract: `undefined` for what is no JSON object. */
export function parseObject(text: string): JsonObject | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isJsonObject(value) ? value : undefined;
  } catch {
    // Whoever asks says what is wrong with the file; the parser's words would not help.
    return undefined;
  }
}

/** Contract: `undefined` unless it is a list of texts with at least one in it. */
export function textsOf(value: unknown): readonly string[] | undefined {
  if (!Array.isArray(value)) return undefined;
  const items: readonly unknown[] = value;
  const texts = items.filter((item) => typeof item === 'string');
  return texts.length > 0 && texts.length === items.length ? texts : undefined;
}
