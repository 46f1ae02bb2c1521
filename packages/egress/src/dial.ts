import { connect, type Socket } from 'node:net';

export interface Destination {
  /** One that was checked, never a name. */
  readonly address: string;
  readonly port: number;
}

/** Contract: resolves with a connected socket, rejects when there is none or the signal is aborted. */
export type Dial = (to: Destination, signal: AbortSignal) => Promise<Socket>;

export const dialOnSystem: Dial = ({ address, port }, signal) => {
  const { promise, resolve, reject } = Promise.withResolvers<Socket>();
  signal.throwIfAborted();
  const socket = connect({ host: address, port, noDelay: true, allowHalfOpen: true });
  const onAbort = () => {
    socket.destroy();
    reject(new Error('the dial was given up'));
  };
  const settle = (then: () => void) => {
    signal.removeEventListener('abort', onAbort);
    then();
  };
  signal.addEventListener('abort', onAbort, { once: true });
  socket.once('connect', () => settle(() => resolve(socket)));
  socket.on('error', (error) => settle(() => reject(error)));
  return promise;
};
