import { DecisionKind, PrincipalKind, Role } from '@palyra/protocol';
import { type TestGateway, policyThatSays } from '@palyra/testkit';
import { type SessionId, permissionsOf } from '@palyra/kernel';
import type { Turn } from '../ports.ts';

export const ada = {
  principal: 'user:ada',
  kind: PrincipalKind.USER,
  permissions: permissionsOf(Role.OPERATOR),
  actor: 'user:ada',
  channel: 'cli',
} as const;
export const never = new AbortController().signal;
export const say = (text: string) => ({ kind: 'text', text }) as const;
export const ask = (tool: string) => ({ kind: 'tool-call', tool, argumentsJson: '{}' }) as const;
export const allowed = policyThatSays({ kind: DecisionKind.ALLOW });

interface Asked {
  readonly prompt: string;
  readonly sessionId?: SessionId;
}

/** A run of ada's, from its start to its end. */
export async function through({ gateway }: TestGateway, asked: Asked) {
  const run = await gateway.runs.start(asked, ada);
  const events = await Array.fromAsync(run.events(never));
  return { ...run, events };
}

export function words(turns: readonly Turn[] | undefined): readonly string[] {
  return (turns ?? []).map(({ role, text }) => `${role}: ${text}`);
}
