import type { AccessPort } from '@palyra/gateway';
import { PalyraError, permissionsOf } from '@palyra/kernel';
import { Permission, Role } from '@palyra/protocol';
import { FIXED_NOW, fixedClock, ownerCaller, quietLog, testGateway } from '@palyra/testkit';
import { describe, expect, it } from 'vitest';
import type { Rules } from './caller-of.ts';
import { createWatch } from './watch.ts';

const CERTIFICATE = {
  fingerprint: 'a',
  subjectAltName: 'b',
  notAfter: new Date(FIXED_NOW.getTime() + 1),
};
const DEVICE = { by: 'certificate', certificate: CERTIFICATE } as const;

function watching(
  access: Partial<AccessPort>,
  {
    now = FIXED_NOW,
    rules = { authorise: async () => {} },
  }: { readonly now?: Date; readonly rules?: Rules } = {},
) {
  const refuse = () => Promise.reject(new PalyraError('UNAUTHENTICATED', 'nobody'));
  const all = {
    byCertificate: refuse,
    byToken: refuse,
    stillToken: refuse,
    bySession: refuse,
    standing: refuse,
    ...access,
  };
  const ended: string[] = [];
  const watch = createWatch({ access: all, clock: fixedClock(now), rules }, quietLog());
  return { watch, ended, end: (name: string) => () => void ended.push(name) };
}

describe('what is open', () => {
  it('stays open as long as its proof holds', async () => {
    const { watch, ended, end } = watching({ byCertificate: async () => ownerCaller() });
    watch.addLink(DEVICE, end('link'));
    watch.enter(DEVICE, end('call')).needs(Permission.TRUST_OPERATE);
    await watch.sweep();
    expect(ended).toEqual([]);
  });

  it('ends when its proof does not hold any more, once', async () => {
    const { watch, ended, end } = watching({});
    watch.addLink(DEVICE, end('link'));
    watch.enter({ by: 'token', text: 'pal_x' }, end('call'));
    await watch.sweep();
    await watch.sweep();
    expect(ended.toSorted()).toEqual(['call', 'link']);
  });

  it('ends when the caller keeps its name and loses the permission', async () => {
    let role: Role = Role.ADMIN;
    const stillToken = async () => ({ ...ownerCaller(), permissions: permissionsOf(role) });
    await using test = await testGateway();
    const { watch, ended, end } = watching({ stillToken }, { rules: test.gateway.policy });
    watch.enter({ by: 'token', text: 'pal_x' }, end('call')).needs(Permission.DEVICES_MANAGE);
    await watch.sweep();
    expect(ended).toEqual([]);
    role = Role.OPERATOR;
    await watch.sweep();
    expect(ended).toEqual(['call']);
  });

  it('ends when the rules do not let it go on, and only then', async () => {
    let isClosed = false;
    const authorise = async () => {
      if (isClosed) throw new PalyraError('PERMISSION_DENIED', 'not at night');
    };
    const byCertificate = async () => ownerCaller();
    const { watch, ended, end } = watching({ byCertificate }, { rules: { authorise } });
    watch.addLink(DEVICE, end('link'));
    watch.enter(DEVICE, end('for anybody')).needs(undefined);
    watch.enter(DEVICE, end('for holders')).needs(Permission.SESSIONS_USE);
    await watch.sweep();
    expect(ended).toEqual([]);
    isClosed = true;
    await watch.sweep();
    expect(ended).toEqual(['for anybody', 'for holders']);
  });

  it('ends when its certificate has run out, which the registry does not tell', async () => {
    const byCertificate = async () => ownerCaller();
    const { watch, ended, end } = watching({ byCertificate }, { now: CERTIFICATE.notAfter });
    watch.addLink(DEVICE, end('link'));
    expect(watch.isDue()).toBe(true);
    await watch.sweep();
    expect(ended).toEqual(['link']);
    expect(watch.isDue()).toBe(false);
  });

  it('takes nothing from the rate of its token, and does not end because that is used up', async () => {
    const byToken = () => Promise.reject(new PalyraError('RATE_LIMITED', 'too many'));
    const { watch, ended, end } = watching({ byToken, stillToken: async () => ownerCaller() });
    watch.enter({ by: 'token', text: 'pal_x' }, end('call'));
    await watch.sweep();
    expect(ended).toEqual([]);
  });

  it('ends when nobody can tell whether it may go on', async () => {
    const byCertificate = () => Promise.reject(new Error('the store is gone'));
    const { watch, ended, end } = watching({ byCertificate });
    watch.addLink(DEVICE, end('link'));
    await watch.sweep();
    expect(ended).toEqual(['link']);
  });

  it('is forgotten when it ends by itself', async () => {
    const { watch, ended, end } = watching({});
    watch.addLink(DEVICE, end('link'))();
    watch.enter(DEVICE, end('call')).leave();
    await watch.sweep();
    expect(ended).toEqual([]);
  });
});
