import { describe, expect, it } from 'vitest';
import { redactText } from './redaction.ts';
import { NAMED_SECRET_SHAPES, SECRET_SHAPES, isSecretName } from './secret-shapes.ts';

describe('a name', () => {
  it.each([
    'password',
    'PGPASSWORD',
    'dbPassword',
    'new_password2',
    'password_hash',
    'passwd',
    'MYSQL_PWD',
    'passphrase',
    'token',
    'accessToken',
    'refresh-token',
    '_authToken',
    'x-vault-token',
    'id_tokens',
    'client_secret',
    'clientSecret',
    'secretValue',
    'apiKey',
    'api_key',
    'x-api-key',
    'APIKEY',
    'AWS_SECRET_ACCESS_KEY',
    'privateKey',
    'private_key_pem',
    'private.key',
    'signingKey',
    'authorization',
    'Proxy-Authorization',
    'cookie',
    'set-cookie',
    'credentials',
    'pin',
    'userPin',
    'jwt',
    'otp',
  ])('`%s` announces a secret', (name) => {
    expect(isSecretName(name)).toBe(true);
  });

  it.each([
    'keyId',
    'publicKey',
    'key',
    'mapping',
    'shopping',
    'author',
    'authority',
    'tokenizer',
    'secretary',
    'previousHash',
    'fingerprint',
    'sessionId',
    'path',
    '',
  ])('`%s` does not', (name) => {
    expect(isSecretName(name)).toBe(false);
  });

  it('of a million characters is judged by its end', () => {
    expect(isSecretName(`${'aB'.repeat(500_000)}_password`)).toBe(true);
    expect(isSecretName('1'.repeat(1_000_000))).toBe(false);
  });
});

/** Text, and what of it must be gone. Put together here, so that no scanner takes one for real. */
const SECRET_TEXTS: readonly (readonly [string, string, string])[] = [
  ['a token of ours', `pal_${'a1B2'.repeat(6)}`, 'a1B2'],
  ['an api key', `sk-${'proj-x9Y8'.repeat(4)}`, 'x9Y8'],
  ['a payment key', `rk_live_${'x9Y8'.repeat(6)}`, 'x9Y8'],
  ['a GitHub token', `ghp_${'x9Y8'.repeat(9)}`, 'x9Y8'],
  ['a fine-grained GitHub token', `github_pat_${'x9Y8_'.repeat(9)}`, 'x9Y8'],
  ['a GitLab token', `glpat-${'x9Y8'.repeat(5)}`, 'x9Y8'],
  ['a Slack token', `xoxb-${'123-'.repeat(4)}x9Y8`, 'x9Y8'],
  ['an AWS key id', `AKIA${'X9Y8'.repeat(4)}`, 'X9Y8'],
  ['a Google key', `AIza${'x9Y8-'.repeat(7)}`, 'x9Y8'],
  ['an age key', `AGE-SECRET-KEY-1${'X9Y8'.repeat(14)}`, 'X9Y8'],
  ['a token in three parts', 'eyJhbGciOiJub25lIn0.eyJzdWIiOiJib2IifQ.x9Y8x9Y8', 'x9Y8'],
  ['a token behind an underscore', `job_ghp_${'x9Y8'.repeat(9)}`, 'x9Y8'],
  ['a bearer', 'sent bearer   abc.def~x9Y8/+=', 'x9Y8'],
  ['basic credentials', 'used Basic dXNlcjp4OVk4', 'dXNlcjp4OVk4'],
  ['a long header', `Authorization: Negotiate ${'YIIx9Y8/'.repeat(600)}==\nHost: a`, 'x9Y8'],
  ['a header with quotes', 'Authorization: Digest username="a", response="x9Y8"', 'x9Y8'],
  ['a signed request', 'authorization=AWS4 Credential=a/b, Signature=x9Y8', 'x9Y8'],
  ['a cookie header', 'Set-Cookie: sid=x9Y8; Path=/; other=x9Y8', 'x9Y8'],
  ['a query', 'GET /?user=bob&password=x9Y8&page=2', 'x9Y8'],
  ['an api key in a query', 'https://a.example/v1?key=x9Y8', 'x9Y8'],
  ['a signed address', 'https://a.example/b?se=1&sig=x9Y8%3D', 'x9Y8'],
  ['an encoded query', 'next=%2F%3Ftoken%3Dx9Y8', 'x9Y8'],
  ['a pair of key and value', 'password: x9Y8', 'x9Y8'],
  ['a pair with an arrow', 'secret => x9Y8', 'x9Y8'],
  ['a variable', 'AWS_SECRET_ACCESS_KEY=x9Y8/abc', 'x9Y8'],
  ['a connection string', 'Server=a;Uid=b;Pwd=x9Y8;Port=1', 'x9Y8'],
  ['a phrase', 'passphrase: correct horse x9Y8', 'x9Y8'],
  ['a flag', 'curl --oauth2-token x9Y8 --verbose', 'x9Y8'],
  ['a value in quotes', `password='with space x9Y8'`, 'x9Y8'],
  ['a value in backticks', 'token: `with space x9Y8`', 'x9Y8'],
  ['json', JSON.stringify({ password: 'a"b x9Y8', user: 'bob' }), 'x9Y8'],
  ['json in json', JSON.stringify({ body: JSON.stringify({ apiKey: 'a"b x9Y8' }) }), 'x9Y8'],
  ['a number in json', '{"pin":9981}', '9981'],
  ['a user and a password', 'postgres://bob:x9Y8@host/db', 'x9Y8'],
  ['a password with an @', 'redis://:a@x9Y8@host', 'x9Y8'],
  ['a token as a user', 'https://x9Y8@git.example/a.git', 'x9Y8'],
  ['a private key', pem('PRIVATE KEY', 'MIIx9Y8\nx9Y8'), 'x9Y8'],
  ['an encrypted key', pem('RSA PRIVATE KEY', 'DEK-Info: AES-128-CBC,0\n\nMIIx9Y8'), 'x9Y8'],
  ['a key that was cut off', pem('EC PRIVATE KEY', 'MI-----x9Y8').slice(0, -30), 'x9Y8'],
  ['a key on one line', JSON.stringify(pem('OPENSSH PRIVATE KEY', 'b3x9Y8')), 'x9Y8'],
  ['a block of keys', pem('PGP PRIVATE KEY BLOCK', 'Version: 1 - a\n\nx9Y8'), 'x9Y8'],
];

