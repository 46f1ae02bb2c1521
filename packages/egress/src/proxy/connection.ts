import type { Socket } from 'node:net';
import { PalyraError } from '@palyra/kernel';
import { readAuthority } from '../canonical-host.ts';
import { HeadReader } from '../reading/http-head.ts';
import { type Incremental, refuse } from '../reading/incremental.ts';
import {
  GreetingReader,
  RequestReader,
  SOCKS_NO_PROOF,
  SOCKS_REPLY,
  SOCKS_VERSION,
  socksReply,
} from '../reading/socks5.ts';
import { Refused, type Refusal } from '../refusal.ts';
import { ESTABLISHED, refuseAloud } from './answer.ts';
import type { Ear } from './ear.ts';
import { Passage } from './passage.ts';
import { plainHttp } from './plain-http.ts';
import type { Running } from './sandbox-egress.ts';
import { tunnel } from './tunnel.ts';

/** Serves one connection to its end and records it. Contract: never rejects. */
export async function serveConnection(socket: Socket, running: Running): Promise<void> {
  const passage = new Passage(running);
  const ear: Ear = { stream: passage.own(socket), speech: 'silence' };
  // Whoever has left waits for nothing: whatever was begun for them is given up.
  socket.once('close', () => passage.close());
  passage.watchIdle(socket);
  try {
    await Promise.race([speak(socket, passage, ear), passage.failed]);
  } catch (error) {
    const reason = reasonOf(error, running);
    passage.draft.end(reason);
    await refuseAloud(ear.stream, ear.speech, reason);
  } finally {
    passage.close();
    running.sandbox.onRecord(passage.draft.close());
  }
}

/** Anything but a refusal is a fault of ours; it ends this connection like one, and is told. */
export function reasonOf(error: unknown, { log, sandbox }: Running): Refusal {
  if (error instanceof Refused) return error.reason;
  log.error('egress connection failed', {
    sandbox: sandbox.id,
    code: PalyraError.from(error).code,
  });
  return 'fault';
}

async function speak(socket: Socket, passage: Passage, ear: Ear): Promise<void> {
  const first = await passage.read(socket, new FirstByteReader(), 'protocol-unknown');
  if (first === SOCKS_VERSION) return speakSocks(socket, passage, ear);
  // Methods are written large; everything else is no protocol of ours.
  if (first < 0x41 || first > 0x5a) throw new Refused('protocol-unknown');
  return speakHttp(socket, passage, ear);
}

async function speakHttp(socket: Socket, passage: Passage, ear: Ear): Promise<void> {
  const { draft, running } = passage;
  draft.door = 'http';
  ear.speech = 'http';
  const head = await passage.read(
    socket,
    new HeadReader(running.sandbox.ceilings, 'request'),
    'head-malformed',
  );
  const [method, target] = head.start;
  if (method !== 'CONNECT') return plainHttp({ client: socket, ear }, head, passage);
  draft.door = 'connect';
  const authority = readAuthority(target);
  if (authority?.port === undefined) {
    draft.asked(target, 0);
    throw new Refused('host-malformed');
  }
  const allowed = passage.authorise(authority.host, authority.port);
  return tunnel({ socket, allowed, ear, established: ESTABLISHED }, passage);
}

async function speakSocks(socket: Socket, passage: Passage, ear: Ear): Promise<void> {
  passage.draft.door = 'socks5';
  const isOffered = await passage.read(socket, new GreetingReader(), 'protocol-unknown');
  if (!isOffered) throw new Refused('protocol-unknown');
  socket.write(SOCKS_NO_PROOF);
  ear.speech = 'socks5';
  const request = await passage.read(socket, new RequestReader(), 'head-malformed');
  if (!request.isConnect) {
    passage.draft.asked(request.host, request.port);
    throw new Refused('protocol-unknown');
  }
  const allowed = passage.authorise(request.host, request.port);
  return tunnel({ socket, allowed, ear, established: socksReply(SOCKS_REPLY.done) }, passage);
}

class FirstByteReader implements Incremental<number> {
  push(chunk: Buffer) {
    const [first] = chunk;
    return first === undefined
      ? refuse('protocol-unknown')
      : ({ kind: 'done', value: first, rest: chunk } as const);
  }
}
