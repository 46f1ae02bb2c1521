import { once } from 'node:events';
import { type Socket, connect } from 'node:net';
import { performance } from 'node:perf_hooks';

export interface HttpLoad {
  readonly port: number;
  readonly path: string;
  /** Each asks again as soon as it has its answer. */
  readonly connections: number;
  readonly sampleMs: number;
}

const HEAD_END = '\r\n\r\n';

/**
 * Requests a second. Spoken over bare sockets: Node's own HTTP client needs more time for a request
 * than either server, and would be what is measured.
 */
export async function requestRate(load: HttpLoad): Promise<number> {
  const sockets = Array.from({ length: load.connections }, () => connect(load.port, '127.0.0.1'));
  try {
    await Promise.all(sockets.map((socket) => once(socket, 'connect')));
    const startedAt = performance.now();
    const endAt = startedAt + load.sampleMs;
    const counts = await Promise.all(sockets.map((socket) => askUntil(endAt, socket, load)));
    const answers = counts.reduce((sum, count) => sum + count, 0);
    return answers / ((performance.now() - startedAt) / 1_000);
  } finally {
    for (const socket of sockets) socket.destroy();
  }
}

/** Resolves with the number of answers, after the last of them. */
function askUntil(endAt: number, socket: Socket, { path, port }: HttpLoad): Promise<number> {
  const question = `GET ${path} HTTP/1.1\r\nhost: localhost:${port}\r\n\r\n`;
  return new Promise((resolve, reject) => {
    let answers = 0;
    const onAnswer = () => {
      answers += 1;
      if (performance.now() < endAt) socket.write(question);
      else resolve(answers);
    };
    socket.on('data', answerReader(onAnswer, reject));
    socket.once('error', reject);
    socket.once('close', () => reject(new Error('a connection was closed under load')));
    socket.write(question);
  });
}

/** Calls `onAnswer` for each whole answer, and `onFault` for one that is not a 200. */
function answerReader(
  onAnswer: () => void,
  onFault: (fault: Error) => void,
): (chunk: Buffer) => void {
  let heard = '';
  return (chunk) => {
    heard += chunk.toString('latin1');
    const headEnd = heard.indexOf(HEAD_END);
    if (headEnd === -1) return;
    if (!heard.startsWith('HTTP/1.1 200 ')) {
      onFault(new Error(`answered ${heard.slice(0, headEnd)}`));
      return;
    }
    const bodyLength = Number(/\r\ncontent-length: (\d+)/i.exec(heard)?.[1]);
    if (heard.length < headEnd + HEAD_END.length + bodyLength) return;
    heard = '';
    onAnswer();
  };
}
