import { createServer } from 'node:tls';
import { readTlsFile } from '../rig/tls-file.ts';

/** Mutual TLS and one byte: as much as a handshake can be. */
const [port = '', tlsFile = ''] = process.argv.slice(2);
const server = createServer({ ...readTlsFile(tlsFile), ALPNProtocols: ['h2'] }, (socket) => {
  socket.on('error', () => socket.destroy());
  socket.write('.');
});
server.listen(Number(port), '127.0.0.1');
