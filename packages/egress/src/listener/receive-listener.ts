import type { ChildProcess, SendHandle } from 'node:child_process';
import { createServer, type Server } from 'node:net';
import { PalyraError } from '@palyra/kernel';
import { LISTENER_OPTIONS } from '../proxy/serve.ts';
import { LISTENER_PORT } from './listener-elf.ts';

/**
 * Takes the listening socket that the program of `listenerElf` hands over, and waits until it has
 * closed the channel: what runs later in the sandbox can say nothing on it. Contract: the child was
 * started with an `ipc` channel in JSON; rejects with SANDBOX_UNAVAILABLE when it ends, or the
 * signal is aborted, before that.
 */
export async function receiveListener(child: ChildProcess, signal: AbortSignal): Promise<Server> {
  const { promise, resolve, reject } = Promise.withResolvers<SendHandle | undefined>();
  let handed: SendHandle | undefined;
  const onMessage = (_message: unknown, handle?: SendHandle) => {
    handed = handle;
  };
  const onDisconnect = () => resolve(handed);
  const onAbort = () => reject(notHandedOver());
  child.once('message', onMessage).once('disconnect', onDisconnect);
  signal.addEventListener('abort', onAbort, { once: true });
  if (!child.connected || signal.aborted) onAbort();
  try {
    return await listenOn(await promise);
  } finally {
    child.off('message', onMessage).off('disconnect', onDisconnect);
    signal.removeEventListener('abort', onAbort);
  }
}

async function listenOn(handle: SendHandle | undefined): Promise<Server> {
  if (handle === undefined) throw notHandedOver();
  const { promise, resolve, reject } = Promise.withResolvers<Server>();
  const server = createServer(LISTENER_OPTIONS);
  server.once('error', () => reject(notHandedOver()));
  server.listen(handle, () => resolve(server));
  await promise;
  const address = server.address();
  const isOurs = address !== null && typeof address !== 'string' && address.port === LISTENER_PORT;
  if (isOurs) return server;
  server.close();
  throw notHandedOver();
}

function notHandedOver(): PalyraError {
  return new PalyraError(
    'SANDBOX_UNAVAILABLE',
    'the sandbox handed over no listener, so nothing could go out of it',
    { help: '`palyra sandbox status` shows what this machine allows' },
  );
}
