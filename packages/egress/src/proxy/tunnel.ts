import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { hostText } from '../canonical-host.ts';
import type { Allowed } from '../decide.ts';
import { intercept } from '../interception/intercept.ts';
import { type ClientHello, HelloReader } from '../reading/client-hello.ts';
import { Refused } from '../refusal.ts';
import { secretsFor } from '../secrets.ts';
import type { Ear } from './ear.ts';
import type { Passage } from './passage.ts';
import { relay } from './relay.ts';

export interface TunnelOrder {
  readonly socket: Socket;
  readonly allowed: Allowed;
  readonly ear: Ear;
  /** What tells the sandbox that it may begin. */
  readonly established: Buffer;
}

/** Lets bytes pass both ways, after a look at the first ones unless the entry is for plain TCP. */
export async function tunnel(order: TunnelOrder, passage: Passage): Promise<void> {
  const { socket, allowed } = order;
  const addresses = await passage.resolve(allowed);
  if (isRead(allowed, passage)) {
    begin(order);
    await readHello(order, passage);
    return intercept({ ...order, addresses }, passage);
  }
  const upstream = await passage.dial(addresses, allowed.port);
  begin(order);
  if (allowed.rules[0].speaks === 'web') await readHello(order, passage);
  return passBothWays(socket, upstream, passage);
}

/** Inside TLS as well: some rule or secret depends on what is asked for. */
function isRead({ host, port, rules }: Allowed, { running }: Passage): boolean {
  return (
    rules.some(({ requests }) => requests !== undefined) ||
    (rules[0].speaks === 'web' && secretsFor(running.sandbox.secrets, host, port).length > 0)
  );
}

/** From here on nobody listens for our own words: only TLS, or whatever it is, goes through. */
function begin({ socket, ear, established }: TunnelOrder): void {
  socket.write(established);
  ear.speech = 'silence';
}

async function readHello({ socket, allowed }: TunnelOrder, passage: Passage): Promise<void> {
  const reader = new HelloReader(passage.running.sandbox.ceilings.helloBytes);
  const hello = await passage.read(socket, reader, 'hello-malformed');
  checkName(hello, allowed);
}

/** TLS has no way to name an address, so there a hello without a name is the right one. */
function checkName({ serverName }: ClientHello, { host }: Allowed): void {
  if (host.kind === 'address') {
    if (serverName !== undefined) throw new Refused('hello-other-name');
    return;
  }
  if (serverName === undefined) throw new Refused('hello-without-name');
  if (serverName.toLowerCase() !== hostText(host)) throw new Refused('hello-other-name');
}

async function passBothWays(client: Duplex, upstream: Duplex, passage: Passage): Promise<void> {
  const up = { pass: counted((bytes) => passage.countUp(bytes)) };
  const down = { pass: counted((bytes) => passage.countDown(bytes)) };
  await Promise.all([oneWay(client, upstream, up), oneWay(upstream, client, down)]);
}

async function oneWay(from: Duplex, to: Duplex, step: Parameters<typeof relay>[2]): Promise<void> {
  const end = await relay(from, to, step);
  if (end === 'ended') {
    to.end();
    return;
  }
  from.destroy();
  to.destroy();
}

function counted(count: (bytes: number) => void): (chunk: Buffer) => readonly Buffer[] {
  return (chunk) => {
    count(chunk.length);
    return [chunk];
  };
}
