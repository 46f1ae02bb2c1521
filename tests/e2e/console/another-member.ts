import { createClient, grpcOverTls, pairWith, readLink, toTlsGateway } from '@palyra/client';
import { DeviceKind, PairingState, type Role } from '@palyra/protocol';
import { tempHome } from '@palyra/testkit';
import { type ConsoleStage, type Visit, visit } from './harness.ts';

export interface AnotherMember {
  readonly name: string;
  readonly role: Role;
  readonly path?: string;
}

/** A browser of somebody else: a new member, with a device that is paired for them, who opens the console. */
export async function openAs(
  stage: ConsoleStage,
  { name, role, path = '/' }: AnotherMember,
): Promise<Visit> {
  const { client, origin, browser } = stage;
  await using home = await tempHome();
  await client.members.addMember({ name, role });
  const started = await client.pairing.startPairing({ member: name });
  const read = await readLink(started.link);
  if (read === undefined) throw new TypeError('the gateway gave no link');
  const identity = await pairWith({
    places: home.places,
    gateway: 'office',
    ...read,
    name: `${name}'s laptop`,
    kind: DeviceKind.CLI,
    signal: AbortSignal.timeout(30_000),
    onWaiting: ({ pairingId, keyFingerprint }) => {
      const answer = PairingState.APPROVED;
      void client.pairing.answerPairing({ pairingId, keyFingerprint, answer });
    },
  });
  const device = createClient(grpcOverTls(toTlsGateway(identity)));
  const { secret } = await device.console.createConsoleLink({});
  const link = `${origin}/#link=${secret}`;
  return await visit(await browser.newContext(), { origin, path, link });
}