describe('text', () => {
  it.each(SECRET_TEXTS)('does not keep %s', (_name, text, secret) => {
    const clean = redactText(`before ${text}`);
    expect(clean).toContain('[redacted]');
    expect(clean).not.toContain(secret);
    expect(clean.startsWith('before ')).toBe(true);
  });

  it.each([
    ['GET /?user=bob&password=x&page=2', 'GET /?user=bob&password=[redacted]&page=2'],
    ['{"password":"a","user":"bob"}', '{"password":"[redacted]","user":"bob"}'],
    [
      String.raw`{"b":"{\"token\":\"a\",\"u\":1}"}`,
      String.raw`{"b":"{\"token\":\"[redacted]\",\"u\":1}"}`,
    ],
    ['postgres://bob:x@host/db', 'postgres://[redacted]@host/db'],
    [`a ${pem('PRIVATE KEY', 'x')} b`, 'a [redacted] b'],
    ['Authorization: Basic YWJj\nHost: a', 'Authorization: [redacted]\nHost: a'],
  ])('keeps what stands around a secret', (text, clean) => {
    expect(redactText(text)).toBe(clean);
  });

  it.each([
    'basic validation failed',
    'the bearer of this is known',
    'run 01ARYZ6S410000000000000000 ended',
    'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad',
    'see https://a.example/b?page=2#top and mail bob@a.example',
    'the flag `--token` needs a value',
    'task-force, risk-averse, /etc/passwd',
    '-----BEGIN PUBLIC KEY-----\nMCow\n-----END PUBLIC KEY-----',
  ])('that holds no secret stays as it is: %s', (text) => {
    expect(redactText(text)).toBe(text);
  });

  it.each(SECRET_TEXTS)('that was cleaned of %s stays as it is', (_name, text) => {
    expect(redactText(redactText(text))).toBe(redactText(text));
  });
});

describe('hostile text of a megabyte', () => {
  const megabyte = (text: string) => text.repeat(Math.ceil(1_000_000 / text.length));
  // Each is the worst that is known for one of the shapes: many starts, long runs, no end.
  it.each([
    '-----BEGIN ',
    '-----BEGIN PRIVATE KEY-----',
    '-----BEGIN PRIVATE KEY-----END ',
    'eyJ-',
    'eyJaaaaaaaa.',
    'sk-',
    'bearer ',
    'bearer',
    '://',
    '://a:',
    'a@',
    'token',
    'token=',
    'token="',
    'token=\\"',
    'token=\\\\"\\',
    "token='\\",
    'token` : ',
    '--token ',
    '--',
    '?key=',
    '\\',
    '"',
    ' ',
    '=',
    'a',
    'authorization : ',
    'passphrase',
  ])('made of `%s` is searched to its end by every shape', (text) => {
    for (const shape of [...SECRET_SHAPES, ...NAMED_SECRET_SHAPES]) {
      const hostile = megabyte(text);
      expect(hostile.replace(shape, '').length).toBeLessThanOrEqual(hostile.length);
    }
  });
});

function pem(label: string, body: string): string {
  return `-----BEGIN ${label}-----\n${body}\n-----END ${label}-----`;
}
