import { once } from 'node:events';
import { Duplex } from 'node:stream';
import { connect } from 'node:tls';

/**
 * What a sandbox sends to its proxy, connection by connection, and what came back. In perl, which
 * is on every Debian: one line of input a connection, its pieces in hex with dots between them.
 */
export const TALK = `
use Socket; $| = 1;
while (my $line = <STDIN>) {
  chomp $line;
  my $hold = $line =~ s/^hold //;
  socket(my $s, PF_INET, SOCK_STREAM, 0);
  connect($s, sockaddr_in(3128, inet_aton('127.0.0.1'))) or do { print "unconnected\\n"; next };
  $SIG{PIPE} = 'IGNORE';
  my $got = '';
  for my $piece (split /\\./, $line) {
    if ($piece eq 'wait') { my $b; my $n = sysread($s, $b, 65536); last unless $n; $got .= $b; next }
    my $bytes = pack('H*', $piece); my $at = 0;
    while ($at < length $bytes) { my $n = syswrite($s, $bytes, length($bytes) - $at, $at); last unless $n; $at += $n }
  }
  shutdown($s, 1) unless $hold;
  while (1) { my $n = sysread($s, my $b, 65536); last unless $n; $got .= $b; }
  print unpack('H*', substr($got, 0, 4096)), "\\n";
}`;

/** Go on when something has come back. */
export const WAIT = Symbol('wait');
export type Piece = string | Uint8Array | typeof WAIT;

/** One connection as a line for TALK; a held one stays open until the proxy ends it. */
export function lineOf(pieces: readonly Piece[], hold: 'hold' | 'let-go' = 'let-go'): string {
  const words = pieces.map((piece) =>
    piece === WAIT ? 'wait' : Buffer.from(piece).toString('hex'),
  );
  return `${hold === 'hold' ? 'hold ' : ''}${words.join('.')}\n`;
}

export function answersIn(stdout: string): readonly string[] {
  return stdout
    .trimEnd()
    .split('\n')
    .map((line) => Buffer.from(line, 'hex').toString('latin1'));
}

/** What Node would send first; without a name it names nobody. */
export async function clientHello(servername: string): Promise<Buffer> {
  const sent = Promise.withResolvers<Buffer>();
  const wire = new Duplex({
    read: () => {},
    write: (chunk: Buffer, _encoding, done) => {
      sent.resolve(chunk);
      done();
    },
  });
  const tls = connect({ socket: wire, servername }).on('error', () => {});
  const hello = await sent.promise;
  const closed = once(tls, 'close');
  tls.destroy();
  await closed;
  return hello;
}

const RECORD = 5;
const MESSAGE = 4;

/** The same hello with its name twice. */
export function namedTwice(hello: Buffer): Buffer {
  const at = extensionsOf(hello);
  let place = at + 2;
  while (hello.readUInt16BE(place) !== 0) place += 4 + hello.readUInt16BE(place + 2);
  const name = hello.subarray(place, place + 4 + hello.readUInt16BE(place + 2));
  const twice = Buffer.concat([hello, name]);
  twice.writeUInt16BE(hello.readUInt16BE(at) + name.length, at);
  twice.writeUIntBE(twice.length - RECORD - MESSAGE, RECORD + 1, 3);
  twice.writeUInt16BE(twice.length - RECORD, 3);
  return twice;
}

/** The same hello in records of one byte. */
export function crumbled(hello: Buffer): Buffer {
  const message = [...hello.subarray(RECORD)];
  return Buffer.from(message.flatMap((byte) => [22, 3, 1, 0, 1, byte]));
}

/** Claims to be longer than anybody's, and goes on and on. */
export function endlessHello(): Buffer {
  const record = Buffer.alloc(RECORD + 16_384);
  record.set([22, 3, 1, 0x40, 0]);
  const first = Buffer.from(record);
  first.set([1, 0xff, 0xff, 0xff, 3, 3], RECORD);
  return Buffer.concat([first, ...Array.from({ length: 7 }, () => record)]);
}

function extensionsOf(hello: Buffer): number {
  let at = RECORD + MESSAGE + 2 + 32;
  at += 1 + hello.readUInt8(at);
  at += 2 + hello.readUInt16BE(at);
  return at + 1 + hello.readUInt8(at);
}
