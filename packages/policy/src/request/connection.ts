import { isIP } from 'node:net';
import type { PolicyEntity, PolicyRequest } from '../model.ts';
import { dialledProblem, domainsOf } from './hosts.ts';
import type { Asked } from './problem.ts';
import { timeFacts } from './time.ts';
import { reference, sortedSet } from './words.ts';

/** Whom a call that was allowed is about to connect to. */
export interface Connecting {
  /** In its one spelling, without brackets. */
  readonly host: string;
  readonly port: number;
  /** Every address that may be dialled for it. */
  readonly leadsTo: readonly Destination[];
}

export interface Destination {
  readonly range: string;
  /** Whoever runs the gateway has named that very address. */
  readonly isListed: boolean;
}

export const HOST_CONNECT = 'host.connect';

/**
 * What the rules are asked about a connection: once for each kind of address that the host leads to.
 * Contract: the call is as it was asked when it was allowed; there is always something to ask.
 */
export function requestsForConnection(
  call: PolicyRequest,
  { host, port, leadsTo }: Connecting,
  now: Date,
): readonly Asked[] {
  const problem = dialledProblem(host) ?? (leadsTo.length === 0 ? LEADS_NOWHERE : undefined);
  if (problem !== undefined) return [{ problem }];
  const alike = new Map(leadsTo.map((each) => [`${each.range} ${each.isListed}`, each]));
  return Array.from(alike.values(), (destination) => {
    const about = hostEntity({ host, port, ...destination });
    return {
      principal: call.principal,
      action: HOST_CONNECT,
      resource: about.uid,
      context: { ...call.context, time: timeFacts(now) },
      entities: [...call.entities.filter(({ uid }) => !isSame(uid, call.resource)), about],
    };
  });
}

const LEADS_NOWHERE = 'the host leads to no address';

export interface DialledHost extends Destination {
  readonly host: string;
  readonly port: number;
}

export function hostEntity({ host, port, range, isListed }: DialledHost): PolicyEntity {
  const spelt = { name: host, range: isIP(host) === 0 ? 'name' : range };
  return {
    uid: reference('Host', host),
    attrs: {
      name: host,
      under: sortedSet(domainsOf(spelt)),
      range: reference('Range', range),
      port,
      listed: isListed,
    },
    parents: [],
  };
}

function isSame(one: PolicyRequest['resource'], other: PolicyRequest['resource']): boolean {
  return one.type === other.type && one.id === other.id;
}
