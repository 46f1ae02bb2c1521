/** Every name of ours ends in this. `.internal` is kept free of public names for such uses. */
export const OWN_DOMAIN = 'palyra.internal';
/** The host in the URI of each device certificate. */
export const DEVICE_HOST = `device.${OWN_DOMAIN}`;

const LOOPBACK_NAMES = ['localhost', '127.0.0.1', '::1'] as const;

/** A DNS name or an address, in the one spelling that is compared. */
export type GatewayName =
  | { readonly kind: 'dns'; readonly text: string }
  | { readonly kind: 'ip'; readonly text: string; readonly octets: readonly number[] };

/** What a client asks for and checks, whatever address it dials. */
export function serverNameOf(authorityId: string): string {
  return `${authorityId}.${OWN_DOMAIN}`;
}

/** What the constraints of an authority that is made now allow. */
export function constraintNames(configured: readonly string[]): readonly GatewayName[] {
  return distinct([OWN_DOMAIN, ...LOOPBACK_NAMES, ...configured]);
}

/** What the gateway's certificate of an authority is to bear, if that authority allows it. */
export function wantedNames(
  authorityId: string,
  configured: readonly string[],
): readonly GatewayName[] {
  return distinct([serverNameOf(authorityId), ...LOOPBACK_NAMES, ...configured]);
}

/** As every TLS library will judge it: a DNS name allows those below it, an address only itself. */
export function isPermitted(name: GatewayName, permitted: readonly string[]): boolean {
  return permitted.some((text) => {
    const base = readName(text);
    if (base.kind !== name.kind) return false;
    if (base.text === name.text) return true;
    return base.kind === 'dns' && name.text.endsWith(`.${base.text}`);
  });
}

/** The names as Node tells those of a certificate, to compare without parsing. */
export function subjectAltNameText(names: readonly GatewayName[]): string {
  return names
    .map((name) => (name.kind === 'dns' ? `DNS:${name.text}` : `IP Address:${opensslText(name)}`))
    .join(', ');
}

function distinct(texts: readonly string[]): readonly GatewayName[] {
  const names = new Map(texts.map((text) => [readName(text).text, readName(text)]));
  return [...names.values()];
}

/**
 * Contract: the settings have been checked, so the shape tells a name from an address. Node's own
 * `isIP` would cost a start more than reading the keys does.
 */
function readName(text: string): GatewayName {
  if (text.includes(':')) {
    const octets = groupsOf(text).flatMap((group) => [group >> 8, group & 0xff]);
    return { kind: 'ip', text: compressed(text), octets };
  }
  if (/^[0-9.]+$/.test(text)) return { kind: 'ip', text, octets: text.split('.').map(Number) };
  return { kind: 'dns', text: text.toLowerCase() };
}

/** The URL parser knows every spelling of an IPv6 address and writes the canonical one. */
function compressed(address: string): string {
  return new URL(`http://[${address}]`).hostname.slice(1, -1);
}

function groupsOf(address: string): readonly number[] {
  const [head = [], tail = []] = compressed(address)
    .split('::')
    .map((half) => half.split(':').filter((group) => group !== ''));
  const zeros = Array.from({ length: 8 - head.length - tail.length }, () => '0');
  return [...head, ...zeros, ...tail].map((group) => Number.parseInt(group, 16));
}

function opensslText(name: GatewayName): string {
  if (!name.text.includes(':')) return name.text;
  return groupsOf(name.text)
    .map((group) => group.toString(16).toUpperCase())
    .join(':');
}
