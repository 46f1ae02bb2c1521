import { create } from '@bufbuild/protobuf';
import { DeviceSchema } from '@palyra/protocol';
import { describe, expect, it } from 'vitest';
import { alreadyActive } from './rotate-ca.ts';

const devices = (count: number) =>
  Array.from({ length: count }, (_, place) => create(DeviceSchema, { name: `d${place + 1}` }));

describe('a rotation that is asked for while one is under way', () => {
  it.each([
    [0, 'a rotation is under way; every device has moved'],
    [2, 'a rotation is under way; 2 devices not moved: `d1`, `d2`'],
    [7, 'a rotation is under way; 7 devices not moved: `d1`, `d2`, `d3`, `d4`, `d5` and 2 more'],
  ])('names who has not moved, of %d', (count, message) => {
    expect(alreadyActive(devices(count))).toMatchObject({ code: 'ROTATION_ACTIVE', message });
  });
});
