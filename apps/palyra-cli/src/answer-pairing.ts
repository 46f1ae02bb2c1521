import { PalyraError, quote } from '@palyra/kernel';
import { type Pairing, PairingSchema, PairingState } from '@palyra/protocol';
import { canAsk, confirm } from './ask.ts';
import { type Invocation, argument, wantsJson } from './command.ts';
import { daemonOf } from './daemon.ts';
import type { Exit } from './exit-codes.ts';
import { provenFields } from './render/devices.ts';
import { printFields } from './render/layout.ts';
import { inline, pairingStateWord } from './render/words.ts';
import { UsageError } from './usage-error.ts';
import { wireJson } from './wire-json.ts';

export type PairingAnswer = typeof PairingState.APPROVED | typeof PairingState.REJECTED;

/**
 * Answers for a device that waits. The answer is bound to the key that the person has seen, here or
 * at the device: for another one it does not count.
 */
export async function answerPairing(invocation: Invocation, answer: PairingAnswer): Promise<Exit> {
  const { terminal } = invocation.shell;
  const client = daemonOf(invocation.shell);
  const pairingId = argument(invocation, 0);
  const { pairings } = await client.pairing.listPairings({});
  const keyFingerprint = await seenKey(
    invocation,
    pairings.find((one) => one.pairingId === pairingId),
    answer,
  );
  if (keyFingerprint === undefined) return 'ok';
  const answered = await client.pairing.answerPairing({ pairingId, keyFingerprint, answer });
  const { pairing } = answered;
  if (pairing === undefined) throw new PalyraError('UNEXPECTED', 'the gateway answered nothing');
  if (wantsJson(invocation))
    terminal.json('pairing', { pairing: wireJson(PairingSchema, pairing) });
  else terminal.print(`${inline(pairing.pairingId)} is ${pairingStateWord(pairing.state)}`);
  return 'ok';
}

/** Contract: `undefined` when the person, having seen it, does not want to. */
async function seenKey(
  invocation: Invocation,
  pairing: Pairing | undefined,
  answer: PairingAnswer,
): Promise<string | undefined> {
  if (pairing === undefined) throw noSuchPairing(argument(invocation, 0));
  const { proven } = pairing;
  if (proven === undefined) {
    throw new PalyraError('INVALID_INPUT', 'no device has proven itself for this pairing yet', {
      help: 'enter the PIN on the new device first',
    });
  }
  const given = invocation.text.get('fingerprint')?.replaceAll(/[\s:]/g, '').toLowerCase();
  if (given !== undefined) return given;
  // Saying no to the wrong device harms nobody.
  if (answer === PairingState.REJECTED) return proven.keyFingerprint;
  if (!canAsk() || wantsJson(invocation)) {
    throw new UsageError(
      'there is nobody to compare the fingerprint',
      'give the one that the new device shows, with `--fingerprint`',
    );
  }
  printFields(invocation.shell.terminal, provenFields(proven));
  const isSame = await confirm('does the new device show the same fingerprint?');
  return isSame ? proven.keyFingerprint : undefined;
}

function noSuchPairing(pairingId: string): PalyraError {
  return new PalyraError('NOT_FOUND', `there is no pairing ${quote(pairingId)}`, {
    help: 'list them with `palyra pairing list`',
  });
}
