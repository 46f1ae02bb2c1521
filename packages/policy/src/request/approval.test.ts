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

it.each([
  ['whoever let in the device of another', { vouchedBy: ['user:a'] }],
  ['somebody of whom nobody knows who let in their device', { vouchedBy: ['anybody'] }],
])('%s counts as one person with them', (_who, vouched) => {
  const approvers = [
    { principal: 'user:a', role: Role.OWNER, strength: 'passkey' as const },
    { principal: 'user:b', role: Role.ADMIN, strength: 'passkey' as const, ...vouched },
  ];
  const facts = approvalFacts({ approvers });
  expect(facts).toMatchObject({ approvers: ['user:a', 'user:b'], count: 1, admins: 1, owners: 0 });
});

it('two whose devices one person let in, who says nothing, are one', () => {
  const approvers = ['user:b', 'user:c'].map((principal) => {
    return { principal, role: Role.OWNER, strength: 'device' as const, vouchedBy: ['user:a'] };
  });
  expect(approvalFacts({ approvers }).count).toBe(1);
});

it('who asked is an approver where they could have said yes in the place of another', () => {
  const yes = { principal: 'user:b', role: Role.OWNER, strength: 'device' as const };
  const approvers = [{ ...yes, vouchedBy: ['user:a'] }];
  expect(approvalFacts({ approvers }, 'user:a')).toMatchObject({
    approvers: ['user:a', 'user:b'],
    count: 1,
  });
  expect(approvalFacts({ approvers }, 'user:c').approvers).toEqual(['user:b']);
  expect(approvalFacts({ approvers: [yes] }, 'user:a').approvers).toEqual(['user:b']);
});

it('whoever has no role any more does not count', () => {
  const approvers = [{ principal: 'user:a', role: Role.UNSPECIFIED, strength: 'passkey' as const }];
  expect(approvalFacts({ approvers })).toMatchObject({ approvers: [], count: 0 });
});

it('nobody has shown nothing', () => {
  expect(approvalFacts({ approvers: [] }).strengths).toEqual([]);
});
