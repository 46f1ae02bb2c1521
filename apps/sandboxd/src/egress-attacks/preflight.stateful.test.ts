import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Box, BOXES } from './box.fixture.ts';
import { type Origin, startOrigin } from './origins.fixture.ts';

const ADDRESSES = {
  'web.test': ['127.0.0.1'],
  'inside.test': ['10.0.0.1'],
  'metadata.test': ['169.254.169.254'],
};

/** Reaches this machine by an address that no word of the command shows. */
const HIDDEN = String.raw`
use Socket; use MIME::Base64; my $where = $ARGV[0] eq 'file' ? do { open(my $f, '<', 'where'); <$f> } : decode_base64($ARGV[0]);
chomp $where; my ($host, $port) = split /:/, $where; socket(my $s, PF_INET, SOCK_STREAM, 0);
print connect($s, sockaddr_in($port, inet_aton($host))) ? 'reached' : 'not';
`;

let web: Origin;
beforeAll(async () => {
  web = await startOrigin();
});
afterAll(() => web[Symbol.asyncDispose]());

const FORBIDDEN =
  'the host leads to an address that is not public, and that address is not listed itself';

describe.each(BOXES)('with preflight, a command in a sandbox of $account, $warmth', (kind) => {
  let box: Box;
  beforeAll(async () => {
    box = await Box.start(kind, { addresses: ADDRESSES });
    box.put('where', `127.0.0.1:${web.port}\n`);
  });
  afterAll(() => box[Symbol.asyncDispose]());

  const preflight = (hosts: readonly string[]) => ({
    egress: { mode: 'preflight', hosts } as const,
  });

  it.each([
    ['https://evil.test/x', [], 'evil.test:443', 'the host is not listed'],
    ['git@evil.test:a/b', ['web.test'], 'evil.test:22', 'the host is not listed'],
    [
      'http://web.test:81/',
      ['web.test'],
      'web.test:81',
      'the host is listed, but not with this port',
    ],
    [
      'http://2130706433/',
      ['web.test'],
      '2130706433:80',
      'the host is not one that can be asked for',
    ],
    ['x', ['inside.test'], 'inside.test:80', FORBIDDEN],
    ['x', ['metadata.test'], 'metadata.test:80', FORBIDDEN],
    ['x', ['unknown.test'], 'unknown.test:80', 'the host has no address'],
  ])('that names %s is refused where %j are declared', async (word, hosts, host, why) => {
    const { ending } = await box.run({
      executable: 'echo',
      arguments: [word],
      ...preflight(hosts),
    });
    expect(ending).toMatchObject({
      kind: 'refused',
      fault: {
        kind: 'EgressDenied',
        code: 'SANDBOX_EGRESS_DENIED',
        reason: `egress to \`${host}\` is not allowed: ${why}`,
      },
    });
  });

  it('runs when every host it names is declared, and is said not to be held to them', async () => {
    const hosts = [`web.test:${web.port}`, `127.0.0.1:${web.port}`];
    const word = `http://web.test:${web.port}/`;
    const { ending, stdout } = await box.run({
      executable: 'echo',
      arguments: [word],
      ...preflight(hosts),
    });
    expect(stdout).toBe(`${word}\n`);
    expect(ending.posture.egress).toBe('preflight');
    expect(ending.posture.weaknesses).toContain(
      'hosts were checked before the start and are not enforced at runtime',
    );
  });

  it.each([
    ['in base64', () => Buffer.from(`127.0.0.1:${web.port}`).toString('base64')],
    ['in a file', () => 'file'],
  ])(
    'passes with a host that is hidden %s, reaches it, and is said not to be held',
    async (_where, word) => {
      const { ending, stdout } = await box.run({
        executable: 'perl',
        arguments: ['-e', HIDDEN, word()],
        ...preflight([]),
      });
      expect(stdout).toBe('reached');
      expect(ending.posture.weaknesses).toContain(
        'hosts were checked before the start and are not enforced at runtime',
      );
    },
  );

  it('passes with a host that stands in the configuration of git', async () => {
    const script =
      'git init -q r && git -C r config remote.o.url $(cat where) && git -C r config remote.o.url';
    const { ending, stdout } = await box.sh(script, preflight([]));
    expect(stdout).toBe(`127.0.0.1:${web.port}\n`);
    expect(ending.posture.egress).toBe('preflight');
  });
});
