import { create } from '@bufbuild/protobuf';
import { PasskeySchema } from '@palyra/protocol';
import { expect, it } from 'vitest';
import { recordedTerminal } from '../../testing/recorded-terminal.ts';
import { printPasskeys } from './passkeys.ts';

it('passkeys are shown with when they were used, and nothing in their names is obeyed', () => {
  const { terminal, stdout } = recordedTerminal();
  printPasskeys(terminal, [
    create(PasskeySchema, {
      passkeyId: '01J1',
      name: 'desk\u001b[2J',
      createdAt: '2030-01-02T03:04:05.000Z',
      lastUsedAt: '2030-01-03T03:04:05.000Z',
    }),
    create(PasskeySchema, {
      passkeyId: '01J2',
      name: 'phone',
      createdAt: '2030-01-02T03:04:05.000Z',
      isSynced: true,
    }),
  ]);
  expect(stdout()).toMatch(
    /01J1 +desk\\u\{001b\}\[2J +2030-01-02 03:04 +2030-01-03 03:04 +one device/,
  );
  expect(stdout()).toMatch(/01J2 +phone +2030-01-02 03:04 +never +synced/);
});
