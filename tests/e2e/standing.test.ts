import { createClient } from '@palyra/client';
import type { ModelPort } from '@palyra/gateway';
import { type RunId, parseId } from '@palyra/kernel';
import { DecisionKind, DeviceKind, Role, type RunEvent } from '@palyra/protocol';
import { verifies } from '@palyra/testkit';
import { describe, expect, it } from 'vitest';
import { type Workspace, openWorkspace, pairDevice } from './workspace.ts';

const never = new AbortController().signal;
const READ = { kind: 'tool-call', tool: 'fs.read', argumentsJson: '{"path":"a"}' } as const;

/** Reads once, waits for the test, and reads once more. */
function pausingModel(pause: Promise<void>): ModelPort {
  return {
    name: 'pausing',
    isScript: true,
    choose: () => ({ kind: 'chosen', name: 'pausing' }),
    price: () => undefined,
    async *reply({ conversation }) {
      const turn = conversation.filter(({ role }) => role === 'model').length;
      if (turn > 1) return;
      if (turn === 1) await pause;
      yield READ;
    },
  };
}

/** A run of a member, in which something happens between its first and its second call. */
async function decisionsAround(happening: (workspace: Workspace) => Promise<unknown>) {
  const pause = Promise.withResolvers<void>();
  await using workspace = await openWorkspace({ model: pausingModel(pause.promise) });
  const { gateway, owner } = workspace;
  const { name } = await gateway.identity.members.add('olga', Role.ADMIN, owner);
  const device = { name: 'laptop', kind: DeviceKind.CLI, member: name };
  const client = createClient(await pairDevice(workspace, device));
  const runId = await firstDecisionOf(client.runs.startRun({ prompt: 'go' }));
  await happening(workspace);
  pause.resolve();
  const events = await Array.fromAsync(gateway.runs.watch({ runId, after: 0 }, owner, never));
  return events.flatMap(({ event }) => (event.case === 'toolDecided' ? [event.value] : []));
}

async function firstDecisionOf(events: AsyncIterable<RunEvent>): Promise<RunId> {
  for await (const { event, runId } of events) {
    const id = event.case === 'toolDecided' ? parseId<'run'>(runId) : undefined;
    if (id !== undefined) return id;
  }
  throw new TypeError('the run has ended without a decision');
}

describe('a run goes on with the rights of this moment', () => {
  it.each([
    [
      'its device is revoked',
      ({ gateway, owner }: Workspace) => gateway.identity.devices.revoke('laptop', owner),
    ],
    [
      'its member is removed',
      ({ gateway, owner }: Workspace) => gateway.identity.members.remove('olga', owner),
    ],
  ])('and has none once %s', verifies('policy:standing-now'), async (_, happening) => {
    const decisions = await decisionsAround(happening);
    expect(decisions).toMatchObject([
      { kind: DecisionKind.ALLOW },
      { kind: DecisionKind.DENY, reason: expect.stringContaining('no rule allows `fs.read`') },
    ]);
  });

  it('and keeps those that its member keeps', verifies('policy:standing-now'), async () => {
    const decisions = await decisionsAround(({ gateway, owner }) =>
      gateway.identity.members.changeRole('olga', Role.OPERATOR, owner),
    );
    expect(decisions.map(({ kind }) => kind)).toEqual([DecisionKind.ALLOW, DecisionKind.ALLOW]);
  });
});
