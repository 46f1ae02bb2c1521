import { DeviceKind } from '@palyra/protocol';
import { describe, expect, it } from 'vitest';
import { kindOf, nameFor } from './pair.ts';

describe('palyra pair', () => {
  it.each([
    ['Gateway.LAN:7443', 'gateway.lan'],
    ['192.0.2.7', '192.0.2.7'],
    ['[2001:db8::1]:7443', '2001-db8--1'],
    ['[::]', 'gateway'],
    ['local', 'gateway'],
    [`${'a'.repeat(60)}.${'b'.repeat(60)}`, `${'a'.repeat(60)}.bb`],
  ])('calls the gateway at `%s` `%s` unless it is told a name', (address, name) => {
    expect(nameFor(address)).toBe(name);
  });

  it('knows the kinds of devices and no others', () => {
    expect(kindOf('worker')).toBe(DeviceKind.WORKER);
    expect(() => kindOf('unspecified')).toThrow('is no kind of device');
    expect(() => kindOf('toaster')).toThrow('is no kind of device');
  });
});
