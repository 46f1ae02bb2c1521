import {
  type DescMethod,
  type DescMethodStreaming,
  type DescMethodUnary,
  create,
} from '@bufbuild/protobuf';
import { Code, ConnectError, type Transport } from '@connectrpc/connect';
import { createConnectTransport } from '@connectrpc/connect-node';
import { grpcOverTls, pairWith, toTlsGateway } from '@palyra/client';
import type { Caller, Gateway, ModelPort } from '@palyra/gateway';
import { PalyraError, permissionsOf } from '@palyra/kernel';
import {
  type DeviceKind,
  ErrorCode,
  ErrorDetailSchema,
  PairingState,
  PrincipalKind,
  Role,
} from '@palyra/protocol';
import { type TestGateway, testGateway, testTransportParts } from '@palyra/testkit';
import { type Doors, openDoors } from '@palyra/transport';

/** A gateway with both doors open, in this process, and people and devices as they are needed. */
export interface Workspace extends AsyncDisposable {
  readonly test: TestGateway;
  readonly gateway: Gateway;
  readonly doors: Doors;
  readonly owner: Caller;
}

/** With the rules that come with the gateway. */
export async function openWorkspace(
  chosen: { readonly model?: ModelPort } = {},
): Promise<Workspace> {
  await using stack = new AsyncDisposableStack();
  const test = stack.use(await testGateway({ rules: 'ask', ...chosen }));
  const { gateway } = test;
  const doors = stack.use(await openDoors(testTransportParts(gateway)));
  const owner = await callerOf(gateway, Role.OWNER);
  const release = stack.move();
  return { test, gateway, doors, owner, [Symbol.asyncDispose]: () => release.disposeAsync() };
}

async function callerOf(gateway: Gateway, role: Role): Promise<Caller> {
  const member = (await gateway.identity.members.list()).find((each) => each.role === role);
  if (member === undefined) throw new TypeError('nobody has that role');
  const { userId, name } = member;
  const permissions = permissionsOf(role);
  return {
    principal: `user:${userId}`,
    actor: `user:${userId}`,
    kind: PrincipalKind.USER,
    permissions,
    member: { userId, name, role },
    channel: 'cli',
  };
}

export interface NewDevice {
  readonly name: string;
  readonly kind: DeviceKind;
  /** Whose it is. */
  readonly member: string;
}

/** A device that went through the whole of a pairing by link, and the wire to its gateway. */
export async function pairDevice(
  { gateway, doors, owner, test }: Workspace,
  { name, kind, member }: NewDevice,
): Promise<Transport> {
  const { pairing, authorities } = gateway.identity;
  const started = await pairing.start(member, owner);
  const [active] = await authorities.list();
  const identity = await pairWith({
    places: test.home.places,
    gateway: name.replaceAll(' ', '-'),
    addresses: [doors.device],
    secret: {
      kind: 'link',
      pairingId: started.pairing.pairingId,
      token: started.token,
      authorityFingerprint: active?.fingerprint ?? '',
    },
    name,
    kind,
    signal: AbortSignal.timeout(60_000),
    onWaiting: ({ pairingId, keyFingerprint }) => {
      const answer = { pairingId, keyFingerprint, answer: PairingState.APPROVED };
      void pairing.answer(answer, owner);
    },
  });
  return grpcOverTls(toTlsGateway(identity));
}

/** The console port, for whoever has nothing but what the headers say. */
export function consolePort({ doors }: Workspace): Transport {
  return createConnectTransport({
    baseUrl: doors.console ?? '',
    httpVersion: '1.1',
    acceptCompression: [],
  });
}

export type Headers = Readonly<Record<string, string>>;

const PATIENCE_MS = 20_000;
/** A stream is refused at once; whoever was let in may wait for as long as nothing happens. */
const SILENCE_MS = 5000;

/** How an empty request to a method ends: the code of its fault, or `answered`. */
export async function attempt(
  transport: Transport,
  method: DescMethod,
  headers: Headers = {},
): Promise<string> {
  const taken = new AbortController();
  const { signal } = taken;
  const request = create(method.input);
  try {
    if (isUnary(method)) {
      await transport.unary(method, signal, PATIENCE_MS, headers, request);
      return 'answered';
    }
    if (!isStreaming(method)) throw new TypeError('neither unary nor streaming');
    const { message } = await transport.stream(method, signal, SILENCE_MS, headers, only(request));
    for await (const _first of message) break;
    return 'answered';
  } catch (reason) {
    return codeOf(reason);
  } finally {
    taken.abort();
  }
}

async function* only<Message>(message: Message): AsyncIterable<Message> {
  yield message;
}

function codeOf(reason: unknown): string {
  if (reason instanceof PalyraError) return reason.code;
  const error = ConnectError.from(reason);
  const [detail] = error.findDetails(ErrorDetailSchema);
  const known = Object.entries(ErrorCode).find(([, number]) => number === detail?.code);
  return known?.[0] ?? Code[error.code];
}

function isUnary(method: DescMethod): method is DescMethodUnary {
  return method.methodKind === 'unary';
}

function isStreaming(method: DescMethod): method is DescMethodStreaming {
  return method.methodKind !== 'unary';
}
