import { quietLog } from '@palyra/testkit';
import { systemClock } from '@palyra/kernel';
import type { EgressRequest, SandboxRequest } from '@palyra/sandbox';
import { DEFAULT_LIMITS } from '@palyra/sandbox';
import { describe, expect, it } from 'vitest';
import { createWayOut, type WayOutParts } from './way-out.ts';

function wayOut(parts: Partial<WayOutParts> = {}) {
  return createWayOut({
    clock: systemClock(),
    log: quietLog(),
    fillRandom: (bytes) => void bytes.fill(7),
    secretPort: { reveal: () => Promise.reject(new Error('none')) },
    lookup: () => Promise.resolve(['93.184.216.34']),
    ...parts,
  });
}

function strict(
  hosts: readonly string[],
  secrets: Extract<EgressRequest, { mode: 'strict' }>['secrets'] = [],
): EgressRequest {
  return { mode: 'strict', hosts, secrets };
}

function request(words: readonly string[], egress: EgressRequest): SandboxRequest {
  return {
    tier: 'C',
    executable: 'curl',
    arguments: words,
    workspace: '/',
    directory: '.',
    environment: {},
    stdin: new Uint8Array(),
    limits: DEFAULT_LIMITS,
    egress,
    principal: 'tester',
    session: 'test',
    policySetHash: '',
  };
}

describe('the entries of a way out', () => {
  it('have one spelling and one order, and are told once', () => {
    const one = ['Web.Example', 'api.example:8443,443', 'web.example.'];
    const other = ['api.example:443,8443', 'web.example:80,443'];
    const told = ['api.example:443,8443', 'web.example'];
    expect(wayOut().canonical(strict(one))).toEqual(told);
    expect(wayOut().canonical(strict(other))).toEqual(told);
    expect(wayOut().canonical({ mode: 'preflight', hosts: one })).toEqual(told);
    expect(wayOut().canonical({ mode: 'none' })).toEqual([]);
  });

  it.each([
    strict(['http://web.example']),
    strict(['*']),
    strict(['web.example', 'GET web.example']),
    { mode: 'preflight', hosts: ['a b'] } as const,
  ])('are refused when they are malformed or contradict one another: %j', (egress) => {
    expect(() => wayOut().canonical(egress)).toThrow(
      expect.objectContaining({ code: 'INVALID_INPUT' }),
    );
  });

  it.each([
    ['a host that is not listed', 'A', 'evil.example'],
    ['many hosts', 'A', '*.web.example'],
    ['what is no variable', 'A=1; rm x #', 'web.example'],
    ['the variable of the proxy', 'https_proxy', 'web.example'],
  ])('are refused with a secret for %s', (_what, variable, use) => {
    const egress = strict(['web.example'], [{ variable, name: 'TOKEN', use }]);
    expect(() => wayOut().canonical(egress)).toThrow(
      expect.objectContaining({ code: 'INVALID_INPUT' }),
    );
  });

  it('are refused with two secrets in one variable', () => {
    const use = { variable: 'A', use: 'web.example' };
    const egress = strict(
      ['web.example'],
      [
        { ...use, name: 'ONE' },
        { ...use, name: 'TWO' },
      ],
    );
    expect(() => wayOut().canonical(egress)).toThrow('`A` is taken already');
  });
});

describe('preflight', () => {
  it('names the host that it denies, and why', async () => {
    const asked = request(['https://evil.example/x'], {
      mode: 'preflight',
      hosts: ['web.example'],
    });
    await expect(wayOut().preflight(asked)).rejects.toMatchObject({
      code: 'SANDBOX_EGRESS_DENIED',
      message: 'egress to `evil.example:443` is not allowed: the host is not listed',
    });
  });

  it('lets pass what is declared, and looks at nothing in another mode', async () => {
    const words = ['https://web.example/x'];
    const modes: readonly EgressRequest[] = [
      { mode: 'preflight', hosts: ['web.example'] },
      { mode: 'none' },
      strict([]),
    ];
    const passed = modes.map((egress) => wayOut().preflight(request(words, egress)));
    expect(await Promise.all(passed)).toEqual([undefined, undefined, undefined]);
  });
});

it('the listener is a program for this machine', () => {
  expect([...wayOut().listener({ channel: 9, becomes: '/.start' }).subarray(0, 4)]).toEqual([
    0x7f, 0x45, 0x4c, 0x46,
  ]);
});
