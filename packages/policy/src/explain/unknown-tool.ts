import type { PolicyRequest } from '../model.ts';
import type { KnownTools } from '../sets/check-rule.ts';
import { attributeOf } from './facts.ts';

/** Whether a request is for a tool that nobody had declared when it was asked. */
export function isUndeclared(request: PolicyRequest): boolean {
  const { resource } = request;
  return resource.type === 'Tool' && attributeOf(request, resource, ['source']) === 'unknown';
}

/** Whether a request is for a tool that a rule cannot name; one that was there may be gone by now. */
export function isUnknownTool(request: PolicyRequest, tools: KnownTools | undefined): boolean {
  const { type, id } = request.resource;
  if (type !== 'Tool') return false;
  if (tools === undefined || isUndeclared(request)) return isUndeclared(request);
  return !tools.names.has(id) && !tools.prefixes.some((prefix) => id.startsWith(prefix));
}
