import { create } from '@bufbuild/protobuf';
import { DeviceKind, DeviceSchema, DeviceState, MemberSchema, Role } from '@palyra/protocol';
import { describe, expect, it } from 'vitest';
import { recordedTerminal } from '../../testing/recorded-terminal.ts';
import { peopleAmong } from '../people.ts';
import { type Made, printMade } from './made.ts';

const people = peopleAmong([
  create(MemberSchema, { userId: '01U', name: 'ada', role: Role.OWNER }),
]);

function deviceIn(state: DeviceState) {
  return create(DeviceSchema, {
    deviceId: '01B',
    name: 'phone',
    kind: DeviceKind.CLI,
    userId: '01U',
    roleLimit: Role.ADMIN,
    state,
  });
}

function shown(made: Omit<Made, 'deviceId'>): { out: string; note: string } {
  const { terminal, stdout, stderr } = recordedTerminal();
  printMade(terminal, { deviceId: '01A', ...made }, people);
  return { out: stdout(), note: stderr() };
}

describe('what came of a revoked device', () => {
  it('is shown with whose it is and how to end it, while it works', () => {
    const madeDevices = [deviceIn(DeviceState.ACTIVE)];
    const { out, note } = shown({ madeDevices, madeTokens: ['01T'], wanted: 'kept' });
    expect(out).toContain('1 device let in through it');
    expect(out).toContain('ada (at most admin)');
    expect(out).toContain('1 token made through it, still in force\n\n  01T');
    expect(note).toContain('`palyra devices revoke 01A --with-made`');
  });

  it('is shown as ended when that was asked for', () => {
    const madeDevices = [deviceIn(DeviceState.REVOKED)];
    const { out, note } = shown({ madeDevices, madeTokens: [], wanted: 'ended' });
    expect(out).toContain('1 device let in through it');
    expect(note).toBe('');
  });

  it('says what could not be ended', () => {
    const madeDevices = [deviceIn(DeviceState.ACTIVE)];
    expect(shown({ madeDevices, madeTokens: [], wanted: 'ended' }).note).toContain(
      'belongs to somebody above you',
    );
    const token = shown({ madeDevices: [], madeTokens: ['01T'], wanted: 'ended' });
    expect(token.out).toContain('still in force');
    expect(token.note).toContain('belongs to somebody above you');
  });

  it('is no word when nothing came of it', () => {
    expect(shown({ madeDevices: [], madeTokens: [], wanted: 'kept' })).toEqual({
      out: '',
      note: '',
    });
  });
});
