import { type Host, readHost } from './canonical-host.ts';
import type { HostRule, HostRules } from './host-rule.ts';
import type { Refusal } from './refusal.ts';

export type Decision = Allowed | { readonly kind: 'refused'; readonly reason: Refusal };

export interface Allowed {
  readonly kind: 'allowed';
  readonly host: Host;
  readonly port: number;
  /** One that is open, or all those that say which requests may pass. */
  readonly rules: readonly [HostRule, ...HostRule[]];
}

/**
 * The one place where it is decided whom a sandbox may talk to. Pure: what is asked, the port, the
 * rules, nothing else. The entry that says most about the host counts: an entry for `api.a.example`
 * is not widened by one for `*.a.example`.
 */
export function decide(authority: string, port: number, rules: HostRules): Decision {
  const host = readHost(authority);
  if (host === undefined) return refuse('host-malformed');
  const named = rules.filter((rule) => specificity(rule, host) > 0);
  if (named.length === 0) {
    return refuse(host.kind === 'address' ? 'address-not-listed' : 'host-not-listed');
  }
  const open = named.filter((rule) => rule.ports.includes(port));
  const most = Math.max(...open.map((rule) => specificity(rule, host)));
  const [first, ...others] = open.filter((rule) => specificity(rule, host) === most);
  if (first === undefined) return refuse('port-not-listed');
  return { kind: 'allowed', host, port, rules: [first, ...others] };
}

/** Whether an address that is not public may be dialled at this port. */
export function isListedAddress(address: string, port: number, rules: HostRules): boolean {
  return rules.some(
    ({ host, ports }) =>
      host.kind === 'address' && host.address === address && ports.includes(port),
  );
}

function refuse(reason: Refusal): Decision {
  return { kind: 'refused', reason };
}

/** 0: another host. A whole name says more than any suffix, a longer suffix more than a shorter. */
function specificity({ host: pattern }: HostRule, host: Host): number {
  switch (pattern.kind) {
    case 'name':
      return host.kind === 'name' && host.name === pattern.name ? Number.MAX_SAFE_INTEGER : 0;
    case 'address':
      return host.kind === 'address' && host.address === pattern.address ? 1 : 0;
    case 'below':
      return host.kind === 'name' && host.name.endsWith(`.${pattern.suffix}`)
        ? pattern.suffix.length
        : 0;
  }
}
