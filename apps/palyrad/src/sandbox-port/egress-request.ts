import type { SandboxRequest } from '../sandbox-process.ts';

export type EgressRequest = SandboxRequest['egress'];

export function egressOf(mode: EgressRequest['mode'], hosts: readonly string[]): EgressRequest {
  switch (mode) {
    case 'none':
      return { mode };
    case 'preflight':
      return { mode, hosts };
    case 'strict':
      return { mode, hosts, secrets: [] };
  }
}
