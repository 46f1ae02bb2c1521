import { hostText } from '../canonical-host.ts';
import type { Allowed } from '../decide.ts';
import { type HostRule, matchesRequest } from '../host-rule.ts';
import { canonicalPath } from '../path-rule.ts';
import { type Framing, framingOf } from '../reading/http-body.ts';
import {
  type Field,
  type Head,
  headBytes,
  valuesOf,
  withoutHopByHop,
} from '../reading/http-head.ts';
import { pathOf, queryOf } from '../reading/request-target.ts';
import { Refused } from '../refusal.ts';
import { fillIn, type Filled } from '../secrets.ts';
import type { Passage } from './passage.ts';

export interface RequestOrder {
  readonly head: Head;
  /** Path and query. */
  readonly origin: string;
  readonly allowed: Allowed;
  readonly over: 'http' | 'https';
}

/** A request that may be sent, as it will be sent. */
export interface ReadyRequest {
  readonly head: Buffer;
  readonly framing: Framing;
  /** Must not come back. */
  readonly secretValues: readonly string[];
}

const DEFAULT_PORT = { http: 80, https: 443 } as const;
const MAX_RECORDED_PATH = 200;
/** One opens a tunnel that nobody reads, the other has the host repeat what it was sent. */
const NOT_REQUESTS: ReadonlySet<string> = new Set(['CONNECT', 'TRACE']);

/** Contract: throws Refused for a request that is malformed, or that no rule allows. */
export async function prepareRequest(
  order: RequestOrder,
  { draft, running }: Passage,
): Promise<ReadyRequest> {
  const { head, origin, allowed } = order;
  const [method] = head.start;
  const path = canonicalPath(pathOf(origin));
  draft.request = `${method} ${(path ?? pathOf(origin)).slice(0, MAX_RECORDED_PATH)}`;
  const framing = framingOf(head);
  const isOdd = NOT_REQUESTS.has(method) || valuesOf(head, 'host').length !== 1;
  if (framing === undefined || isOdd) throw new Refused('head-malformed');
  draft.rule = ruleFor(order, path).text;
  const bearing = { ...allowed, method, path, target: origin, fields: head.fields };
  const filled = await fillIn(
    { ...bearing, isInsideTls: order.over === 'https' },
    running.sandbox.secrets,
    running.secretPort,
  );
  draft.secrets = filled.used.map(({ name }) => name);
  const isJudged = allowed.rules[0].requests !== undefined || filled.used.length > 0;
  // What was judged is what is sent: elsewhere the path stays as it was written.
  const target = isJudged && path !== undefined ? path + queryOf(origin) : origin;
  return {
    head: headBytes(`${method} ${target} HTTP/1.1`, upstreamFields(order, framing, filled)),
    framing,
    secretValues: filled.used.map(({ value }) => value),
  };
}

function ruleFor({ head, allowed }: RequestOrder, path: string | undefined): HostRule {
  const [method] = head.start;
  const rule = allowed.rules.find(
    ({ requests }) => requests === undefined || matchesRequest(requests, method, path),
  );
  const isMeantOtherwise = head.fields.some(({ name }) => OVERRIDES.has(name));
  if (rule === undefined || (rule.requests !== undefined && isMeantOtherwise)) {
    throw new Refused('request-not-listed');
  }
  return rule;
}

/** Some servers take these for the method or path that counts. */
const OVERRIDES: ReadonlySet<string> = new Set([
  'x-http-method',
  'x-http-method-override',
  'x-method-override',
  'x-original-url',
  'x-rewrite-url',
]);

/** Everything that says where the request goes and where it ends is written anew. */
function upstreamFields(
  { head, allowed, over }: RequestOrder,
  framing: Framing,
  filled: Filled,
): readonly Field[] {
  const own = new Set(['host', 'content-length', 'transfer-encoding']);
  const port = allowed.port === DEFAULT_PORT[over] ? '' : `:${allowed.port}`;
  const written: Field[] = [{ name: 'host', value: hostText(allowed.host) + port }];
  if (filled.used.length > 0) {
    // Only what is not encoded can be looked at on its way back.
    own.add('accept-encoding');
    written.push({ name: 'accept-encoding', value: 'identity' });
  }
  if (framing.kind === 'chunked') written.push({ name: 'transfer-encoding', value: 'chunked' });
  else if (valuesOf(head, 'content-length').length > 0) {
    written.push({ name: 'content-length', value: `${framing.bytes}` });
  }
  const kept = withoutHopByHop(filled.fields).filter(({ name }) => !own.has(name));
  return [...written, ...kept, { name: 'connection', value: 'close' }];
}
