import { type DescMessage, type JsonValue, type MessageShape, toJson } from '@bufbuild/protobuf';

/** A message as a script sees it: every field is there, also those that are empty. */
export function wireJson<Desc extends DescMessage>(
  schema: Desc,
  message: MessageShape<Desc>,
): JsonValue {
  return toJson(schema, message, { alwaysEmitImplicit: true });
}
