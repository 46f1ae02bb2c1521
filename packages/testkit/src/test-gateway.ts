import { createApprovals } from '@palyra/approvals';
import { createAttestor } from '@palyra/attestation';
import { openBlobs } from '@palyra/blobs';
import { type BudgetSettings, budgetsSection, createBudgets } from '@palyra/budgets';
import { type Gateway, type GatewayParts, createGateway, runsSection } from '@palyra/gateway';
import { type Journal, journalSection, openJournal, openSigner } from '@palyra/journal';
import { type IdentityParts, createIdentity, identitySection } from '@palyra/identity';
import { createIds, systemClock } from '@palyra/kernel';
import type { Mode } from '@palyra/policy';
import { Role } from '@palyra/protocol';
import { createSessions } from '@palyra/sessions';
import {
  TEST_WORKSPACE,
  approverThatSays,
  nothingKept,
  plainDesks,
  policyThatSays,
  rememberingSandbox,
  talkingModel,
} from './fakes.ts';
import { lazyIdentity } from './lazy-identity.ts';
import { quietLog } from './quiet-log.ts';
import { realPolicy } from './real-policy.ts';
import { shippedRules } from './shipped-rules.ts';
import { type TempHome, tempHome } from './temp-home.ts';

export interface TestGateway extends AsyncDisposable {
  readonly gateway: Gateway;
  readonly journal: Journal;
  readonly parts: GatewayParts;
  readonly home: TempHome;
}

export interface TestChoice extends Partial<GatewayParts> {
  readonly home?: TempHome;
  readonly rules?: Mode;
  /** What a principal may use in a day, where that is not what it usually is. */
  readonly day?: Partial<BudgetSettings>;
}

/**
 * The real gateway on a real journal in a home of its own. What decides and what would run is the
 * test's to choose; as it comes, everything is denied.
 * Its identity is real too, and made when it is first asked. With `rules` the real ones decide, in
 * that mode, over the real catalogue of tools.
 */
export async function testGateway({
  home: given,
  rules,
  day = {},
  ...chosen
}: TestChoice = {}): Promise<TestGateway> {
  await using stack = new AsyncDisposableStack();
  const clock = systemClock();
  const ids = createIds(clock);
  const home = given ?? stack.use(await tempHome());
  const signer = await openSigner(home.places);
  const settings = journalSection.parse({});
  const journal = stack.use(
    await openJournal({ places: home.places, clock, ids, signer, settings }),
  );
  const decided =
    rules === undefined ? undefined : await realPolicy({ journal, clock, home, mode: rules });
  if (decided !== undefined) stack.use(decided.policy);
  const kept = { records: journal.records, clock, ids, places: home.places };
  const identity = identityUnder(decided?.policy ?? shippedRules(), kept);
  const parts: GatewayParts = {
    clock,
    ids,
    log: quietLog(),
    journal,
    runs: journal.runs,
    activity: journal.activity,
    sessions: createSessions({ records: journal.records, clock, ids }),
    blobs: openBlobs({ folder: home.places.blobsDir, maxBytes: 1024 ** 3 }),
    workspace: TEST_WORKSPACE,
    workspaceNotes: { read: async () => undefined },
    model: talkingModel(),
    catalogue: { find: () => undefined, offered: () => [] },
    policy: policyThatSays({ reason: 'no rule allows it', help: '' }),
    approvals: approverThatSays({ kind: 'denied', approvalId: 'none', reason: 'not asked' }),
    budgets: budgetsOf({ records: journal.records, clock }, day),
    approvalDesk: deskOf({ records: journal.records, clock, ids }),
    sandbox: rememberingSandbox(),
    ...plainDesks(),
    attestor: createAttestor({ signer, ids }),
    undo: nothingKept(),
    identity,
    settings: runsSection.parse({}),
    ...decided?.parts,
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

function identityUnder(
  rules: IdentityParts['rules'],
  kept: Pick<IdentityParts, 'records' | 'clock' | 'ids' | 'places'>,
) {
  const settings = identitySection.parse({});
  return lazyIdentity(() => createIdentity({ ...kept, rules, settings, log: quietLog() }));
}

function budgetsOf(
  parts: Omit<Parameters<typeof createBudgets>[0], 'settings'>,
  day: Partial<BudgetSettings>,
) {
  return createBudgets({ ...parts, settings: budgetsSection.parse(day) });
}

/** Whoever answers is an owner. */
function deskOf(parts: Omit<Parameters<typeof createApprovals>[0], 'people' | 'workspace'>) {
  const people = { roleOf: async () => Role.OWNER };
  return createApprovals({ ...parts, people, workspace: TEST_WORKSPACE });
}
