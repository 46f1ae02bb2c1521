import { createAttestor } from '@palyra/attestation';
import { prepareHome } from '@palyra/config';
import { type Gateway, type JournalPort, type ModelPort, createGateway } from '@palyra/gateway';
import { openJournal, openSigner } from '@palyra/journal';
import {
  type Clock,
  type EntryDraft,
  type JsonObject,
  type Log,
  PalyraError,
  createIds,
  redact,
  systemClock,
} from '@palyra/kernel';
import { builtInScript, createScriptModel, loadScript } from '@palyra/models';
import { denyEverything } from '@palyra/policy';
import {
  type HealthFacts,
  type Readiness,
  createLoopDelayMeter,
  createReadiness,
  serveSocket,
} from '@palyra/transport';
import { missingParts } from './missing-parts.ts';
import { emptyCatalogue, noApprovals, noSandbox } from './not-built.ts';
import type { Config, Surroundings } from './sections.ts';
import { palyradVersion } from './version.ts';
import { watchJournal } from './watched-journal.ts';

/** A daemon that answers. */
export interface Daemon {
  readonly endpoint: string;
  /**
   * Takes no new work, lets active runs end within the grace period, records the stop and lets go
   * of everything. Contract: called once; rejects when the stop could not be recorded.
   */
  stop(reason: string): Promise<void>;
}

export interface DaemonParts extends Surroundings {
  readonly config: Config;
  readonly log: Log;
  /** A stop while it starts. Counts until the start is recorded; afterwards `stop` does. */
  readonly signal: AbortSignal;
}

/**
 * Builds every part once and introduces them to one another. Released in reverse order.
 * Contract: rejects with the signal's reason when that came first; everything is released then.
 */
export async function compose(parts: DaemonParts): Promise<Daemon> {
  const { config, log, places, signal } = parts;
  refuseNetwork(config);
  await using stack = new AsyncDisposableStack();
  const clock = systemClock();
  const ids = createIds(clock);

  prepareHome(places);
  const signer = await openSigner(places);
  signal.throwIfAborted();
  const store = stack.use(
    await openJournal({ places, clock, ids, signer, settings: config.journal }),
  );
  const readiness = createReadiness();
  const journal = watchJournal(store, (error) => reportUnwritable(error, readiness, log));
  const model = await chooseModel(config, clock);
  const gateway = createGateway({
    clock,
    ids,
    log,
    journal,
    runs: store.runs,
    model,
    catalogue: emptyCatalogue,
    policy: denyEverything(),
    approvals: noApprovals,
    sandbox: noSandbox,
    attestor: createAttestor({ signer, ids }),
    settings: config.runs,
  });
  const loopDelay = stack.use(createLoopDelayMeter());
  const facts = factsOf(parts, model, clock);
  const settings = config.transport;
  // The journal holds the store's lock by now, so a socket file that is there is a dead daemon's.
  stack.use(
    await serveSocket({ gateway, facts, readiness, loopDelay, log, settings }, places.socketPath),
  );
  signal.throwIfAborted();

  await journal.append([
    note('daemon.started', { version: facts.version, profile: facts.profile }),
  ]);
  await gateway.runs.recover();
  readiness.markReady();
  const held = { gateway, journal, readiness, release: stack.move() };
  return {
    endpoint: endpointOf(parts),
    stop: (reason) => stop(held, settings.drain_ms, reason),
  };
}

interface Held {
  readonly gateway: Gateway;
  readonly journal: JournalPort;
  readonly readiness: Readiness;
  readonly release: AsyncDisposableStack;
}

async function stop(held: Held, graceMs: number, reason: string): Promise<void> {
  await using release = held.release;
  held.readiness.markDraining();
  await held.gateway.runs.drain(graceMs);
  await held.journal.append([note('daemon.stopped', { reason })]);
  await release.disposeAsync();
}

/**
 * It goes on without working: what is recorded can still be read, and a service manager that
 * started it anew would do so again and again for as long as the disk is full.
 */
function reportUnwritable(error: PalyraError, readiness: Readiness, log: Log): void {
  log.error('the journal cannot be written; nothing is done until the daemon is started anew', {
    code: error.code,
    error: redact(error),
  });
  readiness.markFailed(error.code);
}

/** Contract: the payload is the JSON form of the kind's message. */
function note(kind: 'daemon.started' | 'daemon.stopped', payload: JsonObject): EntryDraft {
  return { kind, actor: 'gateway', payload };
}

/** Nobody could prove who is calling over a network, so nobody may call from there. */
function refuseNetwork({ transport }: Config): void {
  if (transport.listen === 'unix') return;
  throw new PalyraError(
    'NOT_BUILT',
    `listening on \`${transport.listen}\` needs identity, which is not part of this build`,
    { help: 'set `transport.listen` to `unix`, or use the profile `local`' },
  );
}

async function chooseModel({ models }: Config, clock: Clock): Promise<ModelPort> {
  switch (models.provider) {
    case 'script': {
      const script = models.script === '' ? builtInScript() : await loadScript(models.script);
      return createScriptModel({ script, clock });
    }
  }
}

function factsOf(parts: DaemonParts, model: ModelPort, clock: Clock): HealthFacts {
  return {
    version: palyradVersion,
    profile: parts.config.deployment.profile,
    endpoints: [endpointOf(parts)],
    model: model.name,
    modelIsScript: model.isScript,
    startedAt: clock.now(),
    missing: missingParts(parts.environment),
  };
}

function endpointOf({ places }: Surroundings): string {
  return `unix:${places.socketPath}`;
}
