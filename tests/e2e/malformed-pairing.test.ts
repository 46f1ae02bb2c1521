import { gzipSync } from 'node:zlib';
import { create, toBinary, toJsonString } from '@bufbuild/protobuf';
import { type PalyraClient, createClient, grpcOverTls } from '@palyra/client';
import { BeginPairingRequestSchema, DeviceKind, PairingSecret } from '@palyra/protocol';
import { pairedDevice, verifies } from '@palyra/testkit';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { certificateRequest } from './forged.ts';
import { finishBytes } from './prover.ts';
import { BEGIN, FINISH, RawStranger, framed } from './raw-stranger.ts';
import { standingOf } from './standing.ts';
import { type Workspace, openWorkspace } from './workspace.ts';

const MIB = 1_048_576;

let workspace: Workspace;
let known: PalyraClient;
let request = new Uint8Array(0);
beforeAll(async () => {
  workspace = await openWorkspace();
  known = createClient(grpcOverTls(await pairedDevice(workspace.test, workspace.doors.device)));
  request = Uint8Array.from(await certificateRequest());
  await workspace.gateway.identity.pairing.start('', workspace.owner);
}, 60_000);
afterAll(() => workspace[Symbol.asyncDispose]());

const message = (fields: { certificateRequest?: Uint8Array; share?: Uint8Array; name?: string }) =>
  create(BeginPairingRequestSchema, {
    secret: PairingSecret.PIN,
    name: 'new device',
    kind: DeviceKind.CLI,
    certificateRequest: request,
    share: new Uint8Array(65).fill(4),
    ...fields,
  });
const packed = (fields: Parameters<typeof message>[0] = {}) =>
  toBinary(BeginPairingRequestSchema, message(fields));

/** A frame whose head is as wished, whatever follows it. */
function headed(flags: number, length: number, content: Uint8Array): Buffer {
  const head = Buffer.alloc(5);
  head[0] = flags;
  head.writeUInt32BE(length, 1);
  return Buffer.concat([head, content]);
}

const GRPC = 'application/grpc';
interface Malformed {
  readonly what: string;
  readonly path?: string;
  readonly type?: string;
  readonly bytes: () => Uint8Array;
  readonly ending: RegExp;
}

const REFUSED =
  /^(InvalidArgument|INVALID_INPUT|Unimplemented|Internal|ResourceExhausted|DataLoss)$/;

const CASES: readonly Malformed[] = [
  { what: 'nothing', bytes: () => new Uint8Array(0), ending: REFUSED },
  { what: 'half a head', bytes: () => new Uint8Array(3), ending: REFUSED },
  { what: 'a head alone', bytes: () => headed(0, 100, new Uint8Array(0)), ending: REFUSED },
  {
    what: 'a message that is cut off',
    bytes: () => framed(packed()).subarray(0, 40),
    ending: REFUSED,
  },
  {
    what: 'two messages',
    bytes: () => Buffer.concat([framed(packed()), framed(packed())]),
    ending: REFUSED,
  },
  {
    what: 'a length beyond the bound',
    bytes: () => headed(0, 8 * MIB + 1, packed()),
    ending: REFUSED,
  },
  {
    what: 'the longest length that there is',
    bytes: () => headed(0, 0xffff_ffff, packed()),
    ending: REFUSED,
  },
  {
    what: 'more than 8 MiB',
    bytes: () => framed(new Uint8Array(8 * MIB + 1)),
    ending: /^(ResourceExhausted|INVALID_INPUT|broken off)$/,
  },
  {
    what: 'a request of almost 8 MiB',
    bytes: () => framed(packed({ certificateRequest: new Uint8Array(8 * MIB - 1_024) })),
    ending: /^(ResourceExhausted|INVALID_INPUT|broken off)$/,
  },
  {
    what: 'a name of a megabyte',
    bytes: () => framed(packed({ name: 'n'.repeat(MIB) })),
    ending: /^(ResourceExhausted|INVALID_INPUT|broken off)$/,
  },
  {
    what: 'a packed message',
    bytes: () => headed(1, gzipSync(packed()).length, gzipSync(packed())),
    ending: REFUSED,
  },
  { what: 'unknown flags', bytes: () => headed(0xfe, packed().length, packed()), ending: REFUSED },
  {
    what: 'JSON where binary is expected',
    bytes: () => framed(Buffer.from(toJsonString(BeginPairingRequestSchema, message({})))),
    ending: REFUSED,
  },
  {
    what: 'random bytes',
    bytes: () => framed(new Uint8Array(200).map((_, place) => (place * 167) % 256)),
    ending: REFUSED,
  },
  { what: 'a point that is none', bytes: () => framed(packed()), ending: /^INVALID_INPUT$/ },
  {
    what: 'another content type',
    type: 'text/plain',
    bytes: () => framed(packed()),
    ending: /^HTTP 415$/,
  },
  {
    what: 'binary that calls itself JSON',
    type: 'application/grpc+json',
    bytes: () => framed(packed()),
    ending: REFUSED,
  },
  {
    what: 'a stream where one message is expected',
    type: 'application/connect+proto',
    bytes: () => framed(packed()),
    ending: /^HTTP 415$/,
  },
  {
    what: 'an empty second message',
    path: FINISH,
    bytes: () => framed(new Uint8Array(0)),
    ending: /^(PAIRING_ENDED|INVALID_INPUT)$/,
  },
  {
    what: 'a second message for nobody',
    path: FINISH,
    bytes: () => finishBytes('x'.repeat(MIB), new Uint8Array(MIB)),
    ending: /^(PAIRING_ENDED|INVALID_INPUT|ResourceExhausted)$/,
  },
  {
    what: 'a second message of a first one',
    path: FINISH,
    bytes: () => framed(packed()),
    ending: /^(PAIRING_ENDED|INVALID_INPUT|InvalidArgument|Internal)$/,
  },
];

describe('a stranger who sends', () => {
  it.each(CASES)(
    '$what, is refused, and nothing has changed',
    verifies('pairing:pin', 'identity:no-stranger'),
    async ({ path = BEGIN, type = GRPC, bytes, ending }) => {
      const before = await standingOf(workspace);
      using line = await RawStranger.dial({ address: workspace.doors.device });
      expect(await line.say(path, bytes(), type).ending).toMatch(ending);
      expect(await standingOf(workspace)).toEqual(before);
      expect((await known.health.getHealth({})).activeRuns).toBe(0);
    },
  );
});
