import { type Host, hostText } from '../canonical-host.ts';
import { decide } from '../decide.ts';
import type { HostRules } from '../host-rule.ts';
import type { Refusal } from '../refusal.ts';
import { type Lookup, resolve } from '../resolve.ts';
import { findHosts } from './found-hosts.ts';

export interface PreflightOrder {
  /** Of the command; its own name is none of them. */
  readonly words: readonly string[];
  /** The hosts that were declared: what is found must be among them. */
  readonly rules: HostRules;
}

export interface PreflightParts {
  readonly lookup: Lookup;
  /** For all lookups together. */
  readonly deadlineMs: number;
}

export type PreflightOutcome =
  | { readonly kind: 'clear' }
  /** `host` as it was written, with its port. */
  | { readonly kind: 'denied'; readonly host: string; readonly reason: Refusal };

/**
 * Judges, before a command starts, the hosts it names and those that were declared for it: by the
 * decision and the lookup that hold in a sandbox with an enforced way out. Not enforced: the command
 * runs with the machine's own network, and may reach whom it likes. Contract: never rejects.
 */
export async function preflight(
  order: PreflightOrder,
  parts: PreflightParts,
): Promise<PreflightOutcome> {
  const asked: Asked[] = [];
  for (const { host, port } of findHosts(order.words)) {
    const decision = decide(host, port, order.rules);
    if (decision.kind === 'refused') return denied(`${host}:${port}`, decision.reason);
    asked.push(decision);
  }
  const all = unique([...asked, ...order.rules.flatMap(declaredBy)]);
  const lookup = remembered(parts.lookup);
  return resolveAll(all, order.rules, { ...parts, lookup });
}

interface Asked {
  readonly host: Host;
  readonly port: number;
}

/** Entries for every name below a suffix declare nobody who could be looked up. */
function declaredBy({ host, ports }: HostRules[number]): readonly Asked[] {
  return host.kind === 'below' ? [] : ports.map((port) => ({ host, port }));
}

function unique(asked: readonly Asked[]): readonly Asked[] {
  return [...new Map(asked.map((each) => [textOf(each), each])).values()];
}

/** One after the other, like the lookups of a sandbox: two threads of the system serve everybody. */
async function resolveAll(
  all: readonly Asked[],
  rules: HostRules,
  { lookup, deadlineMs }: PreflightParts,
): Promise<PreflightOutcome> {
  const late = Promise.withResolvers<'late'>();
  const timer = setTimeout(() => late.resolve('late'), deadlineMs);
  try {
    for (const asked of all) {
      const resolving = resolve(asked.host, asked.port, { rules, lookup });
      const resolution = await Promise.race([resolving, late.promise]);
      if (resolution === 'late') return denied(textOf(asked), 'host-unresolved');
      if (resolution.kind === 'refused') return denied(textOf(asked), resolution.reason);
    }
    return { kind: 'clear' };
  } finally {
    clearTimeout(timer);
  }
}

/** One name at several ports is one question. */
function remembered(lookup: Lookup): Lookup {
  const known = new Map<string, ReturnType<Lookup>>();
  return (name) => {
    const answer = known.get(name) ?? lookup(name);
    known.set(name, answer);
    return answer;
  };
}

function textOf({ host, port }: Asked): string {
  return `${hostText(host)}:${port}`;
}

function denied(host: string, reason: Refusal): PreflightOutcome {
  return { kind: 'denied', host, reason };
}
