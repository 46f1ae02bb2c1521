import { type FillRandom, PalyraError, quote, toHex } from '@palyra/kernel';
import { type Host, hostText } from './canonical-host.ts';
import { decide } from './decide.ts';
import {
  DEFAULT_PORTS,
  type HostRules,
  matchesRequest,
  parseHostRule,
  type RequestRule,
} from './host-rule.ts';
import type { Field } from './reading/http-head.ts';
import { Refused } from './refusal.ts';

/** Whoever keeps the secrets. Asked at the moment of use, so that a revoked one is not used. */
export interface SecretPort {
  reveal(name: string): Promise<string>;
}

/** `use` says where it may go, as an entry of the allowlist does: `GET,POST api.example/v1/**`. */
export interface SecretUse {
  readonly name: string;
  readonly use: string;
}

/** What the sandbox gets in place of a secret, and where alone that turns into it. */
export interface BoundSecret {
  readonly name: string;
  /** Worth nothing elsewhere, and never the same in two sandboxes. */
  readonly placeholder: string;
  readonly host: Host;
  readonly ports: readonly number[];
  readonly requests: RequestRule;
}

export const MAX_SECRETS = 64;
const MAX_SECRET_LENGTH = 16_384;
const PLACEHOLDER = /palyra-secret-[0-9a-f]{32}/gi;
const RANDOM_BYTES = 16;
/** Secrets travel inside TLS alone. */
const TLS_PORT = 443;

/** Contract: INVALID_INPUT for a use that is malformed, or that the rules do not allow anyway. */
export function bindSecrets(
  uses: readonly SecretUse[],
  rules: HostRules,
  fillRandom: FillRandom,
): readonly BoundSecret[] {
  if (uses.length > MAX_SECRETS) throw refused(`there are more than ${MAX_SECRETS} secrets`);
  return uses.map((use) => bindSecret(use, rules, fillRandom));
}

/** Those that turn a connection to this host into one that is read. */
export function secretsFor(
  secrets: readonly BoundSecret[],
  host: Host,
  port: number,
): readonly BoundSecret[] {
  return secrets.filter((secret) => isSameHost(secret.host, host) && secret.ports.includes(port));
}

/** A request as far as secrets are concerned. */
export interface Bearing {
  readonly host: Host;
  readonly port: number;
  readonly method: string;
  /** Canonical; `undefined` when the path has no one reading. */
  readonly path: string | undefined;
  readonly target: string;
  readonly fields: readonly Field[];
  /** Read out of TLS, and sent on in TLS. */
  readonly isInsideTls: boolean;
}

export interface Filled {
  readonly fields: readonly Field[];
  readonly used: readonly { readonly name: string; readonly value: string }[];
}

/**
 * Puts secrets in the place of their placeholders. Contract: throws Refused when any placeholder,
 * ours or another sandbox's, stands where it may not be used; then nothing is revealed.
 */
export async function fillIn(
  bearing: Bearing,
  secrets: readonly BoundSecret[],
  port: SecretPort,
): Promise<Filled> {
  const elsewhere = [bearing.target, ...bearing.fields.map(({ name }) => name)];
  if (elsewhere.some((text) => placeholdersIn(text).length > 0)) throw misplaced();
  const found = new Set(bearing.fields.flatMap(({ value }) => placeholdersIn(value)));
  const meant = [...found].map((placeholder) => {
    const secret = secrets.find((each) => each.placeholder === placeholder);
    if (secret === undefined || !mayBear(secret, bearing)) throw misplaced();
    return secret;
  });
  const used: { readonly name: string; readonly value: string }[] = [];
  let { fields } = bearing;
  for (const { name, placeholder } of meant) {
    const value = await reveal(name, port);
    fields = fields.map((field) => ({
      name: field.name,
      // A function, because `$&` in a text would stand for what is replaced.
      value: field.value.replaceAll(placeholder, () => value),
    }));
    used.push({ name, value });
  }
  return { fields, used };
}

function bindSecret(
  { name, use }: SecretUse,
  rules: HostRules,
  fillRandom: FillRandom,
): BoundSecret {
  const rule = parseHostRule(use);
  if (rule.host.kind === 'below') throw refused(`${quote(use)} binds a secret to many hosts`);
  if (rule.speaks === 'tcp') throw refused(`${quote(use)} binds a secret to plain TCP`);
  const ports = rule.ports === DEFAULT_PORTS ? [TLS_PORT] : rule.ports;
  const authority = hostText(rule.host);
  const decisions = ports.map((port) => decide(authority, port, rules));
  const isAllowed = decisions.every(
    (decision) => decision.kind === 'allowed' && decision.rules[0].speaks === 'web',
  );
  if (!isAllowed) throw refused(`${quote(use)} binds a secret to a host that no entry allows`);
  const random = new Uint8Array(RANDOM_BYTES);
  fillRandom(random);
  const placeholder = `palyra-secret-${toHex(random)}`;
  return { name, placeholder, host: rule.host, ports, requests: rule.requests ?? {} };
}

function mayBear(secret: BoundSecret, bearing: Bearing): boolean {
  return (
    bearing.isInsideTls &&
    isSameHost(secret.host, bearing.host) &&
    secret.ports.includes(bearing.port) &&
    matchesRequest(secret.requests, bearing.method, bearing.path)
  );
}

async function reveal(name: string, port: SecretPort): Promise<string> {
  const value = await port.reveal(name).catch(() => {
    // What the vault says may name the secret's whereabouts; that it said no is enough here.
    throw new Refused('secret-unusable');
  });
  if (!/^[\x20-\x7e]+$/.test(value) || value.length > MAX_SECRET_LENGTH) {
    throw new Refused('secret-unusable');
  }
  return value;
}

function placeholdersIn(text: string): readonly string[] {
  return text.match(PLACEHOLDER) ?? [];
}

function isSameHost(one: Host, other: Host): boolean {
  if (one.kind === 'name') return other.kind === 'name' && one.name === other.name;
  return other.kind === 'address' && one.address === other.address;
}

function misplaced(): Refused {
  return new Refused('secret-misplaced');
}

function refused(reason: string): PalyraError {
  return new PalyraError('INVALID_INPUT', `egress: ${reason}`, {
    help: 'name one listed host, with methods and path where you can: `POST api.example/v1/**`',
  });
}
