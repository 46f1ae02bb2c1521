/** A ClientHello as bytes, for tests to spoil. */
export interface HelloParts {
  readonly extensions: readonly Buffer[];
  readonly version?: number;
}

export function hello({ extensions, version = 0x0303 }: HelloParts): Buffer {
  const body = Buffer.concat([
    number(version, 2),
    Buffer.alloc(32, 7),
    vector(1, Buffer.alloc(32, 9)),
    vector(2, Buffer.from([0x13, 0x01, 0x13, 0x02])),
    vector(1, Buffer.from([0])),
    vector(2, Buffer.concat(extensions)),
  ]);
  return Buffer.concat([Buffer.from([1]), vector(3, body)]);
}

export function records(message: Buffer, size = 16_384): Buffer {
  const pieces: Buffer[] = [];
  for (let at = 0; at < message.length; at += size) {
    const piece = message.subarray(at, at + size);
    pieces.push(Buffer.from([22, 3, 1]), vector(2, piece));
  }
  return Buffer.concat(pieces);
}

export function extension(type: number, content: Buffer): Buffer {
  return Buffer.concat([number(type, 2), vector(2, content)]);
}

export function serverName(name: string): Buffer {
  return extension(0, vector(2, nameEntry(name)));
}

export function nameEntry(name: string, kind = 0): Buffer {
  return Buffer.concat([Buffer.from([kind]), vector(2, Buffer.from(name, 'latin1'))]);
}

export function vector(size: number, content: Buffer): Buffer {
  return Buffer.concat([number(content.length, size), content]);
}

function number(value: number, size: number): Buffer {
  const bytes = Buffer.alloc(size);
  bytes.writeUIntBE(value, 0, size);
  return bytes;
}
