import { ANYBODY } from '@palyra/kernel';
import type { Device } from '@palyra/protocol';
import { GATEWAY } from '../caller.ts';
import type { Tables } from '../registry/tables.ts';

export interface KnownTables {
  readonly devices: Pick<Tables['devices'], 'get'>;
  readonly members: Pick<Tables['members'], 'get'>;
}

/**
 * Who could act in the place of a device's member: whoever let it in may have kept its key, and so may
 * whoever let in the device by which they did. It ends with the gateway's own machine, whose user could
 * do as they like without a device. A console that was opened there is a page, and not the machine.
 */
export async function vouchersOf(
  device: Device,
  { devices, members }: KnownTables,
): Promise<readonly string[]> {
  const people = new Set(await lettersIn(device, devices));
  people.delete(`user:${device.userId}`);
  // Somebody who has left may have come back under another id.
  const now = [...people].map(async (person) => {
    if (person === ANYBODY) return ANYBODY;
    const member = await members.get(person.replace(/^user:/, ''));
    return member === undefined ? ANYBODY : person;
  });
  return [...new Set(await Promise.all(now))];
}

async function lettersIn(
  device: Device,
  known: KnownTables['devices'],
): Promise<readonly string[]> {
  const { isLocal, pairedBy, madeThrough } = device;
  if (isLocal && pairedBy === GATEWAY) return [];
  const person = /^user:\S+/.exec(pairedBy)?.[0];
  const makerId = madeThrough.at(-1);
  if (person === undefined || makerId === undefined) return [ANYBODY];
  const maker = (await known.get(makerId))?.value;
  const isFirst = madeThrough.length === 1;
  if (maker === undefined && !isFirst) return [person, ANYBODY];
  // Nothing comes before a device of the machine, and before every other something does: of one that
  // was removed, as an enrolment anew does with the earlier one, its place still tells.
  const isOfMachine = isFirst && (maker?.isLocal ?? true);
  if (isOfMachine) return pairedBy === `${person} via device:${makerId}` ? [] : [person];
  // Each has fewer before it than what it let in, so this ends.
  if (maker === undefined || maker.madeThrough.length >= madeThrough.length) {
    return [person, ANYBODY];
  }
  return [person, ...(await lettersIn(maker, known))];
}
