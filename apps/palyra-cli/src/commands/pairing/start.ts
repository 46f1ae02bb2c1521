import { PalyraError } from '@palyra/kernel';
import { PairingSchema, type StartPairingResponse } from '@palyra/protocol';
import { type Invocation, wantsJson } from '../../command.ts';
import { daemonOf } from '../../daemon.ts';
import type { Exit } from '../../exit-codes.ts';
import { attendPairing } from '../../pairing-attendance.ts';
import { printFields } from '../../render/layout.ts';
import { bigPin, printQr } from '../../render/pairing-card.ts';
import { inline, shortTime } from '../../render/words.ts';
import { wireJson } from '../../wire-json.ts';

export async function run(invocation: Invocation): Promise<Exit> {
  const { terminal } = invocation.shell;
  const client = daemonOf(invocation.shell);
  const started = await client.pairing.startPairing({ member: invocation.text.get('for') ?? '' });
  const { pairing, pin, link } = started;
  if (pairing === undefined) throw new PalyraError('UNEXPECTED', 'the gateway started nothing');
  if (wantsJson(invocation)) {
    terminal.json('pairing', { pairing: wireJson(PairingSchema, pairing), pin, link });
  } else {
    await showSecrets(invocation, started);
  }
  if (invocation.flags.has('no-wait')) return 'ok';
  return await attendPairing(invocation, client, pairing.pairingId);
}

async function showSecrets(
  { shell: { terminal } }: Invocation,
  { pairing, pin, link }: StartPairingResponse,
): Promise<void> {
  terminal.print('');
  for (const line of bigPin(pin)) terminal.print(`    ${terminal.paint('strong', line)}`);
  terminal.print('');
  await printQr(terminal, link);
  printFields(terminal, [
    ['PIN', inline(pin.replace(/^(\d{3})(\d{3})$/, '$1 $2'))],
    ['link', inline(link)],
    ['good until', `${shortTime(pairing?.expiresAt ?? '')} UTC`],
    ['pairing', inline(pairing?.pairingId ?? '')],
  ]);
  terminal.print('');
  terminal.print(
    '  on the new device: `palyra pair HOST` and the PIN, or `palyra pair -` and the link',
  );
}
