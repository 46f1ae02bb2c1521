import { describe, expect, it } from 'vitest';
import { transportSection } from './transport-section.ts';

describe('the transport section', () => {
  it('listens on loopback alone unless somebody says otherwise', () => {
    expect(transportSection.parse({})).toMatchObject({
      listen: '127.0.0.1:7443',
      console: 'localhost:7142',
    });
  });

  it.each(['localhost:1', '127.1.2.3:80', '[::1]:7142', 'off'])(
    'lets the console be %s',
    (console) => {
      expect(transportSection.parse({ console }).console).toBe(console);
    },
  );

  it.each(['0.0.0.0:7142', 'gateway.example:7142', '[::]:7142', '192.168.1.2:1', 'on', ''])(
    'never lets the console be %s',
    (console) => {
      expect(transportSection.safeParse({ console }).success).toBe(false);
    },
  );

  it('has no setting that switches TLS off', () => {
    expect(transportSection.safeParse({ tls: 'off' }).success).toBe(false);
    expect(transportSection.safeParse({ listen: 'unix' }).success).toBe(false);
  });
});
