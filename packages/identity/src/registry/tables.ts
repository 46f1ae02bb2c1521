import {
  ConsoleSessionSchema,
  DeviceSchema,
  MemberPasskeysSchema,
  MemberSchema,
  TokenSchema,
} from '@palyra/protocol';
import { type RecordsPort, Table } from '@palyra/records';

/** The registry's own records. */
export interface Tables {
  /** By user id. */
  readonly members: Table<typeof MemberSchema>;
  /** By device id. */
  readonly devices: Table<typeof DeviceSchema>;
  /** By the SHA-256 of the token, in hex. */
  readonly tokens: Table<typeof TokenSchema>;
  /** By the SHA-256 of the secret of the link: the session that it will become. */
  readonly links: Table<typeof ConsoleSessionSchema>;
  /** By the SHA-256 of the secret that the page keeps. */
  readonly sessions: Table<typeof ConsoleSessionSchema>;
  /** By user id: all passkeys of one member, and what they were asked to sign. */
  readonly passkeys: Table<typeof MemberPasskeysSchema>;
}

export function openTables(records: RecordsPort): Tables {
  return {
    members: new Table(records, 'members', () => MemberSchema),
    devices: new Table(records, 'devices', () => DeviceSchema),
    tokens: new Table(records, 'tokens', () => TokenSchema),
    links: new Table(records, 'console_links', () => ConsoleSessionSchema),
    sessions: new Table(records, 'console_sessions', () => ConsoleSessionSchema),
    passkeys: new Table(records, 'passkeys', () => MemberPasskeysSchema),
  };
}

/** Rises with a write to any of the registry's. */
export function registryRevision(tables: Tables): number {
  const { members, devices, tokens, links, sessions, passkeys } = tables;
  return revisionOf([members, devices, tokens, links, sessions, passkeys]);
}

/** Rises with a write to any of these. */
export function revisionOf(tables: readonly Revised[]): number {
  // Each only rises, so that a change of one changes their sum.
  return tables.reduce((sum, table) => sum + table.revision(), 0);
}

interface Revised {
  revision(): number;
}
