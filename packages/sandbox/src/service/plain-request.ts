import type { SandboxRequest } from '../model.ts';
import type { Order } from './messages.ts';
import type { ExpectedRequest } from './sandboxes.ts';

type PlainCage = Extract<Order, { readonly kind: 'expect' }>['request'];
type PlainRequest = Extract<Order, { readonly kind: 'run' }>['request'];

/** As the wire has it: lists that may be changed are its own. */
export function plain(request: SandboxRequest): PlainRequest {
  const { executable, directory, stdin } = request;
  return {
    ...plainCage(request),
    executable,
    arguments: [...request.arguments],
    directory,
    environment: { ...request.environment },
    stdin,
  };
}

/** The same without what the command says. */
export function plainCage(request: ExpectedRequest): PlainCage {
  const { tier, workspace, limits, egress, principal, session, policySetHash } = request;
  const whose = { principal, session, policySetHash };
  return { tier, workspace, limits: { ...limits }, egress: plainEgress(egress), ...whose };
}

function plainEgress(egress: SandboxRequest['egress']): PlainRequest['egress'] {
  if (egress.mode === 'none') return egress;
  const hosts = [...egress.hosts];
  if (egress.mode === 'preflight') return { mode: 'preflight', hosts };
  return { mode: 'strict', hosts, secrets: egress.secrets.map((use) => ({ ...use })) };
}
