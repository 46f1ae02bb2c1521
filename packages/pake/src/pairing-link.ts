/** What the QR code of a pairing says. */
export interface PairingLink {
  /** `host:port`, the likeliest first. */
  readonly addresses: readonly string[];
  /** SHA-256 of the DER form of the active authority, in hex. */
  readonly authorityFingerprint: string;
  readonly pairingId: string;
  /** 256 bits, base64url. */
  readonly token: string;
}

const MAX_LINK_LENGTH = 1_024;
export const MAX_LINK_ADDRESSES = 8;

const START = 'palyra-pair:v1?';

/** Contract: `undefined` for fields that no link can carry, or too many of them. */
export function encodePairingLink(link: PairingLink): string | undefined {
  if (!isSound(link)) return undefined;
  const text = spell(link);
  return text.length > MAX_LINK_LENGTH ? undefined : text;
}

/**
 * Contract: `undefined` for anything that `encodePairingLink` has not written; there is one
 * spelling of each link.
 */
export function parsePairingLink(text: string): PairingLink | undefined {
  if (text.length > MAX_LINK_LENGTH || !text.startsWith(START)) return undefined;
  const fields = text.slice(START.length).split('&').map(splitField);
  const valueOf = (name: string) => fields.find((field) => field.name === name)?.value ?? '';
  const link = {
    addresses: fields.filter(({ name }) => name === 'a').map(({ value }) => value),
    authorityFingerprint: valueOf('f'),
    pairingId: valueOf('p'),
    token: valueOf('t'),
  };
  return isSound(link) && spell(link) === text ? link : undefined;
}

function splitField(field: string): { readonly name: string; readonly value: string } {
  const at = field.indexOf('=');
  return { name: field.slice(0, Math.max(at, 0)), value: field.slice(at + 1) };
}

function spell({ addresses, authorityFingerprint, pairingId, token }: PairingLink): string {
  const where = addresses.map((address) => `a=${address}`).join('&');
  return `${START}${where}&f=${authorityFingerprint}&p=${pairingId}&t=${token}`;
}

const FINGERPRINT_PATTERN = /^[0-9a-f]{64}$/;
const ID_PATTERN = /^[0-7][0-9A-HJKMNP-TV-Z]{25}$/;
const TOKEN_PATTERN = /^[A-Za-z0-9_-]{43}$/;
/** A name or an IPv4 address, or an IPv6 address in brackets; then a port. */
const ADDRESS_PATTERN =
  /^(?:[a-z0-9](?:[a-z0-9.-]{0,251}[a-z0-9])?|\[[0-9a-f:.]{2,45}\]):([1-9][0-9]{0,4})$/;
const MAX_PORT = 65_535;

function isSound({ addresses, authorityFingerprint, pairingId, token }: PairingLink): boolean {
  return (
    addresses.length > 0 &&
    addresses.length <= MAX_LINK_ADDRESSES &&
    addresses.every((address) => isAddress(address)) &&
    FINGERPRINT_PATTERN.test(authorityFingerprint) &&
    ID_PATTERN.test(pairingId) &&
    TOKEN_PATTERN.test(token)
  );
}

function isAddress(text: string): boolean {
  const port = ADDRESS_PATTERN.exec(text)?.[1];
  return port !== undefined && Number(port) <= MAX_PORT;
}
