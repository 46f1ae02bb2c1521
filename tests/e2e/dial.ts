import { once } from 'node:events';
import { type ConnectionOptions, type TLSSocket, connect } from 'node:tls';
import { type TlsGateway, parseAddress } from '@palyra/client';

/** A connection of its own, as the given device unless the options say otherwise. */
export function dialAs(device: TlsGateway, options: ConnectionOptions = {}): TLSSocket {
  const { authorities, certificate, key, serverName } = device;
  const own = { ca: [...authorities], cert: certificate, key, servername: serverName };
  const where = parseAddress(device.address);
  const socket = connect({ ...where, ALPNProtocols: ['http/1.1'], ...own, ...options });
  // How it ended is told by what came back, or by who listens for it.
  return socket.on('error', () => socket.destroy());
}

/** A call with JSON over HTTP/1.1, as bytes of the wire. */
export function callText(path: string, body: string): string {
  const headers = [
    `POST /${path} HTTP/1.1`,
    'Host: x',
    'Content-Type: application/json',
    `Content-Length: ${body.length}`,
    'Connection: close',
  ];
  return [...headers, '', body].join('\r\n');
}

/** Everything that is answered until the connection is closed. */
export async function answerTo(socket: TLSSocket, words: string): Promise<string> {
  let heard = '';
  socket.on('data', (chunk: Buffer) => {
    heard += chunk.toString('latin1');
  });
  socket.once('secureConnect', () => socket.write(words));
  if (!socket.closed) await once(socket, 'close');
  return heard;
}
