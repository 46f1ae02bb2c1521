import { toJson } from '@bufbuild/protobuf';
import { type JsonObject, canonicalBytes, isJsonObject } from '@palyra/kernel';
import { CallFactsSchema } from '@palyra/protocol';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { MAX_TEXT } from './arguments.ts';
import { createCatalogue } from './catalogue.ts';
import type { Understood } from './manifest.ts';

const catalogue = createCatalogue();

function understand(tool: string, args: JsonObject): Understood {
  const manifest = catalogue.find(tool);
  if (manifest === undefined) throw new TypeError(`there is no ${tool}`);
  return manifest.understand(args, '/home/ada/site');
}

/** As the journal has them, without the digest: what is empty is left out. */
function factsOf(tool: string, args: JsonObject): unknown {
  const understood = understand(tool, args);
  if (understood.kind !== 'understood') return undefined;
  return toJson(CallFactsSchema, { ...understood.facts, argumentsSha256: '' });
}

function digestOf(tool: string, args: JsonObject): string {
  const understood = understand(tool, args);
  return understood.kind === 'understood' ? understood.facts.argumentsSha256 : '';
}

describe('a call that is understood', () => {
  it.each([
    ['fs.read', { path: './a//b' }, { path: 'a/b', first_line: 1, max_lines: 2000 }],
    ['fs.list', {}, { path: '.', depth: 1 }],
    [
      'fs.search',
      { text: 'x', path: 'docs/' },
      { text: 'x', match: 'exact', path: 'docs', max_results: 100 },
    ],
    [
      'fs.write',
      { path: 'a', content: 'é' },
      { path: 'a', content: 'é', mode: 'create', folders: 'existing' },
    ],
    [
      'process.run',
      { command: 'ls' },
      {
        command: 'ls',
        args: [],
        cwd: '.',
        stdin: '',
        env: [],
        tier: 'C',
        hosts: [],
        timeout_ms: 0,
      },
    ],
    [
      'artifact.read',
      { sha256: `sha256:${'a'.repeat(64)}` },
      { sha256: 'a'.repeat(64), offset: 0 },
    ],
    [
      'http.fetch',
      { url: 'http://a', method: 'get' },
      { url: 'http://a/', method: 'GET', headers: [], body: '' },
    ],
    ['memory.search', { query: 'x' }, { query: 'x', max_results: 10 }],
    ['browser.open', { url: 'HTTPS://A.example:443#x' }, { url: 'https://a.example/' }],
    ['browser.screenshot', {}, { area: 'visible' }],
  ])('to %s has its arguments in one spelling, defaults included', (tool, args, canonical) => {
    expect(understand(tool, args)).toMatchObject({ kind: 'understood', arguments: canonical });
  });

  it.each([
    ['fs.read', { path: 'etc/passwd' }, { reads: ['etc/passwd'], argumentBytes: 53 }],
    ['fs.read', { path: 'a', offset: 7 }, { reads: ['a'], argumentBytes: 55 }],
    ['fs.list', { path: 'docs/' }, { reads: ['docs'], readsBelow: true, argumentBytes: 25 }],
    ['fs.search', { text: 'x' }, { reads: ['.'], readsBelow: true, argumentBytes: 57 }],
    ['fs.write', { path: 'a', content: 'é' }, { writes: ['a'], argumentBytes: 64, bodyBytes: 2 }],
    [
      'fs.patch',
      { patch: '--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a\n+é\nrename from y\nrename to z\n' },
      { reads: ['x', 'y'], writes: ['x', 'y', 'z'], argumentBytes: 80, bodyBytes: 61 },
    ],
    [
      'process.run',
      {
        command: 'git',
        args: ['-C', 'a b', ''],
        cwd: './sub/',
        stdin: 'hi',
        env: [{ name: 'CI', value: 'secret' }],
      },
      {
        process: {
          executable: 'git',
          arguments: ['-C', 'a b', ''],
          directory: 'sub',
          environment: ['CI'],
          tier: 'C',
        },
        reads: ['sub'],
        argumentBytes: 141,
        bodyBytes: 2,
      },
    ],
    [
      'http.fetch',
      { url: 'http://LOCALHOST:8080/a?b', method: 'post', body: '€' },
      {
        http: { method: 'POST', scheme: 'http', host: 'localhost', port: 8080, path: '/a' },
        hosts: [{ name: 'localhost', port: 8080, range: 'loopback' }],
        argumentBytes: 77,
        bodyBytes: 3,
      },
    ],
    [
      'browser.open',
      { url: 'http://[::ffff:10.0.0.1]' },
      {
        http: { method: 'GET', scheme: 'http', host: '10.0.0.1', port: 80, path: '/' },
        hosts: [{ name: '10.0.0.1', port: 80, range: 'private' }],
        argumentBytes: 26,
      },
    ],
    ['artifact.read', { sha256: 'a'.repeat(64) }, { argumentBytes: 88 }],
    ['memory.save', { text: 'é' }, { argumentBytes: 13, bodyBytes: 2 }],
    ['memory.search', { query: 'é' }, { argumentBytes: 31 }],
    ['browser.read', {}, { argumentBytes: 2 }],
    ['browser.click', { element: 'link-7' }, { argumentBytes: 20 }],
    ['browser.type', { element: 'e1', text: 'abc' }, { argumentBytes: 29, bodyBytes: 3 }],
    ['browser.screenshot', {}, { argumentBytes: 18 }],
  ])('to %s has facts', (tool, args, facts) => {
    expect(factsOf(tool, args)).toEqual(facts);
  });

  it('has the digest of its arguments in one spelling', () => {
    expect(digestOf('browser.screenshot', {})).toBe(
      '84006090f5d79d2ef023898599437c205d84a6b5f7fb8aa175d8694ae3252281',
    );
    expect(digestOf('fs.read', { path: './a//b' })).toBe(digestOf('fs.read', { path: 'a/b' }));
  });

  const withVariable = (value: string) => ({ command: 'ls', env: [{ name: 'A', value }] });
  const post = { url: 'https://a.example/x?a=1', method: 'POST', body: 'ab' };

  it.each([
    ['process.run', { command: 'sh', stdin: 'ls' }, { command: 'sh', stdin: 'rm' }],
    ['process.run', withVariable('x'), withVariable('y')],
    ['http.fetch', post, { ...post, body: 'cd' }],
    ['http.fetch', post, { ...post, url: 'https://a.example/x?a=2' }],
    [
      'http.fetch',
      { ...post, headers: [{ name: 'x-a', value: 'b' }] },
      { ...post, headers: [{ name: 'x-a', value: 'c' }] },
    ],
    ['fs.write', { path: 'a', content: 'ab' }, { path: 'a', content: 'cd' }],
    ['browser.click', { element: 'no' }, { element: 'ok' }],
    ['browser.type', { element: 'e1', text: 'ab' }, { element: 'e1', text: 'cd' }],
    ['memory.save', { text: 'ab' }, { text: 'cd' }],
  ])('to %s shares facts with another of the same size, but not the digest', (tool, one, other) => {
    expect(factsOf(tool, one)).toEqual(factsOf(tool, other));
    expect(digestOf(tool, one)).toMatch(/^[\da-f]{64}$/);
    expect(digestOf(tool, one)).not.toBe(digestOf(tool, other));
  });

  it('never lets a program of the workspace pass for one that is installed', () => {
    const facts = ['git', './git', 'bin/git', '/bin/git'].map((command) =>
      factsOf('process.run', { command }),
    );
    expect(facts).toMatchObject([
      { process: { executable: 'git' } },
      { process: { executable: './git' } },
      { process: { executable: './bin/git' } },
      { process: { executable: '/bin/git' } },
    ]);
  });

  it('keeps text as it is, however odd: it is shown, not obeyed', () => {
    const content = 'a\u202Eb\u200B\0\r\n cafe\u0301';
    expect(understand('fs.write', { path: 'a', content })).toMatchObject({
      arguments: { content },
    });
  });

  it('shares nothing with the next one', () => {
    const first = understand('process.run', { command: 'ls' });
    const second = understand('process.run', { command: 'ls' });
    if (first.kind !== 'understood' || second.kind !== 'understood') throw new TypeError('no');
    expect(first.arguments['args']).not.toBe(second.arguments['args']);
  });
});

