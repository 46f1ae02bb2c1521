import { type JsonObject, isJsonObject } from '@palyra/kernel';
import type { EntityRef, PolicyEntity, PolicyRequest } from '../model.ts';

/**
 * A request as the journal has it. The JSON of its message leaves out what is empty: a text, a list,
 * an object.
 * Contract: never throws; `undefined` for what is no request.
 */
export function readRequest(json: unknown): PolicyRequest | undefined {
  if (!isJsonObject(json)) return undefined;
  const principal = readReference(json['principal']);
  const action = json['action'] ?? '';
  const resource = readReference(json['resource']);
  const context = readObject(json['context']);
  const entities = readList(json['entities'], readEntity);
  if (principal === undefined || resource === undefined || typeof action !== 'string') return;
  if (context === undefined || entities === undefined) return undefined;
  return { principal, action, resource, context, entities };
}

function readEntity(json: unknown): PolicyEntity | undefined {
  if (!isJsonObject(json)) return undefined;
  const uid = readReference(json['uid']);
  const attrs = readObject(json['attrs']);
  const parents = readList(json['parents'], readReference);
  if (uid === undefined || attrs === undefined || parents === undefined) return undefined;
  return { uid, attrs, parents };
}

function readReference(json: unknown): EntityRef | undefined {
  if (!isJsonObject(json)) return undefined;
  const { type, id = '' } = json;
  return typeof type === 'string' && typeof id === 'string' ? { type, id } : undefined;
}

function readObject(json: unknown): JsonObject | undefined {
  if (json === undefined) return {};
  return isJsonObject(json) ? json : undefined;
}

function readList<Item>(
  json: unknown,
  read: (item: unknown) => Item | undefined,
): readonly Item[] | undefined {
  if (json === undefined) return [];
  if (!Array.isArray(json)) return undefined;
  const items = json.map((item: unknown) => read(item)).filter((item) => item !== undefined);
  return items.length === json.length ? items : undefined;
}
