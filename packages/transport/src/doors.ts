import { once } from 'node:events';
import type { Server } from 'node:net';
import type { Server as TlsServer } from 'node:tls';
import { PalyraError } from '@palyra/kernel';
import { type Address, parseAddress, writeAddress } from './address.ts';
import { type Watch, createWatch } from './auth/watch.ts';
import { createCallHandler } from './connect/request-handler.ts';
import type { TransportParts } from './connect/routes.ts';
import { strangersPaths } from './connect/services.ts';
import { type ConsolePort, openConsolePort, receiveBrowsers } from './console-port/console-port.ts';
import { type Credentials, loadCredentials } from './device-port/credentials.ts';
import { createDevicePort, receiveDevices } from './device-port/device-port.ts';
import { createDesk } from './http/desk.ts';
import { createDropReport } from './http/drop-report.ts';
import { type Lines, createLines } from './http/lines.ts';
import { listenOn } from './http/listen.ts';
import { createSessions } from './http/sessions.ts';
import { type Whereabouts, whereaboutsOf } from './whereabouts.ts';

/** The ways in. */
export interface Doors extends AsyncDisposable {
  /** Where devices connect: `127.0.0.1:7443`, with the port that is really bound. */
  readonly device: string;
  /** Where browsers of this machine find the console: `http://localhost:7142`; absent when it is off. */
  readonly console: string | undefined;
}

/** How long open calls may take to hear that the daemon stops, before their connections are cut. */
const FAREWELL_MS = 1_000;
/** How often it is looked whether anybody's standing has changed. */
const BEAT_MS = 500;
/** Beats after which everything is looked at anyhow: a token that runs out changes nothing. */
const BEATS_TO_LOOK = 120;
const BEATS_TO_RENEW = 7_200;

/**
 * Opens the device port and the console port. Contract: the gateway's identity is ready. Disposing
 * ends open calls with SHUTTING_DOWN and resolves when no connection is left.
 */
export async function openDoors(parts: TransportParts): Promise<Doors> {
  const { settings, log, gateway, clock } = parts;
  await using opening = new AsyncDisposableStack();
  const shutdown = new AbortController();
  const drops = opening.use(createDropReport(log));
  const credentials = await loadCredentials(gateway.identity.authorities, log);
  const watch = createWatch({ access: gateway.identity.access, clock }, log);

  const devicePort = { settings, credentials, log, drops };
  const port = createDevicePort(devicePort);
  opening.defer(() => closeServer(port));
  const device = await listenOn(port, addressIn(settings.listen), 'transport.listen');
  const console = await openConsole(settings.console);
  for (const server of console?.servers ?? []) opening.defer(() => closeServer(server));

  const origin = console === undefined ? undefined : `http://${console.host}`;
  const whereabouts = whereaboutsOf(device, parts.names, origin ?? '');
  const lines = createBackOffice(parts, { watch, whereabouts, shutdown: shutdown.signal });
  receiveDevices(port, lines, devicePort);
  if (console !== undefined) receiveBrowsers(console, lines);
  const beat = startBeat(parts, { watch, credentials, port });
  const release = opening.move();
  return {
    device: writeAddress(device),
    console: origin,
    async [Symbol.asyncDispose]() {
      clearInterval(beat);
      const closed = release.disposeAsync();
      shutdown.abort(new PalyraError('SHUTTING_DOWN', 'the daemon is stopping'));
      lines.closeIdle();
      const cut = setTimeout(() => lines.destroyAll(), FAREWELL_MS);
      await closed;
      clearTimeout(cut);
      lines[Symbol.dispose]();
    },
  };
}

interface Office {
  readonly watch: Watch;
  readonly whereabouts: Whereabouts;
  readonly shutdown: AbortSignal;
}

/** What stands behind both doors alike. */
function createBackOffice(parts: TransportParts, office: Office): Lines {
  const { settings } = parts;
  const sessions = createSessions();
  const desk = createDesk({
    ...parts,
    linkOf: (request) => lines.linkOf(request),
    calls: createCallHandler({ ...parts, ...office }),
    strangersPaths: strangersPaths(),
    patience: {
      requestMs: settings.request_ms,
      unreadMs: settings.idle_ms,
      cut: (stream) => sessions.cut(stream),
    },
  });
  const lines = createLines({ ...parts, ...office, sessions, answer: desk });
  return lines;
}

async function openConsole(setting: string): Promise<ConsolePort | undefined> {
  if (setting === 'off') return undefined;
  return await openConsolePort(addressIn(setting));
}

/** Contract: the section has checked it. */
function addressIn(text: string): Address {
  const address = parseAddress(text);
  if (address !== undefined) return address;
  throw new PalyraError('CONFIG_INVALID', `\`${text}\` is not \`HOST:PORT\``);
}

interface Beaten {
  readonly watch: Watch;
  readonly credentials: Credentials;
  readonly port: TlsServer;
}

/** Ends what was taken back, and swaps certificates, soon after either has changed. */
function startBeat({ gateway }: TransportParts, { watch, credentials, port }: Beaten) {
  let beats = 0;
  let seen = gateway.identity.revision();
  let isBusy = false;
  const beat = async () => {
    beats += 1;
    const revision = gateway.identity.revision();
    const hasChanged = revision !== seen;
    // Before anything is looked at, so that a change in between is seen by the next beat.
    seen = revision;
    if (hasChanged || watch.isDue() || beats % BEATS_TO_LOOK === 0) await watch.sweep();
    if (!hasChanged && beats % BEATS_TO_RENEW !== 0) return;
    if (await credentials.refresh()) port.setSecureContext(credentials.active);
  };
  return setInterval(() => {
    if (isBusy) return;
    isBusy = true;
    void beat().finally(() => {
      isBusy = false;
    });
  }, BEAT_MS).unref();
}

/** Contract: connections that are open are somebody else's to end. */
async function closeServer(server: Server): Promise<void> {
  const closed = once(server, 'close');
  server.close();
  await closed;
}
