import type { SandboxRequest } from '../model.ts';
import type { Order } from './messages.ts';

type PlainRequest = Extract<Order, { readonly kind: 'run' }>['request'];

/** As the wire has it: lists that may be changed are its own. */
export function plain(request: SandboxRequest): PlainRequest {
  const { egress } = request;
  return {
    ...request,
    arguments: [...request.arguments],
    environment: { ...request.environment },
    limits: { ...request.limits },
    egress: plainEgress(egress),
  };
}

function plainEgress(egress: SandboxRequest['egress']): PlainRequest['egress'] {
  if (egress.mode === 'none') return egress;
  const hosts = [...egress.hosts];
  if (egress.mode === 'preflight') return { mode: 'preflight', hosts };
  return { mode: 'strict', hosts, secrets: egress.secrets.map((use) => ({ ...use })) };
}
