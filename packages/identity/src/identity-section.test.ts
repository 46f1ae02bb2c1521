import { describe, expect, it } from 'vitest';
import { identitySection } from './identity-section.ts';

describe('the identity section', () => {
  it('needs nothing', () => {
    expect(identitySection.parse({})).toEqual({
      names: [],
      rotation_days: 7,
      server_certificate_days: 30,
    });
  });

  it.each([
    'gw.example',
    'gateway',
    'GW-1.example',
    '192.0.2.7',
    '2001:db8::1',
    'xn--bcher-kva.example',
  ])('takes `%s` as a name', (name) => {
    expect(identitySection.parse({ names: [name] }).names).toEqual([name]);
  });

  it.each([
    '',
    '*.example',
    '.example',
    'gw.example.',
    'gw_1.example',
    'https://gw.example',
    'gw.example:7443',
    '192.0.2.256',
    '192.0.2.0/24',
    'fe80::1%eth0',
    'a'.repeat(64),
    'bücher.example',
    'gw.example\n',
  ])('refuses `%s` as a name', (name) => {
    expect(identitySection.safeParse({ names: [name] }).success).toBe(false);
  });

  it.each([
    { rotation_days: 0 },
    { rotation_days: 91 },
    { server_certificate_days: 0 },
    { server_certificate_days: 91 },
    { device_certificate_hours: 48 },
    { names: Array.from({ length: 33 }, (_, index) => `gw${index}.example`) },
  ])('refuses %j', (settings) => {
    expect(identitySection.safeParse(settings).success).toBe(false);
  });
});
