import { readLink } from '@palyra/client';
import { PalyraError } from '@palyra/kernel';
import { PairingSchema, type StartPairingResponse } from '@palyra/protocol';
import { type Invocation, wantsJson } from '../../command.ts';
import { daemonOf } from '../../daemon.ts';
import { EXITS, type Exit } from '../../exit-codes.ts';
import { onInterrupt } from '../../interrupts.ts';
import { attendPairing } from '../../pairing-attendance.ts';
import { wouldActFor } from '../../pairing-answers.ts';
import { peopleOf } from '../../people.ts';
import { printFields } from '../../render/layout.ts';
import { bigPin, pairWords, printQr } from '../../render/pairing-card.ts';
import { inline, shortTime } from '../../render/words.ts';
import { wireJson } from '../../wire-json.ts';

export async function run(invocation: Invocation): Promise<Exit> {
  const { terminal } = invocation.shell;
  const client = daemonOf(invocation.shell);
  const people = await peopleOf(invocation, client);
  const leaving = new AbortController();
  using cleanup = new DisposableStack();
  // From before it starts: secrets that nobody attends to must not stay good.
  if (!invocation.flags.has('no-wait')) cleanup.use(onInterrupt(leaveWith(leaving)));
  const started = await client.pairing.startPairing({ member: invocation.text.get('for') ?? '' });
  const { pairing, pin, link } = started;
  if (pairing === undefined) throw new PalyraError('UNEXPECTED', 'the gateway started nothing');
  if (wantsJson(invocation)) {
    terminal.json('pairing', { pairing: wireJson(PairingSchema, pairing), pin, link });
  } else {
    await showSecrets(invocation, started, people.nameOf(pairing.userId));
  }
  if (invocation.flags.has('no-wait')) return 'ok';
  const actsFor = () => wouldActFor(client, pairing, people);
  const { signal } = leaving;
  const { pairingId } = pairing;
  return await attendPairing(invocation, { client, pairingId, actsFor, signal });
}

/** The first Ctrl-C ends the pairing; a second one does not wait for the gateway to say so. */
function leaveWith(leaving: AbortController): (times: number) => void {
  return (times) => (times > 1 ? process.exit(EXITS.cancelled.code) : leaving.abort());
}

async function showSecrets(
  { shell: { terminal } }: Invocation,
  { pairing, pin, link }: StartPairingResponse,
  member: string,
): Promise<void> {
  terminal.print('');
  for (const line of bigPin(pin)) terminal.print(`    ${terminal.paint('strong', line)}`);
  terminal.print('');
  await printQr(terminal, link);
  printFields(terminal, [
    ['PIN', inline(pin.replace(/^(\d{3})(\d{3})$/, '$1 $2'))],
    ['link', inline(link)],
    ['for', member],
    ['good until', `${shortTime(pairing?.expiresAt ?? '')} UTC`],
    ['pairing', inline(pairing?.pairingId ?? '')],
  ]);
  terminal.print('');
  const addresses = (await readLink(link))?.addresses ?? [];
  for (const line of pairWords(addresses)) terminal.print(`  ${line}`);
}
