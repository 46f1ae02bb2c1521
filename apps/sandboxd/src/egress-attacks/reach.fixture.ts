// Runs inside a sandbox, by a Node that was put there; prints what it reached as JSON.
import { once } from 'node:events';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { connect as connectTls } from 'node:tls';

const [plain = '', secure = '', other = ''] = process.argv.slice(2);

async function fetched(url: string): Promise<string> {
  try {
    const answer = await fetch(url);
    return `${answer.status} ${(await answer.text()).trim()}`;
  } catch (error) {
    return error instanceof Error && error.cause instanceof Error ? 'failed' : 'threw';
  }
}

/** TLS through SOCKS5, with the name left to the proxy. */
async function bySocks(url: string): Promise<string> {
  const { hostname, port } = new URL(url);
  const socket = connect(3128, '127.0.0.1');
  await once(socket, 'connect');
  socket.write(Buffer.from([5, 1, 0]));
  await once(socket, 'data');
  const name = Buffer.from(hostname);
  const portBytes = Buffer.from([Number(port) >> 8, Number(port) & 255]);
  socket.write(Buffer.concat([Buffer.from([5, 1, 0, 3, name.length]), name, portBytes]));
  const reply = await new Promise<Buffer>((resolve) => void socket.once('data', resolve));
  if (reply[1] !== 0) return `socks ${reply[1]}`;
  const tls = connectTls({ socket, servername: hostname });
  tls.write(`GET /socks HTTP/1.1\r\nHost: ${hostname}:${port}\r\nConnection: close\r\n\r\n`);
  return (await text(tls)).slice(0, 12);
}

const seen = {
  plain: await fetched(`${plain}/a`),
  secure: await fetched(`${secure}/b`),
  other: await fetched(other),
  socks: await bySocks(secure),
  socksOther: await bySocks(other),
};
process.stdout.write(JSON.stringify(seen));
