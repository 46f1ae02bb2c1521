import { type Json, type JsonObject, isJsonObject } from '@palyra/kernel';
import type { EntityRef, PolicyEntity, PolicyRequest } from '@palyra/protocol';
import type { Field } from './layout.ts';
import { inline } from './words.ts';

/**
 * What the rules saw, one line a value, each with the name and in the form in which a rule would
 * speak of it. What is empty is left out: it would hide the rest.
 */
export function contextFields(context: JsonObject): readonly Field[] {
  return fieldsOf('context', context);
}

/**
 * What the rules knew of who asks and what it is about: groups as `in`, attributes by name. Secrets are
 * out of it by now.
 */
export function entityFields({ principal, resource, entities }: PolicyRequest): readonly Field[] {
  return entities.flatMap((entity) => {
    const name = nameOf(entity, { principal, resource });
    const parents = entity.parents.map(({ type, id }) => ({ type, id }));
    return [...fieldsOf(`${name} in`, parents), ...fieldsOf(name, entity.attrs)];
  });
}

function nameOf(
  { uid }: PolicyEntity,
  { principal, resource }: Pick<PolicyRequest, 'principal' | 'resource'>,
): string {
  if (isSame(uid, principal)) return 'principal';
  return isSame(uid, resource)
    ? 'resource'
    : ruleText({ type: uid?.type ?? '', id: uid?.id ?? '' });
}

function isSame(one: EntityRef | undefined, other: EntityRef | undefined): boolean {
  return one?.type === other?.type && one?.id === other?.id;
}

function fieldsOf(name: string, value: Json | undefined): readonly Field[] {
  if (value === undefined || isEmpty(value)) return [];
  if (!isJsonObject(value) || isEntity(value)) return [[inline(name), inline(ruleText(value))]];
  return Object.keys(value)
    .toSorted()
    .flatMap((key) => fieldsOf(`${name}.${key}`, value[key]));
}

function isEmpty(value: Json): boolean {
  return value === '' || value === false || (Array.isArray(value) && value.length === 0);
}

function isEntity(value: Json): value is { readonly type: string; readonly id: string } {
  if (!isJsonObject(value) || Object.keys(value).length !== 2) return false;
  return typeof value['type'] === 'string' && typeof value['id'] === 'string';
}

function ruleText(value: Json): string {
  if (Array.isArray(value)) return `[${value.map(ruleText).join(', ')}]`;
  return isEntity(value) ? `${value.type}::${JSON.stringify(value.id)}` : JSON.stringify(value);
}
