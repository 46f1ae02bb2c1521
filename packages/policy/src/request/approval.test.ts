import { Role } from '@palyra/protocol';
import { expect, it } from 'vitest';
import { approvalFacts } from './approval.ts';

const device = { type: 'Strength', id: 'device' };
const passkey = { type: 'Strength', id: 'passkey' };

it('counts people, and how many of them are at least an admin or an owner', () => {
  const approvers = [
    { principal: 'user:b', role: Role.OWNER, strength: 'passkey' as const },
    { principal: 'user:a', role: Role.ADMIN, strength: 'passkey' as const },
    { principal: 'user:c', role: Role.OPERATOR, strength: 'passkey' as const },
  ];
  expect(approvalFacts({ approvers })).toEqual({
    approvers: ['user:a', 'user:b', 'user:c'],
    count: 3,
    admins: 2,
    owners: 1,
    strengths: [device, passkey],
  });
});

it('a strength counts only when all have shown it', () => {
  const approvers = [
    { principal: 'user:a', role: Role.OPERATOR, strength: 'passkey' as const },
    { principal: 'user:b', role: Role.OPERATOR, strength: 'device' as const },
  ];
  expect(approvalFacts({ approvers }).strengths).toEqual([device]);
});

it('somebody who says yes twice counts once, as the least that they showed', () => {
  const approvers = [
    { principal: 'user:a', role: Role.OWNER, strength: 'passkey' as const },
    { principal: 'user:a', role: Role.OPERATOR, strength: 'device' as const },
  ];
  const facts = approvalFacts({ approvers });
  expect(facts).toMatchObject({ count: 1, admins: 0, owners: 0, strengths: [device] });
});

it('whoever has no role any more does not count', () => {
  const approvers = [{ principal: 'user:a', role: Role.UNSPECIFIED, strength: 'passkey' as const }];
  expect(approvalFacts({ approvers })).toMatchObject({ approvers: [], count: 0 });
});

it('nobody has shown nothing', () => {
  expect(approvalFacts({ approvers: [] }).strengths).toEqual([]);
});
