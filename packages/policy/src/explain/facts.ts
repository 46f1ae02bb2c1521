import { type Json, isJsonObject } from '@palyra/kernel';
import type { EntityRef, PolicyContext, PolicyRequest } from '../model.ts';

/** A field of a record; `undefined` for one that is not there, and for what is no record. */
export function fieldOf(value: Json | PolicyContext | undefined, name: string): Json | undefined {
  return isJsonObject(value) && Object.hasOwn(value, name) ? value[name] : undefined;
}

export function fieldAt(
  record: Json | PolicyContext,
  [first, ...others]: readonly [string, ...string[]],
): Json | undefined {
  return others.reduce<Json | undefined>(
    (value, name) => fieldOf(value, name),
    fieldOf(record, first),
  );
}

/** An entity in a context or an attribute, in either of the two spellings that Cedar reads. */
export function refOf(value: Json | undefined): EntityRef | undefined {
  const inner = fieldOf(value, '__entity') ?? value;
  const type = fieldOf(inner, 'type');
  const id = fieldOf(inner, 'id');
  return typeof type === 'string' && typeof id === 'string' ? { type, id } : undefined;
}

export function attributeOf(
  request: PolicyRequest,
  ref: EntityRef,
  path: readonly [string, ...string[]],
): Json | undefined {
  const entity = request.entities.find(({ uid }) => isSame(uid, ref));
  return entity && fieldAt(entity.attrs, path);
}

export function isSame(one: EntityRef, other: EntityRef): boolean {
  return one.type === other.type && one.id === other.id;
}
