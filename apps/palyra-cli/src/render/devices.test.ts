import { create } from '@bufbuild/protobuf';
import { DeviceKind, DeviceSchema, MemberSchema, ProvenDeviceSchema, Role } from '@palyra/protocol';
import { describe, expect, it } from 'vitest';
import { recordedTerminal } from '../../testing/recorded-terminal.ts';
import { peopleAmong } from '../people.ts';
import { printDevices, provenFields } from './devices.ts';

const people = peopleAmong([
  create(MemberSchema, { userId: '01U', name: 'ada', role: Role.ADMIN }),
]);

describe('the list of devices', () => {
  it.each([
    ['what it may, where that is less', DeviceKind.CLI, Role.OPERATOR, 'ada (at most operator)'],
    ['what it may, where nobody has said', DeviceKind.CLI, Role.UNSPECIFIED, 'ada (at most op'],
    ['no limit where there is none', DeviceKind.CLI, Role.OWNER, 'ada  '],
    ['no role for what has no rights', DeviceKind.WORKER, Role.OPERATOR, 'ada  '],
  ])('names the member, and %s', (_what, kind, roleLimit, words) => {
    const { terminal, stdout } = recordedTerminal();
    printDevices(terminal, [create(DeviceSchema, { userId: '01U', kind, roleLimit })], people);
    expect(stdout()).toContain(words);
  });
});

describe('what a person sees before they let a device in', () => {
  const last = (kind: DeviceKind, role: Role) =>
    provenFields(create(ProvenDeviceSchema, { kind }), { name: 'ada', role }).at(-1);

  it('is for whom and with which role it will act', () => {
    expect(last(DeviceKind.DESKTOP, Role.ADMIN)).toEqual(['acts for', 'ada, as admin']);
    expect(last(DeviceKind.CLI, Role.UNSPECIFIED)).toEqual(['acts for', 'ada']);
  });

  it('is that a worker gets no rights', () => {
    const words = ['member', 'ada, whose rights it does not get'];
    expect(last(DeviceKind.WORKER, Role.ADMIN)).toEqual(words);
  });
});
