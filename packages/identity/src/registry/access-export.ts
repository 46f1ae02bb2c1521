import { type DescMessage, type MessageShape, toJson } from '@bufbuild/protobuf';
import { DeviceSchema, MemberSchema, TokenSchema } from '@palyra/protocol';
import type { Row } from '@palyra/records';
import type { Tables } from './tables.ts';

export const EXPORT_FORMAT = 'palyra.access.v1';

/**
 * INVARIANT: ids of records stay behind: that of a token is the SHA-256 of its secret, which tells
 * nothing of 256 random bits, but is nobody's business either. The journal's `records.changed` does
 * name it.
 */
export async function exportAccess({ members, devices, tokens }: Tables): Promise<string> {
  const registry = {
    format: EXPORT_FORMAT,
    members: valuesOf(MemberSchema, await members.all()),
    devices: valuesOf(DeviceSchema, await devices.all()),
    tokens: valuesOf(TokenSchema, await tokens.all()),
  };
  return `${JSON.stringify(registry, null, 2)}\n`;
}

function valuesOf<Desc extends DescMessage>(
  schema: Desc,
  rows: readonly Row<MessageShape<Desc>>[],
): readonly unknown[] {
  return rows.map(({ value }) => toJson(schema, value));
}
