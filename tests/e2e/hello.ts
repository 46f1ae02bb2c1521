import { once } from 'node:events';
import { connect } from 'node:net';

/** What is said first on a TLS connection, written by hand: no library of ours has to agree to say it. */
export interface Hello {
  /** As in the record and in the message: 0x0300 is SSL 3. */
  readonly version: number;
  /** What TLS 1.3 looks at instead. */
  readonly supportedVersions?: readonly number[];
  readonly suites?: readonly number[];
  readonly compressions?: readonly number[];
}

const OLD_SUITES = [0x000a, 0x002f, 0x0035, 0xc009, 0xc00a, 0xc013, 0xc014, 0xc02b, 0xc02f];
export const NEW_SUITES = [0x1301, 0x1302, 0x1303];

export type HelloAnswer =
  | { readonly kind: 'alert'; readonly description: number }
  /** A handshake message: its type, 2 for the hello of the server. */
  | { readonly kind: 'handshake'; readonly type: number }
  | { readonly kind: 'closed' };

const ALERT = 21;
const HANDSHAKE = 22;

/** The first record that the server answers with. */
export async function greet(port: number, hello: Hello): Promise<HelloAnswer> {
  const socket = connect(port, '127.0.0.1');
  socket.on('error', () => socket.destroy());
  try {
    await once(socket, 'connect');
    socket.write(recordOf(hello));
    const heard: Buffer[] = [];
    for await (const chunk of socket) {
      if (!Buffer.isBuffer(chunk)) break;
      heard.push(chunk);
      const bytes = Buffer.concat(heard);
      if (bytes.length < 7) continue;
      if (bytes[0] === ALERT) return { kind: 'alert', description: bytes[6] ?? 0 };
      if (bytes[0] === HANDSHAKE) return { kind: 'handshake', type: bytes[5] ?? 0 };
      break;
    }
    return { kind: 'closed' };
  } finally {
    socket.destroy();
  }
}

function recordOf({ version, supportedVersions, suites, compressions = [0] }: Hello): Buffer {
  const message = Buffer.concat([
    two(version),
    Buffer.alloc(32, 7),
    sized(1, Buffer.alloc(0)),
    sized(2, Buffer.concat((suites ?? OLD_SUITES).map(two))),
    sized(1, Buffer.from(compressions)),
    extensionsOf(version, supportedVersions),
  ]);
  const handshake = Buffer.concat([Buffer.from([1]), sized(3, message)]);
  return Buffer.concat([
    Buffer.from([HANDSHAKE]),
    two(Math.min(version, 0x0301)),
    sized(2, handshake),
  ]);
}

/** No key share, so that a server of TLS 1.3 asks for one and says its hello without any arithmetic. */
function extensionsOf(version: number, supported: readonly number[] | undefined): Buffer {
  // SSL 3 knows none.
  if (version === 0x0300) return Buffer.alloc(0);
  const groups = extension(10, sized(2, Buffer.concat([0x0017, 0x001d].map(two))));
  const signatures = extension(13, sized(2, Buffer.concat([0x0403, 0x0804, 0x0401].map(two))));
  const modern =
    supported === undefined
      ? []
      : [
          extension(43, sized(1, Buffer.concat(supported.map(two)))),
          extension(51, sized(2, Buffer.alloc(0))),
        ];
  return sized(2, Buffer.concat([groups, signatures, ...modern]));
}

function extension(type: number, content: Buffer): Buffer {
  return Buffer.concat([two(type), sized(2, content)]);
}

function two(number: number): Buffer {
  return Buffer.from([number >> 8, number & 0xff]);
}

function sized(lengthBytes: number, content: Buffer): Buffer {
  const length = Buffer.alloc(lengthBytes);
  length.writeUIntBE(content.length, 0, lengthBytes);
  return Buffer.concat([length, content]);
}
