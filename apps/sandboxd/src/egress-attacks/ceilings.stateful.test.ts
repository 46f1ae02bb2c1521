import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Box, BOXES } from './box.fixture.ts';
import { type Origin, startOrigin } from './origins.fixture.ts';
import { answersIn, lineOf, TALK, WAIT } from './probe.fixture.ts';

const ADDRESSES = { 'web.test': ['127.0.0.1'], 'other.test': ['127.0.0.1'] };

/** Asks for a page, once before and once after the test has made a file. */
const ASK = String.raw`
use Socket; $| = 1;
sub ask { my ($host) = @_; socket(my $s, PF_INET, SOCK_STREAM, 0); connect($s, sockaddr_in(3128, inet_aton('127.0.0.1'))) or return 'none';
  syswrite($s, "GET http://$host/ HTTP/1.1\r\nHost: x\r\n\r\n"); my $all = ''; while (sysread($s, my $b, 65536)) { $all .= $b } return substr($all, 9, 3); }
sub await_file { select(undef, undef, undef, 0.01) until -e $_[0]; }
`;

let web: Origin;
beforeAll(async () => {
  web = await startOrigin();
});
afterAll(() => web[Symbol.asyncDispose]());

describe.each(BOXES)('a sandbox of $account, $warmth', (kind) => {
  const listed = (name: string) => [`${name}:${web.port}`, `127.0.0.1:${web.port}`];

  it('that opens ten thousand connections, and keeps what it gets, disturbs no other', async () => {
    await using box = await Box.start(kind, {
      addresses: ADDRESSES,
      ceilings: { helloMs: 100_000 },
    });
    const held = Promise.withResolvers<void>();
    const noisy = box.perl(
      `${ASK}
my @held; my $dropped = 0;
sub opened { socket(my $s, PF_INET, SOCK_STREAM, 0); connect($s, sockaddr_in(3128, inet_aton('127.0.0.1'))); return $s; }
sub flood { for (1..50) { my @wave = map { opened() } 1..100;
  for my $s (@wave) { if (@held < 128) { syswrite($s, 'GET http://slow'); push @held, $s; } elsif (!sysread($s, my $b, 1)) { $dropped++ } } } }
flood(); print "held\\n"; await_file('go'); flood(); print "$dropped\\n"; close $_ for @held; print ask('web.test:${web.port}'), "\\n";`,
      { hosts: listed('web.test'), onOutput: () => held.resolve() },
    );
    await Promise.race([held.promise, noisy]);
    const quiet = await box.perl(`${ASK} print ask('web.test:${web.port}') for 1..20;`, {
      hosts: listed('web.test'),
    });
    box.put('go', '');
    expect(quiet.stdout).toBe('200'.repeat(20));
    const { stdout, records } = await noisy;
    expect(stdout).toMatch(/^held\n9872\n/);
    expect(records.filter(({ reason }) => reason === 'too-many-connections')).toHaveLength(1);
    expect(records.length).toBeLessThanOrEqual(130);
  });

  it('that is slow, says nothing or never ends its head is cut off', async () => {
    await using box = await Box.start(kind, { addresses: ADDRESSES, ceilings: { helloMs: 300 } });
    const head = `GET http://web.test:${web.port}/ HTTP/1.1\r\n`;
    const tunnel = `CONNECT web.test:${web.port} HTTP/1.1\r\nHost: x\r\n\r\n`;
    const seen = await box.perl(TALK, {
      hosts: listed('web.test'),
      stdin: [
        lineOf([`${head}X: `], 'hold'),
        lineOf([], 'hold'),
        lineOf([Buffer.from([5, 2])], 'hold'),
        lineOf([tunnel, WAIT], 'hold'),
        lineOf([tunnel, WAIT, Buffer.from([22, 3, 1])], 'hold'),
        lineOf([head, `X: ${'a'.repeat(1000)}\r\n`.repeat(60)], 'hold'),
      ].join(''),
    });
    const told = answersIn(seen.stdout).map((answer) => answer.slice(9, 12));
    expect(told).toEqual(['408', '', '', '200', '200', '431']);
    expect(seen.records.map(({ reason }) => reason)).toEqual([
      ...Array.from({ length: 5 }, () => 'too-slow'),
      'head-too-long',
    ]);
    expect(web.requests.filter(({ line }) => line !== 'GET /')).toEqual([]);
  });

  it('keeps the rules it began with, and the next has those of its own', async () => {
    await using box = await Box.start(kind, { addresses: ADDRESSES });
    const begun = Promise.withResolvers<void>();
    const both = `ask('web.test:${web.port}'), ' ', ask('other.test:${web.port}'), "\\n"`;
    const old = box.perl(`${ASK} print ${both}; await_file('changed'); print ${both};`, {
      hosts: listed('web.test'),
      onOutput: () => begun.resolve(),
    });
    await Promise.race([begun.promise, old]);
    const later = await box.perl(`${ASK} print ${both};`, { hosts: listed('other.test') });
    box.put('changed', '');
    expect(later.stdout).toBe('403 200\n');
    expect((await old).stdout).toBe('200 403\n200 403\n');
  });
});