describe('a call that is not understood', () => {
  it.each([
    ['fs.read', {}, '`path` is missing'],
    ['fs.read', { path: null }, '`path` must be a text'],
    ['fs.read', { path: ['a'] }, '`path` must be a text'],
    ['fs.read', { path: { toString: 'a' } }, '`path` must be a text'],
    ['fs.read', { path: 'a', offset: 0 }, '`offset` must be at least 1'],
    ['fs.read', { path: 'a/../b' }, '`path` holds `..`: `a/../b`'],
    ['fs.read', { path: '.' }, '`path` names a folder, not a file'],
    ['fs.read', { path: 'x'.repeat(4097) }, '`path` must be at most 4096 characters'],
    ['fs.read', { Path: 'a', path: 'a' }, 'the arguments hold `Path`, which is no argument'],
    [
      'fs.read',
      { path: 'a', 'b`\u202E': 1 },
      'the arguments hold `b\\u{0060}\\u{202e}`, which is no argument',
    ],
    ['fs.read', { path: 'a', first_line: 0 }, '`first_line` must be at least 1'],
    ['fs.read', { path: 'a', first_line: 1.5 }, '`first_line` must be a whole number'],
    ['fs.read', { path: 'a', first_line: '1' }, '`first_line` must be a number'],
    ['fs.read', { path: 'a', max_lines: 100_001 }, '`max_lines` must be at most 100000'],
    ['fs.list', { path: null }, '`path` must be a text'],
    ['fs.list', { depth: 17 }, '`depth` must be at most 16'],
    ['fs.search', { text: '' }, '`text` is empty'],
    ['fs.write', { path: 'a' }, '`content` is missing'],
    ['fs.write', { path: '/', content: '' }, '`path` names a folder, not a file'],
    [
      'fs.write',
      { path: 'a', content: '', mode: 'Replace' },
      '`mode` must be one of create, replace, append',
    ],
    ['fs.write', { path: 'a', content: '\uD800' }, '`content` holds half a surrogate pair'],
    [
      'fs.write',
      { path: 'a', content: 'x'.repeat(MAX_TEXT + 1) },
      '`content` must be at most 262144 characters',
    ],
    ['fs.patch', { patch: '' }, '`patch` is empty'],
    [
      'fs.patch',
      { patch: 'x' },
      'the call has no `---` where a file has to begin, at line 1 of the patch',
    ],
    [
      'fs.patch',
      { patch: '--- /etc/x\n+++ /etc/x\n@@ -1 +1 @@\n-a\n+b\n' },
      'the call has an absolute path: `/etc/x`, at line 1 of the patch',
    ],
    [
      'fs.search',
      { text: '(?=a)', match: 'pattern' },
      'the call has a pattern that looks ahead, back or names a group',
    ],
    [
      'process.run',
      { command: 'git status' },
      '`command` holds a space: it names one program, and no shell reads it',
    ],
    ['process.run', { command: '' }, '`command` is empty'],
    ['process.run', { command: 'ls', args: 'a b' }, '`args` must be a list'],
    ['process.run', { command: 'ls', args: ['a', 1] }, '`args[1]` must be a text'],
    ['process.run', { command: 'ls', args: ['a\0b'] }, '`args[0]` holds a NUL character'],
    ['process.run', { command: 'ls', args: ['\uDFFF'] }, '`args[0]` holds half a surrogate pair'],
    [
      'process.run',
      { command: 'ls', args: Array(1025).fill('a') },
      '`args` must be at most 1024 items',
    ],
    ['process.run', { command: 'ls', cwd: '..' }, '`cwd` holds `..`: `..`'],
    ['process.run', { command: 'ls', env: {} }, '`env` must be a list'],
    [
      'process.run',
      { command: 'ls', env: [{ name: 'LD_PRELOAD', value: './x.so' }] },
      '`env` must not set `LD_PRELOAD`, which decides what is run or whom it trusts',
    ],
    ['process.run', { command: 'ls', tier: 'A' }, '`tier` must be one of C, B'],
    ['artifact.read', { sha256: '../x' }, '`sha256` is no name of an artifact: `../x`'],
    [
      'process.run',
      { command: 'ls', shell: true },
      'the arguments hold `shell`, which is no argument',
    ],
    ['http.fetch', { url: 'ftp://a' }, '`url` is not of the web'],
    ['http.fetch', { url: 'http://a@b' }, '`url` names a user before the host'],
    ['http.fetch', { url: 'http://a', method: 'TRACE' }, '`method` is no method: `TRACE`'],
    ['http.fetch', { url: 'http://a', headers: { host: 'b' } }, '`headers` must be a list'],
    [
      'http.fetch',
      { url: 'http://a', headers: [{ name: 'Host', value: 'b' }] },
      '`headers` must not name `Host`',
    ],
    ['http.fetch', { url: 'http://a', body: 'x' }, 'the call sends a body with GET'],
    ['browser.click', { element: '#a > b' }, '`element` is no name of an element: `#a > b`'],
    ['browser.read', { url: 'http://a' }, 'the arguments hold `url`, which is no argument'],
  ])('to %s, with %j, says why', (tool, args, reason) => {
    const understood = understand(tool, args);
    expect(understood).toMatchObject({ kind: 'not-understood', reason });
    expect(understood.kind === 'not-understood' && understood.help).toMatch(/^[^\n]+[^.\n]$/);
  });

  it('because of a key from a prototype is refused like any other', () => {
    const args = JSON.parse('{"path":"a","__proto__":{"path":"/etc"}}');
    expect(understand('fs.read', args).kind).toBe('not-understood');
  });
});

