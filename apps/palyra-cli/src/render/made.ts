import { plural } from '@palyra/client';
import { type Device, DeviceState } from '@palyra/protocol';
import type { People } from '../people.ts';
import type { Terminal } from '../terminal.ts';
import { printDevices } from './devices.ts';
import { inline } from './words.ts';

/** What came of a device: the devices that were let in through it, and the tokens made through it. */
export interface Made {
  readonly deviceId: string;
  readonly madeDevices: readonly Device[];
  /** Ids. */
  readonly madeTokens: readonly string[];
  readonly wanted: 'ended' | 'kept';
}

/** Shows what a revoked device has made, and how to end what still works of it. */
export function printMade(terminal: Terminal, made: Made, people: People): void {
  const { deviceId, madeDevices, madeTokens, wanted } = made;
  if (madeDevices.length > 0) {
    terminal.print(`\n${plural(madeDevices.length, 'device')} let in through it\n`);
    printDevices(terminal, madeDevices, people);
  }
  if (madeTokens.length > 0) {
    terminal.print(`\n${plural(madeTokens.length, 'token')} made through it, still in force\n`);
    for (const tokenId of madeTokens) terminal.print(`  ${inline(tokenId)}`);
  }
  const isInForce =
    madeTokens.length > 0 || madeDevices.some(({ state }) => state === DeviceState.ACTIVE);
  if (wanted === 'ended') {
    if (isInForce) terminal.note('\nwhat is in force belongs to somebody above you: ask them');
  } else if (isInForce) {
    terminal.note(
      `\nthese still work; end them with \`palyra devices revoke ${inline(deviceId)} --with-made\``,
    );
  }
}
