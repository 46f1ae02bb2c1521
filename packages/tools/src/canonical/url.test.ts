import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { MAX_URL_LENGTH, readUrl } from './url.ts';

function hostOf(text: string): string {
  const reading = readUrl(text);
  return reading.kind === 'read' ? `${reading.value.host.name} ${reading.value.host.range}` : '-';
}

describe('an address', () => {
  it.each([
    ['https://example.com', 'https://example.com/'],
    ['HTTPS://EXAMPLE.COM/', 'https://example.com/'],
    ['https://example.com./a', 'https://example.com/a'],
    ['https://example.com:443/a', 'https://example.com/a'],
    ['http://example.com:443/a', 'http://example.com:443/a'],
    ['http://example.com:0080/a', 'http://example.com/a'],
    ['https://example.com:/a', 'https://example.com/a'],
    ['https://example.com/a#part', 'https://example.com/a'],
    ['https://example.com/a?', 'https://example.com/a'],
    ['https://example.com?q=1', 'https://example.com/?q=1'],
    ['https://example.com/a/../b', 'https://example.com/b'],
    ['https://example.com/../../b', 'https://example.com/b'],
    ['https://example.com/a/./b', 'https://example.com/a/b'],
    ['https://example.com/%7Eada/%61', 'https://example.com/~ada/a'],
    ['https://example.com/%c3%a9', 'https://example.com/%C3%A9'],
    ['https://example.com/é', 'https://example.com/%C3%A9'],
    ['https://example.com/a?q=%2e%2e%2fb', 'https://example.com/a?q=..%2Fb'],
    [
      'https://example.com/a?to=http://b.example/@x',
      'https://example.com/a?to=http://b.example/@x',
    ],
    ['https://example.com/@ada', 'https://example.com/@ada'],
    ['http://[0:0::1]:8080/', 'http://[::1]:8080/'],
    ['http://[::FFFF:1.2.3.4]/', 'http://1.2.3.4/'],
    ['http://0x7f.1/', 'http://127.0.0.1/'],
  ])('%s is written %s', (text, url) => {
    expect(readUrl(text)).toMatchObject({ kind: 'read', value: { url } });
    expect(readUrl(url)).toEqual(readUrl(text));
  });

  it.each([
    ['https://EXAMPLE.com', 'example.com name'],
    ['https://ｅｘａｍｐｌｅ.com', 'example.com name'],
    ['https://example。com', 'example.com name'],
    ['https://ex%61mple.com', 'example.com name'],
    ['https://ex\u0430mple.com', 'xn--exmple-4nf.com name'],
    ['https://bücher.example', 'xn--bcher-kva.example name'],
    ['https://XN--BCHER-KVA.example', 'xn--bcher-kva.example name'],
    ['https://faß.example', 'xn--fa-hia.example name'],
    ['http://LOCALHOST', 'localhost loopback'],
    ['http://localhost.', 'localhost loopback'],
    ['http://a.b.LocalHost.:80', 'a.b.localhost loopback'],
    ['http://loc%61lhost', 'localhost loopback'],
    ['http://ⓛocalhost', 'localhost loopback'],
    ['http://Metadata.Google.Internal.', 'metadata.google.internal metadata'],
    ['http://127.1', '127.0.0.1 loopback'],
    ['http://127.0.1', '127.0.0.1 loopback'],
    ['http://127.0.0.1.', '127.0.0.1 loopback'],
    ['http://2130706433', '127.0.0.1 loopback'],
    ['http://0x7f000001', '127.0.0.1 loopback'],
    ['http://0X7F.0.0.1', '127.0.0.1 loopback'],
    ['http://0177.0.0.1', '127.0.0.1 loopback'],
    ['http://017700000001', '127.0.0.1 loopback'],
    ['http://0000177.0.0.01', '127.0.0.1 loopback'],
    ['http://%31%32%37.0.0.1', '127.0.0.1 loopback'],
    ['http://１２７.0.0.1', '127.0.0.1 loopback'],
    ['http://①②⑦.0.0.1', '127.0.0.1 loopback'],
    ['http://127。0。0。1', '127.0.0.1 loopback'],
    ['http://0', '0.0.0.0 special'],
    ['http://10.1', '10.0.0.1 private'],
    ['http://0xa9fea9fe', '169.254.169.254 metadata'],
    ['http://0251.0376.0251.0376', '169.254.169.254 metadata'],
    ['http://[::1]', '::1 loopback'],
    ['http://[0:0:0:0:0:0:0:1]', '::1 loopback'],
    ['http://[::0001]', '::1 loopback'],
    ['http://[::ffff:127.0.0.1]', '127.0.0.1 loopback'],
    ['http://[::FFFF:7F00:0001]', '127.0.0.1 loopback'],
    ['http://[0:0:0:0:0:ffff:169.254.169.254]', '169.254.169.254 metadata'],
    ['http://[::ffff:10.0.0.1]', '10.0.0.1 private'],
    ['http://[::ffff:8.8.8.8]', '8.8.8.8 public'],
    ['http://[::127.0.0.1]', '::7f00:1 translated'],
    ['http://[64:ff9b::169.254.169.254]', '64:ff9b::a9fe:a9fe translated'],
    ['http://[64:ff9b:1::10.0.0.1]', '64:ff9b:1::a00:1 translated'],
    ['http://[2002:7f00:0001::]', '2002:7f00:1:: translated'],
    ['http://[2001:0:1::]', '2001:0:1:: translated'],
    ['http://[fd00:ec2:0::254]', 'fd00:ec2::254 metadata'],
    ['http://[FE80::1]', 'fe80::1 link_local'],
    ['http://8.8.8.8', '8.8.8.8 public'],
    ['http://127.0.0.1.nip.io', '127.0.0.1.nip.io name'],
    ['http://my_host', 'my_host name'],
  ])('%s leads to %s', (text, host) => {
    expect(hostOf(text)).toBe(host);
  });

  it.each([
    ['no scheme', 'example.com', 'is not of the web'],
    ['no host', 'https://', 'is not of the web'],
    ['a relative one', '/etc/passwd', 'is not of the web'],
    ['one of the same scheme', '//example.com', 'is not of the web'],
    ['a file', 'file:///etc/passwd', 'is not of the web'],
    ['a script', 'javascript:alert(1)', 'is not of the web'],
    ['inline data', 'data:text/plain,x', 'is not of the web'],
    ['another protocol', 'gopher://example.com', 'is not of the web'],
    ['a protocol with a prefix', 'view-source:https://example.com', 'is not of the web'],
    ['one slash', 'https:/example.com', 'is not of the web'],
    ['no slashes', 'https:example.com', 'is not of the web'],
    ['three slashes', 'https:///example.com', 'is not of the web'],
    ['a space before', ' https://example.com', 'holds a space'],
    ['a space after', 'https://example.com ', 'holds a space'],
    ['a space that does not break', 'https://example.com/\u00A0', 'holds a space'],
    ['a newline in the scheme', 'ht\ntps://example.com', 'holds `\\u{000a}`'],
    ['a tab in the host', 'https://exam\tple.com', 'holds `\\u{0009}`'],
    ['a NUL', 'https://example.com/\0', 'holds `\\u{0000}`'],
    ['a soft hyphen in the host', 'https://exam\u00ADple.com', 'holds `\\u{00ad}`'],
    ['a zero-width space in the host', 'https://exam\u200Bple.com', 'holds `\\u{200b}`'],
    ['text that runs backwards', 'https://example.com/\u202Egpj', 'holds `\\u{202e}`'],
    ['half a surrogate pair', 'https://example.com/\uD800', 'holds `\\u{d800}`'],
    ['a backslash before the user', 'https://good.example\\@evil.example', 'holds a backslash'],
    ['a backslash in the path', 'https://example.com/a\\..\\b', 'holds a backslash'],
    ['backslashes for slashes', 'https:\\\\example.com', 'holds a backslash'],
    ['a user', 'https://ada@example.com', 'names a user'],
    ['a user that looks like a host', 'https://good.example@evil.example', 'names a user'],
    ['a user with a password', 'https://ada:secret@example.com', 'names a user'],
    ['an empty user', 'https://@example.com', 'names a user'],
    ['an empty user with a password', 'https://:@example.com', 'names a user'],
    ['two users', 'https://a@b@example.com', 'names a user'],
    ['a letter that looks like an s', 'http\u017F://example.com', 'is not of the web'],
    ['a user behind an escape', 'https://good.example%40evil.example', 'is no address'],
    ['a zone', 'http://[fe80::1%25eth0]', 'is no address'],
    ['a zone without an escape', 'http://[fe80::1%eth0]', 'is no address'],
    ['an open bracket', 'http://[::1', 'is no address'],
    ['too many groups', 'http://[1:2:3:4:5:6:7:8:9]', 'is no address'],
    ['a number beyond 32 bits', 'http://4294967296', 'is no address'],
    ['five numbers', 'http://1.2.3.4.5', 'is no address'],
    ['a part beyond a byte', 'http://256.0.0.1', 'is no address'],
    ['letters that end in a number', 'http://example.1', 'is no address'],
    ['an escaped slash in the host', 'http://a%2fb', 'is no address'],
    ['an escaped NUL in the host', 'http://a%00.example', 'is no address'],
    ['a label that encodes nothing', 'http://xn--a', 'has a host that is no name'],
    ['a label that encodes plain letters', 'http://xn--example-.com', 'has a host that is no name'],
    ['a label that encodes large letters', 'http://xn--a-ecp.ru', 'has a host that is no name'],
    ['a port that is too large', 'http://example.com:65536', 'is no address'],
    ['a port that is no number', 'http://example.com:80a', 'is no address'],
    ['the port 0', 'http://example.com:0', 'has the port 0'],
    ['two final dots', 'http://example.com..', 'has a host that is no name'],
    ['an empty label', 'http://a..example', 'has a host that is no name'],
    ['a leading dot', 'http://.example', 'has a host that is no name'],
    ['only a dot', 'http://.', 'has a host that is no name'],
    ['a comma in the host', 'http://a,b', 'has a host that is no name'],
    ['a pattern for a host', 'http://*.example', 'has a host that is no name'],
    ['a quote in the host', "http://a'b", 'has a host that is no name'],
    ['a dash before a label', 'http://-a.example', 'has a host that is no name'],
    ['a dash after a label', 'http://a-.example', 'has a host that is no name'],
    ['a long label', `http://${'a'.repeat(64)}.example`, 'has a host that is no name'],
    ['a long host', `http://${'a.'.repeat(130)}example`, 'has a host that is no name'],
    ['an escaped slash', 'https://example.com/a%2fb', 'has an encoded slash'],
    ['an escaped backslash', 'https://example.com/a%5Cb', 'has an encoded slash'],
    ['a slash that is escaped twice', 'https://example.com/a%252fb', 'has an encoded slash'],
    ['a slash that is escaped thrice', 'https://example.com/a%25252Fb', 'has an encoded slash'],
    ['escaped dots', 'https://example.com/%2e%2E/b', 'has an encoded dot'],
    ['one escaped dot', 'https://example.com/.%2e/b', 'has an encoded dot'],
    ['dots that are escaped twice', 'https://example.com/%252e%252e/b', 'has an encoded dot'],
    ['escaped dots that lead nowhere', 'https://example.com/a/%2e%2e', 'has an encoded dot'],
    ['an escaped NUL', 'https://example.com/a%00.png', 'has a control character'],
    ['an escaped newline', 'https://example.com/a%0d%0aHost:b', 'has a control character'],
    ['a newline that is escaped twice', 'https://example.com/a%250a', 'has a control character'],
    ['an escaped delete', 'https://example.com/%7f', 'has a control character'],
    ['half an escape', 'https://example.com/a%2', 'has a `%` in its path'],
    ['an escape of another world', 'https://example.com/%u002e', 'has a `%` in its path'],
    ['a slash in too many bytes', 'https://example.com/%c0%af', 'not UTF-8'],
    ['escapes in another encoding', 'https://example.com/%e9', 'not UTF-8'],
    ['escaped text that runs backwards', 'https://example.com/%E2%80%AEgpj', '`\\u{202e}`'],
    ['an empty name', 'https://example.com//admin', 'has an empty name'],
    ['an empty name further on', 'https://example.com/a//admin', 'has an empty name'],
    ['an empty name behind dots', 'https://example.com/a/..//admin', 'has an empty name'],
    ['dots before a semicolon', 'https://example.com/a/..;/admin', 'hides dots'],
    ['a dot before a semicolon', 'https://example.com/.;/admin', 'hides dots'],
    ['too much', `https://example.com/${'a'.repeat(MAX_URL_LENGTH)}`, 'is longer than'],
  ])('is not read with %s', (_what, text, reason) => {
    const reading = readUrl(text);
    expect(reading).toMatchObject({ kind: 'unreadable', reason: expect.stringContaining(reason) });
    expect(reading.kind === 'unreadable' && reading.help).toMatch(/./);
  });

  it.each([
    ['https://example.com', 443],
    ['http://example.com', 80],
    ['http://example.com:443', 443],
    ['https://example.com:8443', 8443],
    ['http://example.com:65535', 65_535],
  ])('%s always has a port', (text, port) => {
    expect(readUrl(text)).toMatchObject({ value: { port } });
  });

  it('keeps the query out of the path that rules see', () => {
    expect(readUrl('https://example.com/a/b?c=/d#e')).toMatchObject({ value: { path: '/a/b' } });
  });
});