const paths = fc.constantFrom(
  'a',
  './a//b/',
  '/etc/./x',
  'a b/c',
  'd\u043Ecs',
  'a\\b',
  '.git',
  'a/../b',
);
const texts = fc.oneof(
  fc.string({ unit: 'grapheme', maxLength: 12 }),
  fc.constantFrom('', '\uD800', 'a\0'),
);
const urls = fc.oneof(
  fc.constantFrom('http://EXAMPLE.com./a?b#c', 'http://0x7f.1', 'https://[::ffff:1.2.3.4]:443/%7e'),
  fc.webUrl(),
);
const headers = fc.record({
  name: fc.constantFrom('Accept', 'X-A', 'x-b', 'Host'),
  value: fc.constantFrom('', 'a', 'b c', ' d'),
});

/** Values that are mostly right, so that most calls get far enough to be understood. */
const LIKELY: Readonly<Record<string, fc.Arbitrary<unknown>>> = {
  args: fc.array(texts, { maxLength: 4 }),
  body: fc.constantFrom('', 'x'),
  command: fc.constantFrom('git', './git', 'bin//git', '/usr/./bin/git', 'git status'),
  cwd: paths,
  env: fc.constantFrom(
    [],
    [
      { name: 'B', value: '' },
      { name: 'A', value: 'x' },
    ],
  ),
  sha256: fc.constantFrom('a'.repeat(64), `sha256:${'0'.repeat(64)}`, 'A'.repeat(64)),
  tier: fc.constantFrom('B', 'C'),
  element: fc.constantFrom('e1', 'link-7', 'E1'),
  headers: fc.array(headers, { maxLength: 2 }),
  method: fc.constantFrom('get', 'Post', 'DELETE', 'trace'),
  mode: fc.constantFrom('create', 'append'),
  area: fc.constantFrom('visible', 'whole-page'),
  folders: fc.constantFrom('existing', 'create'),
  hosts: fc.constantFrom([], ['API.example:443']),
  match: fc.constantFrom('exact', 'any-case', 'pattern'),
  patch: fc.constantFrom(
    '--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a\n+b\n',
    'rename from x\nrename to y',
    '--- a/../x\n+++ b/../x\n@@ -1 +1 @@\n-a\n+b\n',
  ),
  path: paths,
  url: urls,
};
const number = fc.integer({ min: 1, max: 10 });

