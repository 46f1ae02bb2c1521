import {
  type DeviceIdentity,
  type EnrolmentSecret,
  LOCAL,
  type PairedKey,
  type WaitingDevice,
  enrolLocally,
  gatewayName,
  looksLikeLink,
  pairWith,
  parseAddress,
  readLink,
  readPin,
  writeAddress,
} from '@palyra/client';
import { systemClock } from '@palyra/kernel';
import { DeviceKind } from '@palyra/protocol';
import { ask, canAsk } from '../ask.ts';
import { type Invocation, argument, wantsJson } from '../command.ts';
import { deviceName } from '../device-name.ts';
import type { Exit } from '../exit-codes.ts';
import { firstLine } from '../first-line.ts';
import { homeOf } from '../home.ts';
import { type Field, printFields } from '../render/layout.ts';
import { inline, shortTime, spacedFingerprint } from '../render/words.ts';
import { UsageError } from '../usage-error.ts';

export async function run(invocation: Invocation): Promise<Exit> {
  const { terminal } = invocation.shell;
  const target = argument(invocation, 0);
  const identity =
    target === LOCAL ? await pairLocally(invocation) : await pairAcross(invocation, target);
  if (wantsJson(invocation)) {
    const { gateway, address, deviceId, notAfter, keyFingerprint = null } = identity;
    terminal.json('paired', { gateway, address, deviceId, notAfter, keyFingerprint });
    return 'ok';
  }
  const mark = terminal.paint('good', terminal.symbols.done);
  terminal.print(`${mark} paired with \`${identity.gateway}\`\n`);
  printFields(terminal, pairedFields(identity));
  terminal.print(`\n  try: palyra status --gateway ${identity.gateway}`);
  return 'ok';
}

type Paired = DeviceIdentity & Partial<PairedKey>;

function pairedFields(identity: Paired): readonly Field[] {
  return [
    ['address', inline(identity.address)],
    ['device', `${inline(identity.deviceName)}, ${inline(identity.deviceId)}`],
    ['authority', inline(identity.authorityId)],
    ['certificate', `until ${shortTime(identity.notAfter)} UTC; it renews itself when used`],
  ];
}

async function pairLocally(invocation: Invocation): Promise<Paired> {
  refuseOptions(invocation);
  const { signal } = new AbortController();
  const places = homeOf(invocation.shell);
  const device = { places, deviceName: deviceName(), clock: systemClock(), signal };
  return await enrolLocally(device, 'anew');
}

/** On the gateway's own machine the daemon decides all of this. */
function refuseOptions({ text }: Invocation): void {
  const given = ['name', 'kind', 'as', 'pairing'].find((option) => text.has(option));
  if (given === undefined) return;
  throw new UsageError(`\`--${given}\` does not go with \`${LOCAL}\``, 'leave it out');
}

async function pairAcross(invocation: Invocation, target: string): Promise<Paired> {
  const kind = kindOf(invocation.text.get('kind') ?? 'cli');
  const meant = await meantBy(target);
  const gateway = gatewayName(invocation.text.get('as') ?? nameFor(meant.addresses[0] ?? ''));
  if (gateway === LOCAL) throw notLocal();
  const secret = meant.secret ?? (await askForPin(invocation.text.get('pairing')));
  return await pairWith({
    places: homeOf(invocation.shell),
    gateway,
    addresses: meant.addresses,
    secret,
    name: invocation.text.get('name') ?? deviceName(),
    kind,
    signal: new AbortController().signal,
    onWaiting: (waiting) => showWaiting(invocation, waiting),
  });
}

interface Meant {
  readonly addresses: readonly string[];
  /** Absent where the person has to type a PIN. */
  readonly secret?: EnrolmentSecret;
}

async function meantBy(target: string): Promise<Meant> {
  if (looksLikeLink(target)) throw linkInSight();
  const text = target === '-' ? await askForLink() : target;
  if (!looksLikeLink(text)) return { addresses: [writeAddress(parseAddress(text))] };
  const link = await readLink(text);
  if (link !== undefined) return link;
  throw new UsageError('this is no whole link', 'copy all of it; `palyra pairing start` shows it');
}

async function askForLink(): Promise<string> {
  if (!canAsk()) return await firstLine(process.stdin, 'link');
  return (await ask('link: '))?.trim() ?? '';
}

/** Contract: does not repeat it; its token is a secret. */
function linkInSight(): UsageError {
  return new UsageError(
    'a link is not given as an argument: every user of this machine can see those',
    'give `palyra pair -`, which asks for the link or reads it from standard input',
  );
}

/** Never an argument: those can be seen by every user of the machine. */
async function askForPin(pairingId: string | undefined): Promise<EnrolmentSecret> {
  const text = canAsk() ? await ask('PIN: ') : await firstLine(process.stdin, 'PIN');
  const secret = await readPin(text ?? '', pairingId);
  if (secret !== undefined) return secret;
  throw new UsageError('a PIN is six digits', '`palyra pairing start` on the gateway shows it');
}

function showWaiting(invocation: Invocation, { expiresAt, keyFingerprint }: WaitingDevice): void {
  const { terminal } = invocation.shell;
  if (wantsJson(invocation)) {
    terminal.json('waiting', { expiresAt, keyFingerprint });
    return;
  }
  terminal.print('the gateway knows that you know the secret; now confirm this device there\n');
  printFields(terminal, [
    ['fingerprint', spacedFingerprint(keyFingerprint)],
    ['until', `${shortTime(expiresAt)} UTC`],
  ]);
  terminal.print('');
}

export function kindOf(word: string): DeviceKind {
  const entry = Object.entries(DeviceKind).find(([name]) => name.toLowerCase() === word);
  const kind = entry?.[1] ?? DeviceKind.UNSPECIFIED;
  if (kind !== DeviceKind.UNSPECIFIED) return kind;
  throw new UsageError(
    `\`${word}\` is no kind of device`,
    'give one of cli, desktop, console, worker, browser, node',
  );
}

/** What the gateway is called here unless the person says: its host, in the letters of a name. */
export function nameFor(address: string): string {
  const { host } = parseAddress(address);
  const name = host
    .toLowerCase()
    .replaceAll(/[^a-z0-9.-]/g, '-')
    .replaceAll(/^[.-]+|[.-]+$/g, '');
  return name === '' || name === LOCAL ? 'gateway' : name.slice(0, 63).replace(/[.-]+$/, '');
}

function notLocal(): UsageError {
  return new UsageError(`\`${LOCAL}\` is the gateway on this machine`, 'choose another name');
}