const octets = fc.tuple(fc.nat(255), fc.nat(255), fc.nat(255), fc.nat(255));

/** Ways to write the same four numbers. */
function spellings([a, b, c, d]: readonly [number, number, number, number]): readonly string[] {
  const low = c * 256 + d;
  const whole = ((a * 256 + b) * 256 + c) * 256 + d;
  const mapped = `${(a * 256 + b).toString(16)}:${low.toString(16)}`;
  return [
    `${a}.${b}.${c}.${d}`,
    `${a}.${b}.${c}.${d}.`,
    `${a}.${b}.${low}`,
    `${whole}`,
    `0x${whole.toString(16)}`,
    `0${whole.toString(8)}`,
    `0x${a.toString(16)}.0${b.toString(8)}.${low}`,
    `[::ffff:${a}.${b}.${c}.${d}]`,
    `[::FFFF:${mapped}]`,
    `[0:0:0:0:0:ffff:${mapped}]`,
  ];
}

const label = fc.stringMatching(/^[a-z](?:[a-z0-9]{0,6}[a-z])?$/);
const hostName = fc.array(label, { minLength: 1, maxLength: 4 }).map((labels) => labels.join('.'));

/** The same text in one of many mixes of large letters, full-width letters and escapes. */
function disguised(text: string, choices: readonly number[]): string {
  return text
    .split('')
    .map((character, place) => {
      if (!/[a-z]/.test(character)) return character;
      const code = character.charCodeAt(0);
      const forms = [
        character,
        character.toUpperCase(),
        String.fromCharCode(code + 0xfee0),
        `%${code.toString(16)}`,
      ];
      return forms[(choices[place % choices.length] ?? 0) % forms.length] ?? character;
    })
    .join('');
}

