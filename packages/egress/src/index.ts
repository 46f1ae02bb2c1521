export { rangeOf, readAddress } from './address.ts';
export { type Host, hostText, readAuthority, readHost, readName } from './canonical-host.ts';
export { type Ceilings, DEFAULT_CEILINGS } from './ceilings.ts';
export { type Allowed, type Decision, decide, isListedAddress } from './decide.ts';
export { type Destination, type Dial, dialOnSystem } from './dial.ts';
export {
  type HostPattern,
  type HostRule,
  type HostRules,
  MAX_RULES,
  parseHostRule,
  parseHostRules,
  type RequestRule,
} from './host-rule.ts';
export type { Connecting, MayConnect } from './may-connect.ts';
export { findHosts, type FoundHost } from './preflight/found-hosts.ts';
export {
  preflight,
  type PreflightOrder,
  type PreflightOutcome,
  type PreflightParts,
} from './preflight/preflight.ts';
export {
  type EgressTotals,
  LISTENER_OPTIONS,
  type ServedEgress,
  serveEgress,
} from './proxy/serve.ts';
export type { EgressOrder, ServeOptions } from './proxy/start-running.ts';
export { reach, type ReachOrder, type ReachOutcome, type Reached } from './reach/reach.ts';
export type { ConnectionRecord, Door, OnRecord } from './record.ts';
export { type Refusal, REFUSALS } from './refusal.ts';
export { type Lookup, lookupOnSystem, type Resolution, resolve, takingTurns } from './resolve.ts';
export { bindSecrets, type BoundSecret, type SecretPort, type SecretUse } from './secrets.ts';
export {
  LISTENER_FAILED,
  LISTENER_PORT,
  listenerElf,
  type ListenerOrder,
} from './listener/listener-elf.ts';
export { receiveListener } from './listener/receive-listener.ts';
