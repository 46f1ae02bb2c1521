import { createAttestor } from '@palyra/attestation';
import { type Gateway, type GatewayParts, createGateway, runsSection } from '@palyra/gateway';
import { type Journal, journalSection, openJournal, openSigner } from '@palyra/journal';
import { createIdentity, identitySection } from '@palyra/identity';
import { createIds, systemClock } from '@palyra/kernel';
import { denyEverything } from '@palyra/policy';
import { approverThatSays, rememberingSandbox, talkingModel } from './fakes.ts';
import { lazyIdentity } from './lazy-identity.ts';
import { quietLog } from './quiet-log.ts';
import { type TempHome, tempHome } from './temp-home.ts';

export interface TestGateway extends AsyncDisposable {
  readonly gateway: Gateway;
  readonly journal: Journal;
  readonly parts: GatewayParts;
  readonly home: TempHome;
}

/**
 * The real gateway on a real journal in a home of its own. What decides and what would run is the
 * test's to choose; as it comes, everything is denied.
 * Its identity is real too, and made when it is first asked.
 */
export async function testGateway(
  chosen: Partial<GatewayParts> & { readonly home?: TempHome } = {},
): Promise<TestGateway> {
  await using stack = new AsyncDisposableStack();
  const clock = systemClock();
  const ids = createIds(clock);
  const home = chosen.home ?? stack.use(await tempHome());
  const signer = await openSigner(home.places);
  const settings = journalSection.parse({});
  const journal = stack.use(
    await openJournal({ places: home.places, clock, ids, signer, settings }),
  );
  const identity = lazyIdentity(() =>
    createIdentity({
      records: journal.records,
      clock,
      ids,
      places: home.places,
      settings: identitySection.parse({}),
      log: quietLog(),
    }),
  );
  const parts: GatewayParts = {
    clock,
    ids,
    log: quietLog(),
    journal,
    runs: journal.runs,
    model: talkingModel(),
    catalogue: { find: () => undefined },
    policy: denyEverything(),
    approvals: approverThatSays({ kind: 'denied', approvalId: 'none', reason: 'not asked' }),
    sandbox: rememberingSandbox(),
    attestor: createAttestor({ signer, ids }),
    identity,
    settings: runsSection.parse({}),
    ...chosen,
  };
  const gateway = createGateway(parts);
  const release = stack.move();
  return {
    gateway,
    journal,
    parts,
    home,
    [Symbol.asyncDispose]: async () => {
      await gateway.runs.drain(0);
      await release.disposeAsync();
    },
  };
}
