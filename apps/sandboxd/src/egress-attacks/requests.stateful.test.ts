import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Box, BOXES, type Seen } from './box.fixture.ts';
import { type Origin, startOrigin } from './origins.fixture.ts';
import {
  answersIn,
  clientHello,
  crumbled,
  endlessHello,
  lineOf,
  namedTwice,
  type Piece,
  TALK,
  WAIT,
} from './probe.fixture.ts';

/** Every one of them is listed, so that only its address stands in the way. */
const LEADS_TO: Readonly<Record<string, string>> = {
  'loopback.test': '127.0.0.9',
  'loopback6.test': '::1',
  'ten.test': '10.0.0.1',
  'seventeen.test': '172.16.0.1',
  'home.test': '192.168.1.1',
  'shared.test': '100.64.0.1',
  'link.test': '169.254.0.1',
  'metadata.test': '169.254.169.254',
  'link6.test': 'fe80::1',
  'unique6.test': 'fd00:ec2::254',
  'nat64.test': '64:ff9b::a9fe:a9fe',
  'sixtofour.test': '2002:a9fe:a9fe::1',
  'mapped.test': '::ffff:10.0.0.1',
  'nowhere.test': '0.0.0.0',
  'everybody.test': '255.255.255.255',
};
const ADDRESSES = {
  'web.test': ['127.0.0.1'],
  'evil.test': ['127.0.0.1'],
  'mixed.test': ['93.184.216.34', '10.0.0.1'],
  ...Object.fromEntries(Object.entries(LEADS_TO).map(([name, address]) => [name, [address]])),
};

let web: Origin;
let hosts: readonly string[];
beforeAll(async () => {
  web = await startOrigin();
  hosts = [`web.test:${web.port},443`, `127.0.0.1:${web.port}`];
});
afterAll(() => web[Symbol.asyncDispose]());

