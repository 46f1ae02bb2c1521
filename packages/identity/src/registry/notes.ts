import { type MessageInitShape, create } from '@bufbuild/protobuf';
import type { EntryDraft, JournalKind } from '@palyra/kernel';
import {
  type ConsoleSession,
  ConsoleSessionNoteSchema,
  type Device,
  DeviceNoteSchema,
  type Member,
  MemberNoteSchema,
  PasskeyNoteSchema,
  type Token,
  TokenNoteSchema,
} from '@palyra/protocol';
import { jsonOf } from '@palyra/records';

type KindOf<Noun extends string> = Extract<JournalKind, `${Noun}.${string}`>;

export function memberEntry(kind: KindOf<'member'>, member: Member, actor: string): EntryDraft {
  return { kind, actor, payload: jsonOf(MemberNoteSchema, create(MemberNoteSchema, { member })) };
}

export function deviceEntry(kind: KindOf<'device'>, device: Device, actor: string): EntryDraft {
  return { kind, actor, payload: jsonOf(DeviceNoteSchema, create(DeviceNoteSchema, { device })) };
}

export function tokenEntry(kind: KindOf<'token'>, token: Token, actor: string): EntryDraft {
  return { kind, actor, payload: jsonOf(TokenNoteSchema, create(TokenNoteSchema, { token })) };
}

export function consoleEntry(
  kind: KindOf<'console'>,
  session: ConsoleSession,
  actor: string,
): EntryDraft {
  const note = create(ConsoleSessionNoteSchema, { session });
  return { kind, actor, payload: jsonOf(ConsoleSessionNoteSchema, note) };
}

export function passkeyEntry(
  kind: KindOf<'passkey'>,
  note: MessageInitShape<typeof PasskeyNoteSchema>,
  actor: string,
): EntryDraft {
  return { kind, actor, payload: jsonOf(PasskeyNoteSchema, create(PasskeyNoteSchema, note)) };
}
