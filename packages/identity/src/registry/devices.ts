import { create } from '@bufbuild/protobuf';
import { type Clock, PalyraError, parseId, quote } from '@palyra/kernel';
import { type Device, DeviceSchema, DeviceState } from '@palyra/protocol';
import type { Caller } from '../caller.ts';
import { type RecordsChange, type RecordsPort, retryOnConflict, type Row } from '@palyra/records';
import type { PeopleRules } from '../people-rules.ts';
import { changeOf, type Ending, revokeDevice, revokedDevice } from './endings.ts';
import { deviceEntry } from './notes.ts';
import { checkDeviceName } from './shown-name.ts';
import type { Tables } from './tables.ts';

export const MAX_DEVICES = 1000;
/** Earlier local devices that one new one replaces at once; there is one, ordinarily. */
const MAX_REPLACED = 8;

export interface DevicesParts {
  readonly records: RecordsPort;
  readonly tables: Tables;
  readonly clock: Clock;
  readonly rules: PeopleRules;
}

/** `device` is an id, or a name that only one device has. */
export class Devices {
  readonly #records: RecordsPort;
  readonly #tables: Tables;
  readonly #clock: Clock;
  readonly #rules: PeopleRules;

  constructor({ records, tables, clock, rules }: DevicesParts) {
    this.#records = records;
    this.#tables = tables;
    this.#clock = clock;
    this.#rules = rules;
  }

  async list(): Promise<readonly Device[]> {
    return (await this.#tables.devices.all()).map(({ value }) => value);
  }

  async get(device: string): Promise<Device> {
    return (await this.#find(device)).value;
  }

  byId(deviceId: string): Promise<Row<Device> | undefined> {
    return this.#tables.devices.get(deviceId);
  }

  async rename(device: string, name: string, caller: Caller): Promise<Device> {
    checkDeviceName(name);
    return this.#change(device, caller, ({ id, version, value }) => {
      if (value.name === name) return { device: value, endings: [] };
      const renamed = create(DeviceSchema, { ...value, name });
      const write = this.#tables.devices.put(id, renamed, version);
      const entry = deviceEntry('device.renamed', renamed, caller.actor);
      return { device: renamed, endings: [{ write, entry }] };
    });
  }

  /**
   * Contract: revoking a revoked one changes nothing. Nor does one that was removed, which a thief
   * might do to it, while something is known that came of it: that can still be found by its id.
   */
  async revoke(device: string, caller: Caller): Promise<Device> {
    const removed = await this.#removed(device);
    if (removed !== undefined) return removed;
    return this.#change(device, caller, (row) => {
      if (row.value.state === DeviceState.REVOKED) return { device: row.value, endings: [] };
      const when = { at: this.#now(), actor: caller.actor };
      const ending = revokeDevice(this.#tables.devices, row, when);
      return { device: revokedDevice(row.value, when), endings: [ending] };
    });
  }

