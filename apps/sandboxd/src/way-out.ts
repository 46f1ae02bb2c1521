import type { ChildProcess } from 'node:child_process';
import {
  type BoundSecret,
  type Ceilings,
  type ConnectionRecord,
  DEFAULT_CEILINGS,
  type Dial,
  type HostRules,
  LISTENER_PORT,
  type Lookup,
  type MayConnect,
  REFUSALS,
  type SecretPort,
  type ServedEgress,
  bindSecrets,
  listenerElf,
  lookupOnSystem,
  parseHostRules,
  preflight,
  receiveListener,
  serveEgress,
} from '@palyra/egress';
import {
  type Clock,
  type FillRandom,
  type JsonObject,
  type Log,
  PalyraError,
  quote,
} from '@palyra/kernel';
import type {
  EgressRequest,
  SandboxRequest,
  SecretUse,
  WayOut,
  WayOutOrder,
  WayOutPort,
} from '@palyra/sandbox';

export interface WayOutParts {
  readonly clock: Clock;
  readonly log: Log;
  /** For placeholders, which nobody may guess. */
  readonly fillRandom: FillRandom;
  /** Asked at the moment of use; what it reveals goes upstream and nowhere else. */
  readonly secretPort: SecretPort;
  /** Of every sandbox on its own; where they are left out, those of `packages/egress` hold. */
  readonly ceilings?: Partial<Ceilings>;
  readonly lookup?: Lookup;
  readonly dial?: Dial;
  /** Authorities that upstream hosts are trusted by, as PEM; the system's unless given. */
  readonly trusted?: readonly string[];
}

/** The proxy of `packages/egress` as sandboxes need it. */
export function createWayOut(parts: WayOutParts): WayOutPort {
  return {
    canonical: remembered((egress) => canonical(egress, parts)),
    preflight: (request) => checkBefore(request, parts),
    listener: (order) => Uint8Array.from(listenerElf({ machine: machineOf(), ...order })),
    open: (child, order) => open(child, order, parts),
  };
}

/** Of so many different requests; each is asked about before every command. */
const MOST_REMEMBERED = 256;

/** The last answers. Contract: `ask` answers the same question in the same way; what it throws is not kept. */
function remembered(ask: WayOutPort['canonical']): WayOutPort['canonical'] {
  const known = new Map<string, readonly string[]>();
  return (egress) => {
    const question = JSON.stringify(egress);
    const answer = known.get(question) ?? ask(egress);
    if (known.size >= MOST_REMEMBERED) known.clear();
    known.set(question, answer);
    return answer;
  };
}

function canonical(egress: EgressRequest, { fillRandom }: WayOutParts): readonly string[] {
  switch (egress.mode) {
    case 'none':
      return [];
    case 'preflight':
      return textsOf(parseHostRules(egress.hosts));
    case 'strict': {
      const rules = parseHostRules(egress.hosts);
      // The placeholders are thrown away; whether there could be any is what counts here.
      bind(egress.secrets, rules, fillRandom);
      return textsOf(rules);
    }
  }
}

function textsOf(rules: HostRules): readonly string[] {
  return rules.map(({ text }) => text).toSorted();
}

async function checkBefore(request: SandboxRequest, parts: WayOutParts): Promise<void> {
  const { egress } = request;
  if (egress.mode !== 'preflight') return;
  const outcome = await preflight(
    { words: request.arguments, rules: parseHostRules(egress.hosts) },
    {
      lookup: parts.lookup ?? lookupOnSystem,
      deadlineMs: parts.ceilings?.dialMs ?? DEFAULT_CEILINGS.dialMs,
    },
  );
  if (outcome.kind === 'clear') return;
  throw new PalyraError(
    'SANDBOX_EGRESS_DENIED',
    `egress to ${quote(outcome.host)} is not allowed: ${REFUSALS[outcome.reason]}`,
  );
}

async function open(
  child: ChildProcess,
  { id, egress, signal }: WayOutOrder,
  parts: WayOutParts,
): Promise<WayOut> {
  const rules = parseHostRules(egress.hosts);
  const secrets = bind(egress.secrets, rules, parts.fillRandom);
  const server = await receiveListener(child, signal);
  const early: JsonObject[] = [];
  let watch: Parameters<WayOut['attend']>[0] = {
    onConnection: (record) => void early.push(record),
    mayConnect: async () => false,
  };
  const { ceilings = {} } = parts;
  const onRecord = (record: ConnectionRecord) => watch.onConnection(jsonOf(record));
  const mayConnect: MayConnect = (to) => watch.mayConnect(to);
  const served = serveEgress(server, { id, rules, secrets, ceilings, mayConnect, onRecord }, parts);
  return {
    environment: { ...PROXIES, ...placeholders(egress.secrets, secrets) },
    authorityPem: await authorityOf(served),
    attend: (attentive) => {
      watch = attentive;
      for (const record of early.splice(0)) attentive.onConnection(record);
    },
    close: () => served.close(),
  };
}

/** A sandbox that could not trust its proxy is none: then nothing of it stays. */
async function authorityOf(served: ServedEgress): Promise<string | undefined> {
  try {
    return await served.authorityPem();
  } catch (error) {
    await served.close();
    throw error;
  }
}

const HTTP_PROXY = `http://127.0.0.1:${LISTENER_PORT}`;
/** `h`: the proxy looks names up, since nobody inside could. */
const SOCKS_PROXY = `socks5h://127.0.0.1:${LISTENER_PORT}`;

/** A convenience and never the boundary: whoever ignores them reaches nobody. */
const PROXIES: Readonly<Record<string, string>> = {
  HTTP_PROXY,
  HTTPS_PROXY: HTTP_PROXY,
  ALL_PROXY: SOCKS_PROXY,
  NO_PROXY: '',
  http_proxy: HTTP_PROXY,
  https_proxy: HTTP_PROXY,
  all_proxy: SOCKS_PROXY,
  no_proxy: '',
  NODE_USE_ENV_PROXY: '1',
};

const VARIABLE = /^[A-Za-z_][A-Za-z0-9_]*$/;

/** Contract: INVALID_INPUT; the result is in the order of `uses`. */
function bind(
  uses: readonly SecretUse[],
  rules: HostRules,
  fillRandom: FillRandom,
): readonly BoundSecret[] {
  const taken = new Set(Object.keys(PROXIES));
  for (const { variable } of uses) {
    if (!VARIABLE.test(variable)) throw refused(`${quote(variable)} is not a name of a variable`);
    if (taken.has(variable)) throw refused(`the variable ${quote(variable)} is taken already`);
    taken.add(variable);
  }
  return bindSecrets(uses, rules, fillRandom);
}

function placeholders(
  uses: readonly SecretUse[],
  secrets: readonly BoundSecret[],
): Readonly<Record<string, string>> {
  return Object.fromEntries(
    uses.map(({ variable }, place) => [variable, secrets[place]?.placeholder ?? '']),
  );
}

function jsonOf(record: ConnectionRecord): JsonObject {
  return { ...record, secrets: [...record.secrets] };
}

function machineOf(): 'x64' | 'arm64' {
  const { arch } = process;
  if (arch === 'x64' || arch === 'arm64') return arch;
  throw new PalyraError('SANDBOX_UNAVAILABLE', `there is no listener for ${quote(arch)}`);
}

function refused(why: string): PalyraError {
  return new PalyraError('INVALID_INPUT', why, { help: 'give each secret a variable of its own' });
}
