import { mkdir, mkdtempDisposable, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  type PalyraClient,
  createClient,
  grpcOverTls,
  pairWith,
  readLink,
  toTlsGateway,
} from '@palyra/client';
import { PalyraError } from '@palyra/kernel';
import { ApprovalStatus, DeviceKind, PairingState, Role } from '@palyra/protocol';
import { ownClient, tempHome, verifies } from '@palyra/testkit';
import { expect, it } from 'vitest';
import { Daemon, Palyra, homeWithScript } from './harness.ts';

const TAKES_TWO = `@id("takes-two") @says("a program is to be run")
@gate("approval") @severity("high") @quorum("2")
forbid (principal, action == Action::"tool.execute", resource)
unless { context has approval && context.approval.count >= 2 };
`;

async function open() {
  await using stack = new AsyncDisposableStack();
  const call = { tool: 'process.run', arguments: { command: 'true' } };
  const home = stack.use(await homeWithScript([[call], [{ text: 'done\n' }]]));
  const rules = join(home.places.configDir, 'policies');
  await mkdir(rules, { recursive: true, mode: 0o700 });
  await writeFile(join(rules, 'two.cedar'), TAKES_TWO, { mode: 0o600 });
  const workspace = stack.use(await mkdtempDisposable(join(tmpdir(), 'palyra-work-')));
  stack.use(await new Daemon(home.path, workspace.path).ready());
  const release = stack.move();
  const owner = await ownClient(home.places);
  return { home, owner, [Symbol.asyncDispose]: () => release.disposeAsync() };
}

/** A device of a member, which somebody starts a pairing for and confirms. */
async function letIn(by: PalyraClient, member: string): Promise<PalyraClient> {
  await using home = await tempHome();
  const { link } = await by.pairing.startPairing({ member });
  const read = await readLink(link);
  if (read === undefined) throw new TypeError('the gateway gave no link');
  const identity = await pairWith({
    places: home.places,
    gateway: 'office',
    ...read,
    name: `for ${member}`,
    kind: DeviceKind.CLI,
    signal: AbortSignal.timeout(30_000),
    onWaiting: ({ pairingId, keyFingerprint }) => {
      void by.pairing.answerPairing({ pairingId, keyFingerprint, answer: PairingState.APPROVED });
    },
  });
  return createClient(grpcOverTls(toTlsGateway(identity)));
}

it(
  'an admin who lets in a device for somebody else is not the second person through it',
  verifies('approvals:one-person-one-voice'),
  async () => {
    await using at = await open();
    const { owner } = at;
    await owner.members.addMember({ name: 'ann', role: Role.ADMIN });
    await owner.members.addMember({ name: 'bob', role: Role.ADMIN });
    await owner.members.addMember({ name: 'eve', role: Role.ADMIN });
    const ann = await letIn(owner, 'ann');
    const asBob = await letIn(ann, 'bob');
    const asEve = await letIn(asBob, 'eve');
    const run = new Palyra(at.home.path, ['run', 'go']);
    await run.says(/waits until .* UTC:\s+[0-9A-Z]{26}/);
    const [waiting] = (await owner.approvals.listApprovals({ status: ApprovalStatus.PENDING }))
      .approvals;
    const { approvalId = '', fingerprint = '' } = waiting ?? {};
    const answer = ApprovalStatus.GRANTED;
    const yes = async (who: PalyraClient) =>
      (await who.approvals.answerApproval({ approvalId, fingerprint, answer })).approval;

    expect(await yes(asEve)).toMatchObject({ status: ApprovalStatus.PENDING });
    for (const puppeteer of [ann, asBob]) {
      const refused = await yes(puppeteer).catch((error: unknown) => PalyraError.from(error));
      expect(refused).toMatchObject({
        code: 'PERMISSION_DENIED',
        message: expect.stringContaining('one person may have let in the devices of you both'),
        help: expect.stringContaining('`palyra pairing start --for NAME`'),
      });
    }
    const { members } = await owner.members.listMembers({});
    const idOf = (wanted: string) =>
      `user:${members.find(({ name }) => name === wanted)?.userId ?? ''}`;
    expect(await yes(owner)).toMatchObject({
      status: ApprovalStatus.GRANTED,
      voices: [
        { principal: idOf('eve'), vouchedBy: [idOf('bob'), idOf('ann')] },
        { principal: expect.stringMatching(/^user:/), vouchedBy: [] },
      ],
    });
    expect(await run.end()).toMatchObject({ code: 0 });
  },
);

it(
  "whose device was let in on the gateway's own machine is a second person beside its owner",
  verifies('approvals:one-person-one-voice'),
  async () => {
    await using at = await open();
    const { owner } = at;
    await owner.members.addMember({ name: 'ann', role: Role.ADMIN });
    const first = await letIn(owner, 'ann');
    const ann = await letIn(first, 'ann');
    const run = new Palyra(at.home.path, ['run', 'go']);
    await run.says(/waits until .* UTC:\s+[0-9A-Z]{26}/);
    const [waiting] = (await owner.approvals.listApprovals({ status: ApprovalStatus.PENDING }))
      .approvals;
    const { approvalId = '', fingerprint = '' } = waiting ?? {};
    const given = { approvalId, fingerprint, answer: ApprovalStatus.GRANTED };
    await ann.approvals.answerApproval(given);
    const { approval } = await owner.approvals.answerApproval(given);
    expect(approval).toMatchObject({ status: ApprovalStatus.GRANTED });
    expect(await run.end()).toMatchObject({ code: 0 });
  },
);
