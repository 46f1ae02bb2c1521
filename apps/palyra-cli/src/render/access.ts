import { permissionWord } from '@palyra/kernel';
import type { Member, Token } from '@palyra/protocol';
import type { People } from '../people.ts';
import type { Terminal } from '../terminal.ts';
import { type Field, printTable } from './layout.ts';
import { inline, roleWord, shortTime } from './words.ts';

export function printMembers(terminal: Terminal, members: readonly Member[], people: People): void {
  const rows = members.map(({ name, role, userId, addedAt, addedBy }) => [
    inline(name),
    roleWord(role),
    inline(userId),
    shortTime(addedAt).slice(0, -3),
    people.wordsOf(addedBy),
  ]);
  printTable(terminal, ['name', 'role', 'user', 'added (UTC)', 'by'], rows);
}

export function printTokens(terminal: Terminal, tokens: readonly Token[], people: People): void {
  const rows = tokens.map((token) => [
    inline(token.tokenId),
    inline(token.label),
    people.nameOf(token.userId),
    stateWords(token),
    token.lastUsedAt === '' ? 'never' : shortTime(token.lastUsedAt).slice(0, -3),
    scopeWords(token),
  ]);
  printTable(terminal, ['token', 'label', 'member', 'state', 'last used (UTC)', 'scopes'], rows);
}

export function tokenFields(token: Token, people: People): readonly Field[] {
  const { rate } = token;
  return [
    ['token', inline(token.tokenId)],
    ['label', inline(token.label)],
    ['scopes', scopeWords(token)],
    ['acts for', people.nameOf(token.userId)],
    ['state', stateWords(token)],
    ['rate', rate === undefined ? 'none' : `${rate.perMinute} a minute, burst ${rate.burst}`],
    ['last used', token.lastUsedAt === '' ? 'never' : `${shortTime(token.lastUsedAt)} UTC`],
  ];
}

function stateWords({ revokedAt, expiresAt }: Token): string {
  if (revokedAt !== '') return `revoked ${shortTime(revokedAt)} UTC`;
  return expiresAt === '' ? 'in force' : `until ${shortTime(expiresAt)} UTC`;
}

function scopeWords({ scopes }: Token): string {
  return scopes.map(permissionWord).join(' ');
}
