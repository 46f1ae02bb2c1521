import { create } from '@bufbuild/protobuf';
import { type PolicyRequest as PolicyRequestMessage, PolicyRequestSchema } from '@palyra/protocol';
import type { PolicyRequest } from '../model.ts';

/** A question as the journal keeps it. */
export function requestMessage(request: PolicyRequest): PolicyRequestMessage {
  const { principal, action, resource, context, entities } = request;
  return create(PolicyRequestSchema, {
    principal,
    action,
    resource,
    context: { ...context },
    entities: entities.map(({ uid, attrs, parents }) => ({
      uid,
      attrs: { ...attrs },
      parents: [...parents],
    })),
  });
}