describe('any address', () => {
  it('of four numbers is one host, however they are written', () => {
    fc.assert(
      fc.property(octets, (numbers) => {
        const hosts = spellings(numbers).map((text) => hostOf(`http://${text}/`));
        expect(new Set(hosts).size).toBe(1);
        expect(hosts[0]?.startsWith(`${numbers.join('.')} `)).toBe(true);
      }),
    );
  });

  it('of a name is one host, however it is written', () => {
    const choices = fc.array(fc.nat(3), { minLength: 1, maxLength: 20 });
    fc.assert(
      fc.property(hostName, choices, fc.constantFrom('', '.'), (name, chosen, end) => {
        const reading = readUrl(`https://${disguised(name, chosen)}${end}:443/`);
        expect(reading).toMatchObject({ kind: 'read', value: { url: `https://${name}/` } });
      }),
    );
  });

  it('that is read means itself', () => {
    const pieces = fc.constantFrom(
      ' ',
      ...'a B . / .. %2e %7E %c3%A9 é ? # @ : 80 [ ] ::1 127.1 0x7f 。 \\ % ; = & \' " < | ^ `'.split(
        ' ',
      ),
    );
    const text = fc.array(pieces, { maxLength: 12 }).map((parts) => parts.join(''));
    fc.assert(
      fc.property(fc.oneof(text, fc.string({ unit: 'binary' }), fc.webUrl()), (end) => {
        for (const start of ['', 'http://', 'https://example.com/']) {
          const reading = readUrl(start + end);
          if (reading.kind === 'read') expect(readUrl(reading.value.url)).toEqual(reading);
        }
      }),
      { numRuns: 3000 },
    );
  });
});
