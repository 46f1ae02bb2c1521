import { describe, expect, it } from 'vitest';
import {
  constraintNames,
  isPermitted,
  subjectAltNameText,
  wantedNames,
  type GatewayName,
} from './gateway-names.ts';

describe('the names of a gateway', () => {
  it('are those of the machine itself before the configured ones, each once', () => {
    const names = wantedNames('ab12', ['GW.example', 'localhost', '0:0::1', '192.0.2.7']);
    expect(names.map(({ text }) => text)).toEqual([
      'ab12.palyra.internal',
      'localhost',
      '127.0.0.1',
      '::1',
      'gw.example',
      '192.0.2.7',
    ]);
  });

  it('are written as Node tells those of a certificate', () => {
    const names = wantedNames('ab12', ['2001:db8::1:0:0:1', '::ffff:192.0.2.7']);
    expect(subjectAltNameText(names)).toBe(
      'DNS:ab12.palyra.internal, DNS:localhost, IP Address:127.0.0.1, ' +
        'IP Address:0:0:0:0:0:0:0:1, IP Address:2001:DB8:0:0:1:0:0:1, ' +
        'IP Address:0:0:0:0:0:FFFF:C000:207',
    );
  });

  it('are constrained to our domain, this machine and what is configured', () => {
    expect(constraintNames(['gw.example']).map(({ text }) => text)).toEqual([
      'palyra.internal',
      'localhost',
      '127.0.0.1',
      '::1',
      'gw.example',
    ]);
  });

  it.each([
    { text: 'gw.example', isIn: true },
    { text: 'below.gw.example', isIn: true },
    { text: 'xgw.example', isIn: false },
    { text: 'example', isIn: false },
  ])('`$text` below the constraint `gw.example`: $isIn', ({ text, isIn }) => {
    expect(isPermitted({ kind: 'dns', text }, ['gw.example', '192.0.2.7'])).toBe(isIn);
  });

  it('an address is permitted as itself only, however it is spelled', () => {
    const [, , , name] = wantedNames('ab12', []);
    const address: GatewayName = name ?? { kind: 'dns', text: '' };
    expect(isPermitted(address, ['0:0:0:0:0:0:0:1'])).toBe(true);
    expect(isPermitted(address, ['::2', 'localhost'])).toBe(false);
  });
});
