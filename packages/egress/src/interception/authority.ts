import { generateKeyPairSync } from 'node:crypto';
import { createSecureContext, type SecureContext } from 'node:tls';
import type { Clock } from '@palyra/kernel';
import { type Host, hostText } from '../canonical-host.ts';
import { type Period, authorityCertificate, leafCertificate } from './certificate.ts';

/** The certificate authority of one sandbox. Its key is in memory alone and ends with it. */
export interface SandboxAuthority {
  /** What the sandbox has to trust, as PEM. */
  readonly certificatePem: string;
  /** For a host that the rules allow, and for no other. */
  contextFor(host: Host): Promise<SecureContext>;
}

/** More hosts than one allowlist can name without wildcards. */
const MAX_CONTEXTS = 256;
const HOUR_MS = 3_600_000;
/** Longer than a sandbox lives, shorter than anybody could make use of a lost one. */
const LIFETIME_MS = 7 * 24 * HOUR_MS;

export async function createSandboxAuthority(clock: Clock): Promise<SandboxAuthority> {
  const issuer = newKeys();
  const certificatePem = await authorityCertificate(issuer, periodFrom(clock));
  const leaf = newKeys();
  const key = leaf.privateKey.export({ type: 'pkcs8', format: 'pem' });
  const contexts = new Map<string, Promise<SecureContext>>();

  const make = async (host: Host) => {
    const period = periodFrom(clock);
    const cert = await leafCertificate(host, { leafKey: leaf.publicKey, issuer, period });
    return createSecureContext({ key, cert, minVersion: 'TLSv1.2' });
  };
  return {
    certificatePem,
    contextFor: (host) => {
      const name = hostText(host);
      const context = contexts.get(name) ?? make(host);
      contexts.set(name, context);
      const [oldest] = contexts.keys();
      if (contexts.size > MAX_CONTEXTS && oldest !== undefined) contexts.delete(oldest);
      return context;
    },
  };
}

function newKeys() {
  return generateKeyPairSync('ec', { namedCurve: 'P-256' });
}

/** Clocks differ. */
function periodFrom(clock: Clock): Period {
  const nowMs = clock.now().getTime();
  return { notBefore: new Date(nowMs - HOUR_MS), notAfter: new Date(nowMs + LIFETIME_MS) };
}
