import { describe, expect, it } from 'vitest';
import { deviceName } from './device-name.ts';

describe('the name of this device', () => {
  it('is that of the machine, as far as a gateway takes it', () => {
    expect(deviceName('laptop.lan')).toBe('laptop.lan');
    expect(deviceName('x'.repeat(80))).toBe('x'.repeat(64));
    expect(deviceName('my `laptop`\u0007')).toBe('my--laptop--');
  });

  it('is never empty and never looks like an id', () => {
    expect(deviceName('')).toBe('this machine');
    expect(deviceName('01M7GKAN0GHXDX7M3XJGJQ57D3')).toBe('this machine');
  });
});
