import { once } from 'node:events';
import { chmodSync } from 'node:fs';
import { createServer, type Server } from 'node:net';
import { networkInterfaces } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Box, BOXES } from './box.fixture.ts';
import { type Origin, startOrigin } from './origins.fixture.ts';

const ADDRESSES = { 'web.test': ['127.0.0.1'] };

/** Each tried by itself; what it says is how it ended. */
const PERL = String.raw`
use Socket; use Errno; $| = 1;
sub say_end { my ($what, $worked) = @_; my $e = $worked ? 'worked' : (grep { $!{$_} } qw(EPERM EACCES ENETUNREACH ECONNREFUSED EADDRINUSE EAFNOSUPPORT EPROTONOSUPPORT ENETDOWN EADDRNOTAVAIL))[0] // ($!+0); print "$what $e\n"; }
`;

let web: Origin;
beforeAll(async () => {
  web = await startOrigin();
});
afterAll(() => web[Symbol.asyncDispose]());

describe.each(BOXES)('beside its proxy, a sandbox of $account, $warmth', (kind) => {
  let box: Box;
  let hosts: readonly string[];
  beforeAll(async () => {
    box = await Box.start(kind, { addresses: ADDRESSES });
    hosts = [`web.test:${web.port}`, `127.0.0.1:${web.port}`];
  });
  afterAll(() => box[Symbol.asyncDispose]());

  async function tried(script: string): Promise<readonly string[]> {
    const seen = await box.perl(PERL + script, { hosts });
    expect([seen.ending.kind, seen.stderr]).toEqual(['exited', '']);
    expect(seen.records).toEqual([]);
    return seen.stdout.trimEnd().split('\n');
  }

  it('has no route to the machine, its neighbours or the world', async () => {
    const before = web.connections();
    const own = Object.values(networkInterfaces())
      .flatMap((each) => each ?? [])
      .find(({ family, internal }) => family === 'IPv4' && !internal)?.address;
    const targets = [
      '127.0.0.1',
      own ?? '10.0.0.2',
      '10.0.0.1',
      '192.168.1.1',
      '169.254.169.254',
      '93.184.216.34',
    ];
    const words = targets.map((each) => `'${each}'`).join(', ');
    const lines = await tried(`
for my $to (${words}) { socket(my $s, PF_INET, SOCK_STREAM, 0); say_end('tcp', connect($s, sockaddr_in(${web.port}, inet_aton($to)))); }
for my $to ('::1', 'fe80::1', '2606:4700::1111', '::ffff:127.0.0.1') { socket(my $s, PF_INET6, SOCK_STREAM, 0); say_end('tcp6', connect($s, pack_sockaddr_in6(${web.port}, Socket::inet_pton(AF_INET6, $to), 1))); }
for my $to ('93.184.216.34', '8.8.8.8') { socket(my $s, PF_INET, SOCK_DGRAM, 0); say_end('udp', send($s, 'x', 0, sockaddr_in(53, inet_aton($to)))); }
`);
    const [first, ...others] = lines;
    expect(first).toBe('tcp ECONNREFUSED');
    expect(
      others.filter((line) => !/ (?:ENETUNREACH|ECONNREFUSED|EADDRNOTAVAIL)$/.test(line)),
    ).toEqual([]);
    expect(lines).toHaveLength(12);
    expect(web.connections()).toBe(before);
  });

  it('gets no socket but those of TCP and UDP', async () => {
    const lines = await tried(`
my @kinds = (['icmp', 2, 3, 1], ['ping', 2, 2, 1], ['icmp6', 10, 3, 58], ['raw', 2, 3, 255], ['packet', 17, 3, 0x0300], ['packet-datagram', 17, 2, 0x0300],
  ['xdp', 44, 3, 0], ['vsock', 40, 1, 0], ['unix', 1, 1, 0], ['unix-datagram', 1, 2, 0], ['bluetooth', 31, 3, 1], ['alg', 38, 5, 0], ['tipc', 30, 1, 0], ['can', 29, 3, 1],
  ['netlink-audit', 16, 3, 9], ['netlink-generic', 16, 3, 16], ['netlink-uevent', 16, 3, 15], ['netlink-netfilter', 16, 3, 12], ['netlink-diag', 16, 3, 4], ['netlink-xfrm', 16, 3, 6],
  ['sctp', 2, 1, 132], ['mptcp', 2, 1, 262]);
for my $k (@kinds) { $! = 0; say_end($k->[0], socket(my $s, $k->[1], $k->[2], $k->[3])); }
`);
    const harmless = lines.filter((line) => line.endsWith(' worked'));
    // Another way to speak to the same nobody.
    expect(harmless.filter((line) => !line.startsWith('mptcp'))).toEqual([]);
    expect(lines).toHaveLength(22);
  });

  it('finds no name, by its library or by asking a server itself', async () => {
    const lines = await tried(String.raw`
say_end('library', defined gethostbyname('example.com'));
say_end('listed', defined gethostbyname('web.test'));
my $q = pack('n6', 1, 0x0100, 1, 0, 0, 0) . "\7example\3com\0" . pack('n2', 1, 1);
for my $to ('8.8.8.8', '127.0.0.53', '127.0.0.11') { socket(my $s, PF_INET, SOCK_DGRAM, 0); connect($s, sockaddr_in(53, inet_aton($to))); send($s, $q, 0); my $r = ''; my $in = ''; vec($in, fileno($s), 1) = 1; select($in, undef, undef, 0.2); say_end("server", defined recv($s, $r, 512, 0x40) && length $r); }
for my $to ('8.8.8.8', '127.0.0.53') { socket(my $s, PF_INET, SOCK_STREAM, 0); say_end('stream', connect($s, sockaddr_in(53, inet_aton($to)))); }
print -e '/etc/resolv.conf' ? "resolv\n" : "none\n";
`);
    expect(lines.filter((line) => line.endsWith(' worked'))).toEqual([]);
    expect(lines).toHaveLength(8);
    expect(lines.at(-1)).toBe('none');
  });

  it('can change neither links, addresses nor routes', async () => {
    const lines = await tried(String.raw`
sub ask { my ($what, $type, $flags, $body) = @_; socket(my $s, 16, 3, 0) or do { say_end("$what-socket", 0); return };
  my $m = pack('LSSLL', 16 + length $body, $type, 0x0005 | $flags, 1, 0) . $body; send($s, $m, 0); recv($s, my $r, 4096, 0);
  my ($len, $t, $f, $seq, $pid, $error) = unpack('LSSLLl', $r); $! = -$error; say_end($what, $error == 0); }
ask('link-add', 16, 0x0600, pack('CxSlLL', 0, 0, 0, 0, 0) . pack('SSa8', 12, 3, "dummy0") . pack('SS', 16, 18) . pack('SSa8', 12, 1, "dummy"));
ask('link-down', 16, 0, pack('CxSlLL', 0, 0, 1, 0, 1));
ask('address-add', 20, 0x0600, pack('CCCCL', 2, 24, 0, 0, 1) . pack('SSa4', 8, 2, inet_aton('10.9.9.9')));
ask('route-add', 24, 0x0600, pack('CCCCCCCCL', 2, 0, 0, 0, 254, 3, 0, 1, 0) . pack('SSa4', 8, 5, inet_aton('127.0.0.1')));
ask('neighbour-add', 28, 0x0600, pack('CxxxlSCC', 2, 1, 0x80, 0, 1) . pack('SSa4', 8, 1, inet_aton('10.9.9.9')));
`);
    expect(lines).toEqual([
      'link-add EPERM',
      'link-down EPERM',
      'address-add EPERM',
      'route-add EPERM',
      'neighbour-add EPERM',
    ]);
    // Where there is a program for it, it fares no better.
    const ip = await box.sh(
      'command -v ip >/dev/null || exit 9; ip link add x type dummy && echo a; ip addr add 10.9.9.9/8 dev lo && echo b; ip route add default dev lo && echo c; ip link set lo down && echo d; exit 9',
      { hosts },
    );
    expect([ip.ending.code, ip.stdout]).toEqual([9, '']);
  });

  it('cannot take the port of its proxy, nor share it', async () => {
    const lines = await tried(String.raw`
for my $options ([], [2], [15], [2, 15]) { for my $to ('127.0.0.1', '0.0.0.0') {
  socket(my $s, PF_INET, SOCK_STREAM, 0); setsockopt($s, 1, $_, pack('l', 1)) for @$options;
  say_end('bind', bind($s, sockaddr_in(3128, inet_aton($to))) && listen($s, 1)); } }
socket(my $s, PF_INET, SOCK_STREAM, 0); say_end('another', bind($s, sockaddr_in(3129, inet_aton('127.0.0.1'))) && listen($s, 1));
`);
    expect(lines).toEqual([
      ...Array.from({ length: 8 }, () => 'bind EADDRINUSE'),
      'another worked',
    ]);
  });

  describe('where sockets of the machine lie', () => {
    let server: Server;
    let abstract: Server;
    let visits = 0;
    beforeAll(async () => {
      server = createServer(() => (visits += 1));
      abstract = createServer(() => (visits += 1));
      const listening = [once(server, 'listening'), once(abstract, 'listening')];
      server.listen(join(box.workspace, 'daemon.sock'));
      abstract.listen(`\0palyra-test-${process.pid}`);
      await Promise.all(listening);
      chmodSync(join(box.workspace, 'daemon.sock'), 0o777);
    });
    afterAll(async () => {
      for (const each of [server, abstract]) await new Promise((resolve) => each.close(resolve));
    });

    it('speaks to none of them', async () => {
      const seen = await box.perl(
        `${PERL}
for my $to ('/workspace/daemon.sock', "\\0palyra-test-${process.pid}", '/var/run/docker.sock', '/run/docker.sock', '/tmp/ssh-agent.sock') {
  $! = 0; my $made = socket(my $s, PF_UNIX, SOCK_STREAM, 0); say_end('unix', $made && connect($s, pack_sockaddr_un($to))); }
socketpair(my $a, my $b, PF_UNIX, SOCK_STREAM, 0) or print "no pair\\n"; $! = 0; say_end('pair', connect($a, pack_sockaddr_un('/workspace/daemon.sock')));
socketpair($a, $b, PF_UNIX, SOCK_DGRAM, 0); $! = 0; say_end('datagram', defined send($a, 'x', 0, pack_sockaddr_un('/workspace/daemon.sock')));
say_end('docker', -e '/var/run/docker.sock' || -e '/run/docker.sock'); print defined $ENV{SSH_AUTH_SOCK} ? "agent\\n" : "none\\n";`,
        { hosts },
      );
      const lines = seen.stdout.trimEnd().split('\n');
      expect(lines.slice(0, 5)).toEqual(Array.from({ length: 5 }, () => 'unix EPERM'));
      expect(lines.slice(5).filter((line) => line.endsWith(' worked'))).toEqual([]);
      expect(lines.at(-1)).toBe('none');
      expect(visits).toBe(0);
    });
  });
});
