import type { Passkey } from '@palyra/protocol';
import type { Terminal } from '../terminal.ts';
import { printTable } from './layout.ts';
import { inline, shortTime } from './words.ts';

export function printPasskeys(terminal: Terminal, passkeys: readonly Passkey[]): void {
  const rows = passkeys.map(({ passkeyId, name, createdAt, lastUsedAt, isSynced }) => [
    inline(passkeyId),
    inline(name),
    shortTime(createdAt).slice(0, -3),
    lastUsedAt === '' ? 'never' : shortTime(lastUsedAt).slice(0, -3),
    isSynced ? 'synced' : 'one device',
  ]);
  printTable(terminal, ['passkey', 'name', 'made (UTC)', 'last used (UTC)', 'kept'], rows);
}
