import { type IncomingMessage, request as httpRequest } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { type ConnectionOptions, type TLSSocket, connect } from 'node:tls';
import { create } from '@bufbuild/protobuf';
import type { Caller, ModelPort } from '@palyra/gateway';
import { CreateTokenRequestSchema, Permission } from '@palyra/protocol';
import {
  type DeviceClients,
  type PairedDevice,
  type TestGateway,
  deviceClients,
  pairedDevice,
  talkingModel,
  testGateway,
  testTransportParts,
} from '@palyra/testkit';
import type { TransportParts } from '../src/connect/routes.ts';
import { type Doors, openDoors } from '../src/doors.ts';

/** One identity with a device of its owner, for all tests of a file: making them takes a moment. */
export interface House extends AsyncDisposable {
  readonly test: TestGateway;
  readonly device: PairedDevice;
}

export async function openHouse(): Promise<House> {
  await using stack = new AsyncDisposableStack();
  const test = stack.use(await testGateway());
  const doors = stack.use(await openDoors(testTransportParts(test.gateway)));
  const device = await pairedDevice(test, doors.device);
  const release = stack.move();
  return { test, device, [Symbol.asyncDispose]: () => release.disposeAsync() };
}

export interface Choice extends Partial<TransportParts> {
  readonly model?: ModelPort;
}

export interface Served extends DeviceClients {
  readonly test: TestGateway;
  readonly doors: Doors;
  readonly port: number;
  readonly console: string;
  readonly device: PairedDevice;
}

/** Doors of their own to a gateway of its own, on which the device of the house is known. */
export async function serve(
  house: House,
  stack: AsyncDisposableStack,
  { model, ...chosen }: Choice = {},
): Promise<Served> {
  const speaks = model ?? talkingModel([{ kind: 'text', text: 'hello' }]);
  const { identity } = house.test.gateway;
  const test = stack.use(await testGateway({ model: speaks, identity }));
  const doors = stack.use(await openDoors({ ...testTransportParts(test.gateway), ...chosen }));
  const device = { ...house.device, address: doors.device };
  const port = Number(doors.device.split(':').at(-1));
  return { test, doors, port, console: doors.console ?? '', device, ...deviceClients(device) };
}

/** A connection of its own. */
export async function dial(
  { port, device }: Pick<Served, 'port' | 'device'>,
  options: ConnectionOptions = {},
): Promise<TLSSocket> {
  const { authorities, certificate, key, serverName } = device;
  const socket = connect({
    host: '127.0.0.1',
    port,
    ca: [...authorities],
    cert: certificate,
    key,
    servername: serverName,
    ALPNProtocols: ['http/1.1'],
    ...options,
  });
  socket.on('error', () => {});
  await once(socket, 'secureConnect');
  return socket;
}

/** Options of a connection that shows no certificate. */
export const WITHOUT_CERTIFICATE: ConnectionOptions = { cert: '', key: '' };

/** Everything that comes back until the other side closes. */
export async function converse(socket: TLSSocket, words: string): Promise<string> {
  if (words !== '') socket.write(words);
  let heard = '';
  socket.setEncoding('latin1').on('data', (chunk: string) => {
    heard += chunk;
  });
  if (!socket.closed) await new Promise((resolve) => void socket.once('close', resolve));
  return heard;
}

export interface Asked {
  readonly status: number | undefined;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
}

export interface Question {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** Plain HTTP/1.1 over the device port, as the given device or as a stranger. */
export async function askDevicePort(
  { port, device }: Pick<Served, 'port' | 'device'>,
  path: string,
  {
    method = 'GET',
    headers = {},
    body = '',
    as = 'device',
  }: Question & { as?: 'device' | 'stranger' } = {},
): Promise<Asked> {
  const { authorities, certificate, key, serverName } = device;
  const own = as === 'device' ? { cert: certificate, key } : {};
  const asking = httpsRequest({
    host: '127.0.0.1',
    port,
    path,
    method,
    headers,
    ca: [...authorities],
    servername: serverName,
    agent: false,
    ...own,
  });
  return await answerTo(asking, body);
}

/** Plain HTTP/1.1 over the console port. The host header is as given. */
export async function askConsole(
  console: string,
  path: string,
  { method = 'GET', headers = {}, body = '' }: Question = {},
): Promise<Asked> {
  const { port, host } = new URL(console);
  const asking = httpRequest({
    host: '127.0.0.1',
    port,
    path,
    method,
    headers: { host, ...headers },
    agent: false,
  });
  return await answerTo(asking, body);
}

async function answerTo(asking: ReturnType<typeof httpRequest>, body: string): Promise<Asked> {
  const answered = new Promise<IncomingMessage>((resolve, reject) => {
    asking.once('response', resolve).once('error', reject);
  });
  asking.end(body);
  const response = await answered;
  return {
    status: response.statusCode,
    headers: response.headers,
    body: await text(response),
  };
}

/** As the registry knows the owner through the device of the house. */
export async function callerOfHouse({ test, device }: House): Promise<Caller> {
  const { access, devices } = test.gateway.identity;
  const { certificates } = await devices.get(device.deviceId);
  return await access.byCertificate({
    fingerprint: certificates.at(-1)?.fingerprint ?? '',
    subjectAltName: `URI:palyra://device.palyra.internal/${device.deviceId}`,
  });
}

/** A token of the owner that may read the journal and nothing else. */
export async function mintToken(house: House): Promise<string> {
  const { tokens } = house.test.gateway.identity;
  const wish = create(CreateTokenRequestSchema, {
    label: `token ${randomUUID()}`,
    scopes: [Permission.OBSERVABILITY_READ],
  });
  return (await tokens.create(wish, await callerOfHouse(house))).secret;
}