describe.each(BOXES)('the proxy of a sandbox of $account, $warmth', (kind) => {
  let box: Box;
  beforeAll(async () => {
    box = await Box.start(kind, { addresses: ADDRESSES });
  });
  afterAll(() => box[Symbol.asyncDispose]());

  interface Said extends Seen {
    readonly answers: readonly string[];
    /** Of each connection, in the order in which they were made. */
    readonly reasons: readonly unknown[];
    /** What left the machine, or would have. */
    readonly dialled: readonly string[];
    readonly arrived: number;
  }

  async function say(lines: readonly string[], listed = hosts): Promise<Said> {
    const [dials, requests] = [box.dialled.length, web.requests.length];
    const seen = await box.perl(TALK, { stdin: lines.join(''), hosts: listed });
    return {
      ...seen,
      answers: answersIn(seen.stdout),
      reasons: seen.records.map(({ reason }) => reason),
      dialled: box.dialled.slice(dials),
      arrived: web.requests.length - requests,
    };
  }

  const get = (authority: string) =>
    lineOf([`GET http://${authority}/ HTTP/1.1\r\nHost: x\r\n\r\n`]);
  const connect = (authority: string) =>
    lineOf([`CONNECT ${authority} HTTP/1.1\r\nHost: x\r\n\r\n`]);
  const socks = (name: string, port: number) =>
    lineOf([
      Buffer.from([5, 1, 0]),
      WAIT,
      Buffer.concat([
        Buffer.from([5, 1, 0, 3, name.length]),
        Buffer.from(name, 'latin1'),
        portBytes(port),
      ]),
    ]);
  const statuses = (answers: readonly string[]) => answers.map((answer) => answer.slice(9, 12));

  it('refuses whoever is not listed, at every door, and opens nothing', async () => {
    const { port } = web;
    const { answers, reasons, dialled } = await say([
      get(`evil.test:${port}`),
      connect(`evil.test:${port}`),
      socks('evil.test', port),
      get('unknown.test'),
      get('test'),
      get(`sub.web.test:${port}`),
      get('localhost'),
    ]);
    expect(statuses(answers.toSpliced(2, 1))).toEqual(Array.from({ length: 6 }, () => '403'));
    expect(answers[2]?.slice(0, 4)).toBe('\u0005\u0000\u0005\u0002');
    expect(new Set(reasons)).toEqual(new Set(['host-not-listed']));
    expect(dialled).toEqual([]);
  });

  it('has nobody to reach when nothing is listed: there is no proxy at all', async () => {
    const lines = [get(`web.test:${web.port}`), connect(`127.0.0.1:${web.port}`)];
    const { stdout, records, dialled } = await say(lines, []);
    expect([stdout, records, dialled]).toEqual(['unconnected\nunconnected\n', [], []]);
  });

  it('refuses a listed host at another port', async () => {
    const { answers, reasons, dialled } = await say([
      get('web.test'),
      connect(`web.test:${web.port + 1}`),
      socks('web.test', 22),
      get(`127.0.0.1:${web.port + 1}`),
    ]);
    expect(statuses(answers.toSpliced(2, 1))).toEqual(['403', '403', '403']);
    expect(reasons).toEqual(Array.from({ length: 4 }, () => 'port-not-listed'));
    expect(dialled).toEqual([]);
  });

  it('refuses every other spelling of an address, also of one that is listed', async () => {
    const spellings = [
      '127.0.0.2',
      '10.0.0.1',
      '2130706433',
      '0177.0.0.1',
      '017700000001',
      '0x7f.0.0.1',
      '0x7f000001',
      '127.1',
      '127.0.1',
      '127.0.0.1.',
      '[::1]',
      '[::ffff:127.0.0.1]',
      '[::ffff:7f00:1]',
      '[fe80::1%25lo]',
      '[::1%lo]',
      '::1',
      '[0:0:0:0:0:0:0:1]',
      '0',
      '127.0.0.01',
      '①②⑦.0.0.1',
    ];
    const { answers, reasons, dialled, arrived } = await say([
      ...spellings.map((each) => get(`${each}:${web.port}`)),
      ...spellings.map((each) => connect(`${each}:${web.port}`)),
      ...spellings.map((each) => socks(each, web.port)),
    ]);
    const opened = ['HTTP/1.1 200', '\u0005\u0000\u0005\u0000'];
    const isOpened = (answer: string) => opened.some((start) => answer.startsWith(start));
    expect(answers.filter(isOpened)).toEqual([]);
    expect(reasons).toHaveLength(3 * spellings.length);
    expect([dialled, arrived]).toEqual([[], 0]);
  });

  it('refuses an authority with anything odd in it as malformed', async () => {
    const { port } = web;
    const odd = [
      'web.test\r',
      'web.test\n',
      'web.test\tx',
      'web.test x',
      'evil.test@web.test',
      'web.test@evil.test',
      'web.test#evil.test',
      String.raw`web.test\evil.test`,
      'web.test%2eevil.test',
      '%77eb.test',
      'web.test:80:80',
      'web.test\0',
      'web.test\u00a0',
      'web..test',
      '.web.test',
      '',
    ];
    const { answers, dialled, arrived } = await say([
      ...odd.map((each) => connect(`${each}:${port}`)),
      ...odd.filter((each) => !each.includes('#')).map((each) => get(`${each}:${port}`)),
    ]);
    expect(new Set(statuses(answers))).toEqual(new Set(['400']));
    expect([dialled, arrived]).toEqual([[], 0]);
  });

  it('knows a name in one spelling, and odd names in none', async () => {
    const { port } = web;
    const { answers, dialled } = await say([
      ...['WEB.test', 'web.test.'].map((each) => get(`${each}:${port}`)),
      ...[
        'web.test..',
        'web_.test',
        'wëb.test',
        'xn--a.test',
        `${'a'.repeat(64)}.test`,
        `${'a.'.repeat(130)}test`,
        '-web.test',
        'web-.test',
      ].map((each) => get(`${each}:${port}`)),
    ]);
    expect(statuses(answers)).toEqual(['200', '200', ...Array.from({ length: 8 }, () => '400')]);
    expect(dialled).toEqual([`127.0.0.1:${port}`, `127.0.0.1:${port}`]);
  });

  it('lets nothing but a hello that names the host through a tunnel', async () => {
    const { port } = web;
    const good = await clientHello('web.test');
    const spoiled: readonly (readonly Piece[])[] = [
      [await clientHello('')],
      [await clientHello('evil.test')],
      [namedTwice(good)],
      [crumbled(good)],
      [endlessHello()],
      ['GET / HTTP/1.1\r\nHost: web.test\r\n\r\n'],
      ['SSH-2.0-probe\r\n'],
      [good.subarray(0, 40)],
    ];
    const begin = `CONNECT web.test:${port} HTTP/1.1\r\nHost: x\r\n\r\n`;
    const { answers, reasons, arrived } = await say(
      spoiled.map((pieces) => lineOf([begin, WAIT, ...pieces])),
    );
    const established = 'HTTP/1.1 200 Connection established\r\n\r\n';
    expect(answers).toEqual(spoiled.map(() => established));
    expect(reasons).toEqual([
      'hello-without-name',
      'hello-other-name',
      'hello-malformed',
      'hello-malformed',
      'hello-too-long',
      'hello-malformed',
      'hello-malformed',
      'hello-malformed',
    ]);
    expect(arrived).toBe(0);
  });

  it('takes one request a connection, however it is smuggled', async () => {
    const { port } = web;
    const start = `POST http://web.test:${port}/one HTTP/1.1\r\nHost: x\r\n`;
    const second = `GET http://evil.test:${port}/two HTTP/1.1\r\nHost: evil.test\r\n\r\n`;
    const { answers, arrived } = await say([
      lineOf([`${start}Content-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n${second}`]),
      lineOf([`${start}Content-Length: 0\r\nContent-Length: 4\r\n\r\n${second}`]),
      lineOf([
        `${start}Transfer-Encoding: chunked\r\nTransfer-Encoding: identity\r\n\r\n0\r\n\r\n`,
      ]),
      lineOf([`${start}X: a\r\n folded: b\r\n\r\n`]),
      lineOf([`${start}Transfer-Encoding : chunked\r\n\r\n0\r\n\r\n${second}`]),
      lineOf([`${start}Content-Length: 0\r\n\r\n${second}`]),
      lineOf([`${start}Transfer-Encoding: chunked\r\n\r\n0\r\n\r\n${second}`]),
    ]);
    expect(statuses(answers)).toEqual(['400', '400', '400', '400', '400', '200', '200']);
    expect(arrived).toBe(2);
    expect(web.requests.slice(-2).map(({ line }) => line)).toEqual(['POST /one', 'POST /one']);
  });

  it('dials no address that is not public, whatever name leads to it', async () => {
    const names = [...Object.keys(LEADS_TO), 'mixed.test'];
    const listed = [...hosts, ...names];
    const { answers, reasons, dialled } = await say(
      [
        ...names.map(get),
        ...names.map((name) => connect(`${name}:443`)),
        ...names.map((name) => socks(name, 443)),
      ],
      listed,
    );
    expect(new Set(statuses(answers.slice(0, 2 * names.length)))).toEqual(new Set(['403']));
    expect(new Set(reasons)).toEqual(new Set(['address-forbidden']));
    expect(reasons).toHaveLength(3 * names.length);
    expect(dialled).toEqual([]);
  });
});

function portBytes(port: number): Buffer {
  return Buffer.from([port >> 8, port & 255]);
}
