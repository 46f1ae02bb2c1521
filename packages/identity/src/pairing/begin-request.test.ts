import { create, fromBinary } from '@bufbuild/protobuf';
import { PalyraError } from '@palyra/kernel';
import { BeginPairingRequestSchema, DeviceKind, PairingSecret } from '@palyra/protocol';
import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { readRequest } from '../authority/issue.ts';
import { readBeginRequest, readShare } from './begin-request.ts';

const anyRequest = fc.record({
  pairingId: fc.oneof(fc.constant(''), fc.string(), fc.constant('01ARZ3NDEKTSV4RRFFQ69G5FAV')),
  secret: fc.constantFrom(...Object.values(PairingSecret)),
  name: fc.oneof(fc.constant('laptop'), fc.string({ unit: 'binary', maxLength: 80 })),
  kind: fc.constantFrom(...Object.values(DeviceKind)),
  certificateRequest: fc.uint8Array({ maxLength: 300 }),
  share: fc.oneof(fc.uint8Array({ maxLength: 70 }), fc.constant(generator())),
});

it('whatever a stranger sends first is refused as malformed, and never breaks anything', async () => {
  await fc.assert(
    fc.asyncProperty(anyRequest, async (fields) => {
      const message = create(BeginPairingRequestSchema, fields);
      const outcome = await readBeginRequest(message, readRequest).then(
        () => 'read',
        (error: unknown) => PalyraError.from(error).code,
      );
      expect(outcome).toBe('INVALID_INPUT');
    }),
    { numRuns: 300 },
  );
});

it.each([
  ['secret', Uint8Array.of(0x10, 9, 0x20, 1)],
  ['kind', Uint8Array.of(0x10, 1, 0x20, 9)],
])('a number for %s that this version does not know is refused', async (field, bytes) => {
  const message = fromBinary(BeginPairingRequestSchema, bytes);
  await expect(readBeginRequest(message, readRequest)).rejects.toMatchObject({
    code: 'INVALID_INPUT',
    message: expect.stringContaining(field),
  });
});

it('a share is an uncompressed point and nothing else', async () => {
  expect(await readShare(generator())).toHaveLength(65);
  await expect(readShare(generator().subarray(1))).rejects.toMatchObject({ code: 'INVALID_INPUT' });
});

function generator(): Uint8Array<ArrayBuffer> {
  return Uint8Array.fromHex(
    '046b17d1f2e12c4247f8bce6e563a440f277037d812deb33a0f4a13945d898c296' +
      '4fe342e2fe1a7f9b8ee7eb4a7c0f9e162bce33576b315ececbb6406837bf51f5',
  );
}
