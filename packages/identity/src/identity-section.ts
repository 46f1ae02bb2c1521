import { isIP } from 'node:net';
import * as z from 'zod';

const DNS_NAME =
  /^(?=.{1,253}$)([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?)(\.[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?)*$/i;
const MAX_NAMES = 32;

/**
 * The `[identity]` section of palyra.toml. How long a device certificate lives is not among it: 24
 * hours are a promise, not a preference.
 */
export const identitySection = z
  .object({
    names: z
      .array(z.string().max(253).refine(isName, 'is a DNS name or an IP address'))
      .max(MAX_NAMES)
      .default([])
      .describe(
        'DNS names and IP addresses by which devices reach the gateway, besides this machine',
      ),
    rotation_days: z
      .int()
      .min(1)
      .max(90)
      .default(7)
      .describe('how long certificates of a replaced authority are still accepted'),
    server_certificate_days: z
      .int()
      .min(1)
      .max(90)
      .default(30)
      .describe('how long a certificate of the gateway lives; it renews itself'),
  })
  .strict()
  .describe('devices, their certificates, and what the gateway is called');

type Parsed = z.infer<typeof identitySection>;

export interface IdentitySettings extends Readonly<Omit<Parsed, 'names'>> {
  readonly names: readonly string[];
}

/** Whether what the device port listens on is a name by which devices can reach it. */
export function isListenName(host: string): boolean {
  return !WILDCARDS.includes(host) && isName(host);
}

const WILDCARDS: readonly string[] = ['', '0.0.0.0', '::', '0:0:0:0:0:0:0:0'];

function isName(text: string): boolean {
  // A zone (`fe80::1%eth0`) means something on one machine only.
  if (isIP(text) !== 0) return !text.includes('%');
  // Whoever ends in a number is an address that was mistyped, never a name.
  return DNS_NAME.test(text) && !/(^|\.)[0-9]+$/.test(text);
}
