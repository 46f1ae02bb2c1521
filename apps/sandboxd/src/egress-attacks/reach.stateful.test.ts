import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Box, BOXES, type Run } from './box.fixture.ts';
import {
  type Certified,
  certify,
  type Origin,
  startOrigin,
  startTlsOrigin,
} from './origins.fixture.ts';

const ADDRESSES = {
  'web.test': ['127.0.0.1'],
  'api.test': ['127.0.0.1'],
  'evil.test': ['127.0.0.1'],
};
const has = (name: string) => existsSync(join('/usr/bin', name));

let certified: Certified;
let plain: Origin;
let secure: Origin;
beforeAll(async () => {
  certified = await certify('api.test', 'evil.test');
  plain = await startOrigin();
  secure = await startTlsOrigin(certified);
});
afterAll(async () => {
  await plain[Symbol.asyncDispose]();
  await secure[Symbol.asyncDispose]();
});

describe.each(BOXES)('from a sandbox of $account, $warmth, a listed host and no other', (kind) => {
  let box: Box;
  let strict: Run;
  beforeAll(async () => {
    box = await Box.start(kind, { addresses: ADDRESSES, trusted: [certified.authorityPem] });
    box.put('ca.pem', certified.authorityPem);
    box.put('reach.ts', readFileSync(new URL('reach.fixture.ts', import.meta.url)));
    strict = {
      hosts: [
        `web.test:${plain.port}`,
        `api.test:${secure.port}`,
        `127.0.0.1:${plain.port},${secure.port}`,
      ],
      environment: {
        CURL_CA_BUNDLE: 'ca.pem',
        SSL_CERT_FILE: 'ca.pem',
        GIT_SSL_CAINFO: '/workspace/ca.pem',
        NODE_EXTRA_CA_CERTS: 'ca.pem',
      },
    };
  });
  afterAll(() => box[Symbol.asyncDispose]());

  it.runIf(has('curl'))(
    'is not reached where the rules refuse it, and nobody is dialled',
    async () => {
      await using refusing = await Box.start(kind, { addresses: ADDRESSES, refused: ['web.test'] });
      const url = `http://web.test:${plain.port}/`;
      const { stdout, records } = await refusing.sh(`curl -s ${url}`, strict);
      expect(stdout).toContain('the rules do not let this call connect there (rules-refuse)');
      const refused = {
        host: 'web.test',
        decision: 'refused',
        reason: 'rules-refuse',
        address: '',
      };
      expect(records).toMatchObject([refused]);
      expect(refusing.dialled).toEqual([]);
    },
  );

  it('is reached by fetch, through CONNECT, HTTP and SOCKS5 with names', async () => {
    box.putNode();
    const urls = [
      `http://web.test:${plain.port}`,
      `https://api.test:${secure.port}`,
      `https://evil.test:${secure.port}`,
    ];
    const seen = await box.run({
      ...strict,
      executable: './node',
      arguments: ['reach.ts', ...urls],
    });
    expect(JSON.parse(seen.stdout)).toEqual({
      plain: '200 seen GET /a',
      secure: '200 seen GET /b',
      other: 'failed',
      socks: 'HTTP/1.1 200',
      socksOther: 'socks 2',
    });
    // A connection is told when it has ended, and Node keeps some open.
    const told = seen.records.map(({ door, host, reason }) => ({ door, host, reason }));
    expect(told).toHaveLength(5);
    expect(told).toEqual(
      expect.arrayContaining([
        { door: 'connect', host: 'api.test', reason: '' },
        { door: 'connect', host: 'evil.test', reason: 'host-not-listed' },
        { door: 'http', host: 'web.test', reason: '' },
        { door: 'socks5', host: 'api.test', reason: '' },
        { door: 'socks5', host: 'evil.test', reason: 'host-not-listed' },
      ]),
    );
    expect(seen.ending.posture.isWarm).toBe(kind.warmth === 'warm');
  });

  it.runIf(has('curl'))('is reached by curl, through each of them', async () => {
    const seen = await box.sh(
      `curl -sS http://web.test:${plain.port}/plain; echo; curl -sS https://api.test:${secure.port}/tls; echo;
       HTTPS_PROXY= https_proxy= curl -sS https://api.test:${secure.port}/socks; echo;
       curl -sS http://evil.test:${plain.port}/; curl -s https://evil.test:${secure.port}/ || echo "no $?";
       curl -s --noproxy '*' http://127.0.0.1:${plain.port}/ || echo "direct $?"`,
      strict,
    );
    expect(seen.stdout.split('\n')).toEqual([
      'seen GET /plain',
      'seen GET /tls',
      'seen GET /socks',
      'palyra: the host is not listed (host-not-listed)',
      'no 56',
      'direct 7',
      '',
    ]);
    // Told when they have ended, and the next may begin before one has.
    const doors = Map.groupBy(seen.records, ({ door }) => door);
    expect([...doors].map(([door, records]) => [door, records.length])).toEqual(
      expect.arrayContaining([
        ['http', 2],
        ['connect', 2],
        ['socks5', 1],
      ]),
    );
  });

  it.runIf(has('python3'))('is reached by python', async () => {
    const script = `
import urllib.request, urllib.error
for url in ['http://web.test:${plain.port}/p', 'https://api.test:${secure.port}/q', 'http://evil.test:${plain.port}/']:
    try: print(urllib.request.urlopen(url).read().decode())
    except urllib.error.HTTPError as e: print(e.code)
`;
    const seen = await box.run({
      ...strict,
      executable: '/usr/bin/python3',
      arguments: ['-c', script],
    });
    expect([seen.stdout, seen.stderr]).toEqual(['seen GET /p\nseen GET /q\n403\n', '']);
  });

  it.runIf(has('git'))('is cloned from by git, with and without TLS', async () => {
    const files = join(box.folder, 'files');
    const git = (...words: readonly string[]) =>
      execFileSync('/usr/bin/git', words, { cwd: box.folder });
    git('init', '-q', '--bare', '-b', 'main', files);
    const commit = git(
      '--git-dir',
      files,
      '-c',
      'user.name=n',
      '-c',
      'user.email=n@web.test',
      'commit-tree',
      '-m',
      'first',
      emptyTree(files),
    )
      .toString()
      .trim();
    git('--git-dir', files, 'update-ref', 'refs/heads/main', commit);
    git('--git-dir', files, 'update-server-info');
    const serve = ({ line }: { line: string }) => fileAt(files, line);
    await using web = await startOrigin(serve);
    await using api = await startTlsOrigin(certified, serve);
    const seen = await box.sh(
      `git clone -q http://web.test:${web.port}/r one && git -C one log --format=%s;
       git clone -q https://api.test:${api.port}/r two && git -C two log --format=%s;
       git clone -q http://evil.test:${web.port}/r three 2>/dev/null || echo no`,
      {
        ...strict,
        hosts: [
          `web.test:${web.port}`,
          `api.test:${api.port}`,
          `127.0.0.1:${web.port},${api.port}`,
        ],
      },
    );
    expect([seen.stdout, seen.stderr]).toEqual(['first\nfirst\nno\n', '']);
  });
});

function emptyTree(files: string): string {
  return execFileSync('/usr/bin/git', [
    '--git-dir',
    files,
    'hash-object',
    '-w',
    '-t',
    'tree',
    '/dev/null',
  ])
    .toString()
    .trim();
}

/** A repository needs no program to be cloned from: files are enough. */
function fileAt(folder: string, line: string): Uint8Array | undefined {
  const path = /^GET \/r(\/[\w./-]+)/.exec(line)?.[1];
  if (path === undefined || path.includes('..')) return undefined;
  const whole = join(folder, path);
  return existsSync(whole) ? readFileSync(whole) : undefined;
}
