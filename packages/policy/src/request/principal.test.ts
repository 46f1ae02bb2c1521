import { PrincipalKind, Role } from '@palyra/protocol';
import { describe, expect, it } from 'vitest';
import { ANN } from './call.fixture.ts';
import { principalFacts } from './principal.ts';

const role = (id: string) => ({ type: 'Role', id });

describe('a principal', () => {
  it.each([
    [Role.UNSPECIFIED, []],
    [Role.OPERATOR, [role('operator')]],
    [Role.ADMIN, [role('operator'), role('admin')]],
    [Role.OWNER, [role('operator'), role('admin'), role('owner')]],
  ])('with the role %s is in every role up to it', (own, parents) => {
    const uid = { type: 'User', id: 'ann' };
    expect(principalFacts({ ...ANN, role: own })).toEqual({
      principal: uid,
      entities: [{ uid, attrs: { name: 'Ann' }, parents }],
    });
  });

  it('that is a token brings its scopes and its owner along', () => {
    const token = { ...ANN, principal: 'token:t1', kind: PrincipalKind.TOKEN };
    const uid = { type: 'Token', id: 't1' };
    const owner = { type: 'User', id: 'ann' };
    const parents = [role('operator')];
    expect(principalFacts({ ...token, scopes: ['sessions.use', 'memory.use'] })).toEqual({
      principal: uid,
      entities: [
        { uid, attrs: { owner, scopes: ['memory.use', 'sessions.use'] }, parents },
        { uid: owner, attrs: { name: 'Ann' }, parents },
      ],
    });
  });

  it.each([
    ['device:d1', PrincipalKind.DEVICE, 'Device', { kind: 'unknown' }],
    ['agent:palyra', PrincipalKind.AGENT, 'Agent', { actsFor: 'user:ann' }],
    ['worker:w1', PrincipalKind.WORKER, 'Worker', {}],
  ])('%s is in no role', (principal, kind, type, attrs) => {
    const [, id = ''] = principal.split(':');
    const who = { ...ANN, principal, kind, role: Role.OWNER };
    expect(principalFacts(who)).toEqual({
      principal: { type, id },
      entities: [{ uid: { type, id }, attrs, parents: [] }],
    });
  });
});

describe('a principal that is not what it calls itself', () => {
  it.each([
    ['user:ann', PrincipalKind.TOKEN, '`user:ann` is no token'],
    ['token:t1', PrincipalKind.USER, '`token:t1` is no user'],
    ['user:', PrincipalKind.USER, '`user:` is no user'],
    ['ann', PrincipalKind.USER, '`ann` is no user'],
    ['user:ann', PrincipalKind.UNSPECIFIED, 'nobody knows what `user:ann` is'],
  ])('%s of kind %s is a problem', (principal, kind, problem) => {
    expect(principalFacts({ ...ANN, principal, kind })).toEqual({ problem });
  });

  it('a token of nobody is a problem', () => {
    const token = { ...ANN, principal: 'token:t1', kind: PrincipalKind.TOKEN, member: '' };
    expect(principalFacts(token)).toEqual({ problem: 'the token `token:t1` belongs to nobody' });
  });
});
