import { PalyraError } from '@palyra/kernel';
import { type Pairing, PairingSchema, PairingState } from '@palyra/protocol';
import type { PalyraClient } from '@palyra/client';
import { canAsk, confirm } from './ask.ts';
import { type Invocation, argument, wantsJson } from './command.ts';
import { daemonOf } from './daemon.ts';
import type { Exit } from './exit-codes.ts';
import { endPairing, findPairing, wouldActFor } from './pairing-answers.ts';
import { peopleOf } from './people.ts';
import { provenFields } from './render/devices.ts';
import { printFields } from './render/layout.ts';
import { inline, pairingStateWord } from './render/words.ts';
import { UsageError } from './usage-error.ts';
import { wireJson } from './wire-json.ts';

/**
 * Lets the device in that waits. The answer is bound to the key that the person has seen, here or
 * at the device: for another one it does not count.
 */
export async function approvePairing(invocation: Invocation): Promise<Exit> {
  const client = daemonOf(invocation.shell);
  const pairingId = argument(invocation, 0);
  const keyFingerprint = await seenKey(invocation, client);
  if (keyFingerprint === undefined) return 'ok';
  const answer = PairingState.APPROVED;
  const { pairing } = await client.pairing.answerPairing({ pairingId, keyFingerprint, answer });
  return showAnswered(invocation, pairing);
}

/** Lets nobody in, whether a device waits or not. */
export async function rejectPairing(invocation: Invocation): Promise<Exit> {
  const ended = await endPairing(daemonOf(invocation.shell), argument(invocation, 0));
  return showAnswered(invocation, ended);
}

function showAnswered(invocation: Invocation, pairing: Pairing | undefined): Exit {
  const { terminal } = invocation.shell;
  if (pairing === undefined) throw new PalyraError('UNEXPECTED', 'the gateway answered nothing');
  if (wantsJson(invocation))
    terminal.json('pairing', { pairing: wireJson(PairingSchema, pairing) });
  else terminal.print(`${inline(pairing.pairingId)} is ${pairingStateWord(pairing.state)}`);
  return 'ok';
}

/** Contract: `undefined` when the person, having seen it, does not want to. */
async function seenKey(invocation: Invocation, client: PalyraClient): Promise<string | undefined> {
  const pairing = await findPairing(client, argument(invocation, 0));
  const { proven } = pairing;
  if (proven === undefined) {
    throw new PalyraError('INVALID_INPUT', 'no device has proven itself for this pairing yet', {
      help: 'enter the PIN on the new device first',
    });
  }
  const given = invocation.text.get('fingerprint')?.replaceAll(/[\s:]/g, '').toLowerCase();
  if (given !== undefined) return given;
  if (!canAsk() || wantsJson(invocation)) {
    throw new UsageError(
      'there is nobody to compare the fingerprint',
      'give the one that the new device shows, with `--fingerprint`',
    );
  }
  const people = await peopleOf(invocation, client);
  const actsFor = await wouldActFor(client, pairing, people);
  printFields(invocation.shell.terminal, provenFields(proven, actsFor));
  const isSame = await confirm('does the new device show the same fingerprint?');
  return isSame ? proven.keyFingerprint : undefined;
}