function callTo(tool: string) {
  const { properties = {}, required } = catalogue.find(tool)?.argumentsSchema() ?? {};
  const known = Object.entries(properties ?? {}).map(([key, schema]) => {
    const isNumber = isJsonObject(schema) && schema['type'] === 'integer';
    const likely = LIKELY[key] ?? (isNumber ? number : texts);
    return [key, fc.oneof({ weight: 9, arbitrary: likely }, fc.jsonValue())] as const;
  });
  const requiredKeys = Array.isArray(required) ? required.map(String) : [];
  const strange = fc.dictionary(fc.string({ maxLength: 6 }), fc.jsonValue(), { maxKeys: 1 });
  return fc.tuple(fc.record(Object.fromEntries(known), { requiredKeys }), strange);
}

describe.each(catalogue.names())('any call to %s', (tool) => {
  it('is understood or refused with a reason, and its canonical arguments mean themselves', () => {
    let understood = 0;
    fc.assert(
      fc.property(callTo(tool), fc.nat(9), ([known, strange], chance) => {
        const written = JSON.stringify(chance === 0 ? { ...strange, ...known } : known);
        const once = understand(tool, JSON.parse(written));
        if (once.kind !== 'understood') {
          expect(once.reason).toMatch(/^[^\n]+$/u);
          return;
        }
        understood += 1;
        expect(understand(tool, once.arguments)).toEqual(once);
        expect(once.facts.argumentBytes).toBe(canonicalBytes(once.arguments).length);
        const named = [...once.facts.reads, ...once.facts.writes];
        for (const path of named) expect(path).not.toMatch(/^\/|(?:^|\/)\.\.(?:\/|$)/);
      }),
      { numRuns: 300 },
    );
    expect(understood).toBeGreaterThan(10);
  });

  it('is never a throw, whatever JSON it is', () => {
    fc.assert(
      fc.property(fc.json(), (json) => {
        const args: JsonObject = { ...JSON.parse(json), path: JSON.parse(json) };
        expect(['understood', 'not-understood']).toContain(understand(tool, args).kind);
      }),
    );
  });
});
