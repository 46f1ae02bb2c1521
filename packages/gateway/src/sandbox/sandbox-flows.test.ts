import { create } from '@bufbuild/protobuf';
import { type EntryDraft, PalyraError, systemClock } from '@palyra/kernel';
import {
  type Sandbox,
  SandboxSchema,
  type SandboxStep,
  SandboxStepSchema,
  TierState,
} from '@palyra/protocol';
import { quietLog } from '@palyra/testkit';
import { describe, expect, it } from 'vitest';
import { SandboxFlows } from './sandbox-flows.ts';

const actor = { principal: 'user:ada', actor: 'user:ada' };
const stays = new AbortController().signal;
const step = (name: string) => create(SandboxStepSchema, { step: name });

/** A proof that goes on as the test says. */
function desk() {
  const proofs: {
    readonly tell: (step: SandboxStep) => void;
    readonly end: PromiseWithResolvers<Sandbox>;
  }[] = [];
  const show = async () => create(SandboxSchema);
  const prove = (tell: (step: SandboxStep) => void) => {
    const end = Promise.withResolvers<Sandbox>();
    proofs.push({ tell, end });
    return end.promise;
  };
  const entries: EntryDraft[] = [];
  return { flows: new SandboxFlows({ show, prove }, partsWith(entries)), proofs, entries };
}

function partsWith(entries: EntryDraft[]) {
  const append = async (drafts: readonly EntryDraft[]) => {
    entries.push(...drafts);
    return [];
  };
  return { clock: systemClock(), journal: { append }, log: quietLog() };
}

describe('a proof of the sandboxes', () => {
  it('is one for all who ask meanwhile, and each is told every step of it', async () => {
    const { flows, proofs } = desk();
    const first = flows.prove(actor, stays);
    const told = first.next();
    proofs[0]?.tell(step('bubblewrap'));
    await expect(told).resolves.toMatchObject({ value: { step: { step: 'bubblewrap' } } });
    const second = Array.fromAsync(flows.prove(actor, stays));
    proofs[0]?.tell(step('process'));
    proofs[0]?.end.resolve(create(SandboxSchema, { egress: 'strict' }));
    expect((await second).map(({ step: one, sandbox }) => one?.step ?? sandbox?.egress)).toEqual([
      'bubblewrap',
      'process',
      'strict',
    ]);
    expect((await Array.fromAsync(first)).at(-1)).toMatchObject({ sandbox: { egress: 'strict' } });
    expect(proofs).toHaveLength(1);
  });

  it('is begun anew by whoever asks after its end, also after a bad one', async () => {
    const { flows, proofs } = desk();
    const failing = Array.fromAsync(flows.prove(actor, stays));
    proofs[0]?.end.reject(new PalyraError('SANDBOX_UNAVAILABLE', 'nobody could try'));
    await expect(failing).rejects.toMatchObject({ code: 'SANDBOX_UNAVAILABLE' });
    const again = Array.fromAsync(flows.prove(actor, stays));
    proofs[1]?.end.resolve(create(SandboxSchema));
    await expect(again).resolves.toHaveLength(1);
  });

  it('goes on when whoever asked goes', async () => {
    const { flows, proofs } = desk();
    const leaving = new AbortController();
    const left = Array.fromAsync(flows.prove(actor, leaving.signal));
    leaving.abort(new PalyraError('CANCELLED', 'gone'));
    await expect(left).rejects.toMatchObject({ code: 'CANCELLED' });
    const other = Array.fromAsync(flows.prove(actor, stays));
    proofs[0]?.end.resolve(create(SandboxSchema));
    await expect(other).resolves.toHaveLength(1);
    expect(proofs).toHaveLength(1);
  });
});

describe('a proof in the journal', () => {
  it('tells who asked for it, and how each tier stands from then on', async () => {
    const { flows, proofs, entries } = desk();
    const told = Array.fromAsync(flows.prove(actor, stays));
    const tier = { tier: 'C', state: TierState.PROVEN, step: 'bubblewrap', reason: 'all held' };
    proofs[0]?.end.resolve(create(SandboxSchema, { tiers: [{ ...tier, executor: 'other' }] }));
    await told;
    const payload = { tiers: [{ ...tier, state: 'TIER_STATE_PROVEN' }] };
    expect(entries).toEqual([{ kind: 'sandboxes.proven', actor: 'user:ada', payload }]);
  });

  it('tells why nobody could try', async () => {
    const { flows, proofs, entries } = desk();
    const told = Array.fromAsync(flows.prove(actor, stays));
    proofs[0]?.end.reject(new PalyraError('SANDBOX_UNAVAILABLE', 'nobody could try'));
    await expect(told).rejects.toMatchObject({ code: 'SANDBOX_UNAVAILABLE' });
    expect(entries).toMatchObject([{ payload: { error: { message: 'nobody could try' } } }]);
  });
});
