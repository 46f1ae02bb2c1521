import { PairingSchema } from '@palyra/protocol';
import { type Invocation, wantsJson } from '../../command.ts';
import { daemonOf } from '../../daemon.ts';
import type { Exit } from '../../exit-codes.ts';
import { printPairings } from '../../render/devices.ts';
import { wireJson } from '../../wire-json.ts';

export async function run(invocation: Invocation): Promise<Exit> {
  const { terminal } = invocation.shell;
  const { pairings } = await daemonOf(invocation.shell).pairing.listPairings({});
  if (wantsJson(invocation)) {
    terminal.json('pairings', { pairings: pairings.map((one) => wireJson(PairingSchema, one)) });
  } else if (pairings.length === 0) {
    terminal.print('no pairings; start one with `palyra pairing start`');
  } else {
    printPairings(terminal, pairings);
  }
  return 'ok';
}
