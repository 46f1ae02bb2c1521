import { describe, expect, it } from 'vitest';
import { findHosts } from './found-hosts.ts';

const FOUND: readonly (readonly [word: string, ...hosts: readonly string[]])[] = [
  ['https://web.example', 'web.example:443'],
  ['HTTPS://Web.Example/Path?q=1#top', 'Web.Example:443'],
  ['http://web.example:8080/a', 'web.example:8080'],
  ['ws://web.example', 'web.example:80'],
  ['wss://web.example', 'web.example:443'],
  ['http://user:pass@web.example/', 'web.example:80'],
  ['http://a@b@web.example/', 'web.example:80'],
  ['--url=https://web.example/x', 'web.example:443'],
  ['--index-url=https://pypi.example/simple', 'pypi.example:443'],
  ['git+https://code.example/a.git', 'code.example:443'],
  ['git+ssh://git@code.example/a.git', 'code.example:22'],
  ['ssh://git@code.example:2222/a.git', 'code.example:2222'],
  ['git://code.example/a.git', 'code.example:9418'],
  ['postgresql://me:word@db.example/shop', 'db.example:5432'],
  ['redis://cache.example', 'cache.example:6379'],
  ['http.proxy=http://proxy.example:3128', 'proxy.example:3128'],
  ['curl "https://one.example/a"; wget http://two.example', 'one.example:443', 'two.example:80'],
  ['<https://one.example>,(https://two.example)', 'one.example:443', 'two.example:443'],
  ['https://one.example/?next=https://two.example/', 'one.example:443', 'two.example:443'],
  ['http://[2001:db8::1]:8080/', '[2001:db8::1]:8080'],
  ['http://127.0.0.1/', '127.0.0.1:80'],
  ['http://2130706433/', '2130706433:80'],
  ['http://0x7f.1/', '0x7f.1:80'],
  ['http://under_score.example/', 'under_score.example:80'],
  ['strange://host.example/', 'host.example:0'],
  ['strange://host.example:77/', 'host.example:77'],
  ['file://host.example/share', 'host.example:0'],
  ['git@code.example:team/repo.git', 'code.example:22'],
  ['git@code:team/repo.git', 'code:22'],
  ['code.example:team/repo.git', 'code.example:22'],
  ['backup@[2001:db8::1]:/srv', '[2001:db8::1]:22'],
  ['me@host.example:', 'host.example:22'],
  ['db.example:5432', 'db.example:5432'],
  ['db.example:5432/shop', 'db.example:5432'],
  ['me@db.example:5432', 'db.example:5432'],
  ['--host=db.example:5432', 'db.example:5432'],
  ['localhost:3000', 'localhost:3000'],
  ['10.0.0.1:22', '10.0.0.1:22'],
  ['[::1]:80', '[::1]:80'],
];

/** No one reading, so they come out as something that is no host, and are denied. */
const ODD: readonly (readonly [word: string, host: string])[] = [
  [String.raw`http://good.example\@evil.example/`, String.raw`good.example\@evil.example:0`],
  ['http://web.example%2eevil.example/', 'web.example%2eevil.example:0'],
  ['http://[fe80::1%25eth0]/', '[fe80::1%25eth0]:0'],
  ['http://web.example:99999/', 'web.example:99999:0'],
  ['http:///web.example/', 'http:///:0'],
];

const NOT_FOUND: readonly string[] = [
  '',
  '-',
  '--',
  'install',
  'src/main.ts',
  'src/main.ts:10:3',
  'build:prod',
  'image:latest',
  'HEAD:src/main.ts',
  'v1.2:README.md',
  '12:30',
  '12:30:15',
  '1.5:3',
  'KEY=VALUE',
  'a@b.example',
  'package@1.2.3',
  'alias@npm:other@1.0.0',
  'package@workspace:*',
  'file:///srv/data.csv',
  'sqlite:///srv/data.db',
  '//comment',
  'C:\\Users',
  's/a:b/c:d/',
  '{"a":1}',
];

/** What hides is not found; that is why nothing rests on it. */
const HIDDEN: readonly string[] = [
  'web.example',
  'aHR0cHM6Ly9ldmlsLmV4YW1wbGUv',
  '@requests.txt',
  'origin',
  'https:%2f%2fevil.example',
];

const texts = (word: string) => findHosts([word]).map(({ host, port }) => `${host}:${port}`);

describe('hosts in the words of a command', () => {
  it.each(FOUND)('are found in `%s`', (word, ...hosts) => {
    expect(texts(word)).toEqual(hosts);
  });

  it.each(ODD)('are told as they stand where `%s` could be read in two ways', (word, host) => {
    expect(texts(word)).toEqual([host]);
  });

  it.each(NOT_FOUND)('are not seen in `%s`', (word) => {
    expect(texts(word)).toEqual([]);
  });

  it.each(HIDDEN)('stay unseen in `%s`', (word) => {
    expect(texts(word)).toEqual([]);
  });

  it('are told once, however often they stand there', () => {
    expect(findHosts(['https://a.example/x', 'https://a.example/y', 'a.example:443'])).toEqual([
      { host: 'a.example', port: 443 },
    ]);
  });

  it('are looked for in a word of a megabyte without getting lost in it', () => {
    const long = 'a.'.repeat(500_000);
    expect(findHosts([long, `${long}:1`, `x@${long}:`, ':'.repeat(1_000_000)])).toHaveLength(1);
  });
});
