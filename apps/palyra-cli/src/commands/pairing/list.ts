import { PairingSchema } from '@palyra/protocol';
import { type Invocation, wantsJson } from '../../command.ts';
import { daemonOf } from '../../daemon.ts';
import type { Exit } from '../../exit-codes.ts';
import { peopleOf } from '../../people.ts';
import { printPairings } from '../../render/devices.ts';
import { wireJson } from '../../wire-json.ts';

export async function run(invocation: Invocation): Promise<Exit> {
  const { terminal } = invocation.shell;
  const client = daemonOf(invocation.shell);
  const [{ pairings }, people] = await Promise.all([
    client.pairing.listPairings({}),
    peopleOf(invocation, client),
  ]);
  if (wantsJson(invocation)) {
    terminal.json('pairings', { pairings: pairings.map((one) => wireJson(PairingSchema, one)) });
  } else if (pairings.length === 0) {
    terminal.print('no pairings; start one with `palyra pairing start`');
  } else {
    printPairings(terminal, pairings, people);
  }
  return 'ok';
}