  async remove(device: string, caller: Caller): Promise<Device> {
    return this.#change(device, caller, (row) => {
      const removed = this.#removal(row, caller.actor);
      return { device: removed.device, endings: [removed.ending] };
    });
  }

  /**
   * What makes a device known, for the change that completes its pairing. A local device takes the
   * place of earlier local ones of its name, so that a program that lost its key leaves none behind;
   * those that were revoked stay to be seen. Contract: read anew on CONFLICT. OVERLOADED when no more
   * are kept, NOT_FOUND without the member, PAIRING_ENDED when what confirmed it was revoked meanwhile.
   */
  async pairedWrites(device: Device, actor: string): Promise<RecordsChange> {
    const { members, devices } = this.#tables;
    if ((await members.get(device.userId)) === undefined) {
      throw new PalyraError('NOT_FOUND', 'the member for whom the device would act is gone');
    }
    await this.#demandMaker(device);
    const replaced = device.isLocal ? await this.#replacedBy(device, actor) : [];
    if ((await devices.count()) - replaced.length >= MAX_DEVICES) throw tooMany();
    const { writes, entries } = changeOf(replaced);
    return {
      writes: [...writes, devices.put(device.deviceId, device, 0)],
      entries: [...entries, deviceEntry('device.paired', device, actor)],
    };
  }

  async #removed(device: string): Promise<Device | undefined> {
    const deviceId = parseId<'device'>(device);
    if (deviceId === undefined || (await this.byId(deviceId)) !== undefined) return undefined;
    const { devices, tokens } = this.#tables;
    const rows = [...(await devices.all()), ...(await tokens.all())];
    const isKnown = rows.some(({ value }) => value.madeThrough.includes(deviceId));
    if (!isKnown) return undefined;
    return create(DeviceSchema, { deviceId, state: DeviceState.REVOKED });
  }

  /** A yes that a device gave just before it was revoked must not let anybody in after that. */
  async #demandMaker({ madeThrough }: Device): Promise<void> {
    const maker = madeThrough.at(-1);
    if (maker === undefined) return;
    const row = await this.byId(maker);
    if (row?.value.state === DeviceState.ACTIVE) return;
    throw new PalyraError('PAIRING_ENDED', 'the device that confirmed this one was revoked');
  }

  async #replacedBy(device: Device, actor: string): Promise<readonly Ending[]> {
    const earlier = (await this.#tables.devices.all()).filter(
      ({ value }) =>
        value.isLocal &&
        value.state === DeviceState.ACTIVE &&
        value.name === device.name &&
        value.kind === device.kind &&
        value.userId === device.userId,
    );
    return earlier.slice(0, MAX_REPLACED).map((row) => this.#removal(row, actor).ending);
  }

  #removal(row: Row<Device>, actor: string): { readonly device: Device; readonly ending: Ending } {
    const { value } = row;
    const device =
      value.state === DeviceState.REVOKED
        ? value
        : revokedDevice(value, { at: this.#now(), actor });
    const entry = deviceEntry('device.removed', device, actor);
    return { device, ending: { write: this.#tables.devices.drop(row), entry } };
  }

  #change(
    device: string,
    caller: Caller,
    decide: (row: Row<Device>) => {
      readonly device: Device;
      readonly endings: readonly Ending[];
    },
  ): Promise<Device> {
    return retryOnConflict(async () => {
      const row = await this.#find(device);
      await this.#demandOver(row.value, caller);
      const decided = decide(row);
      if (decided.endings.length > 0) await this.#records.transact(changeOf(decided.endings));
      return decided.device;
    });
  }

  async #demandOver({ userId }: Device, caller: Caller): Promise<void> {
    const member = (await this.#tables.members.get(userId))?.value;
    if (member !== undefined) await this.#rules.touch(caller, { action: 'people.unpair', member });
  }

  async #find(device: string): Promise<Row<Device>> {
    const id = parseId<'device'>(device);
    const byId = id === undefined ? undefined : await this.byId(id);
    if (byId !== undefined) return byId;
    const named = (await this.#tables.devices.all()).filter(({ value }) => value.name === device);
    const [row, another] = named;
    if (row !== undefined && another === undefined) return row;
    throw row === undefined ? unknown(device) : ambiguous(device, named.length);
  }

  #now(): string {
    return this.#clock.now().toISOString();
  }
}

function unknown(device: string): PalyraError {
  return new PalyraError('NOT_FOUND', `there is no device ${quote(device)}`, {
    help: 'list them with `palyra devices list`',
  });
}

function ambiguous(device: string, count: number): PalyraError {
  return new PalyraError('INVALID_INPUT', `${count} devices are called ${quote(device)}`, {
    help: 'name it by its id, which `palyra devices list` shows',
  });
}

function tooMany(): PalyraError {
  return new PalyraError('OVERLOADED', `the gateway keeps at most ${MAX_DEVICES} devices`, {
    help: 'forget those that are no longer used with `palyra devices remove`',
  });
}
