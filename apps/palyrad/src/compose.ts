import { randomFillSync } from 'node:crypto';
import { join } from 'node:path';
import { type Approvals, createApprovals } from '@palyra/approvals';
import { createAttestor } from '@palyra/attestation';
import { type Blobs, openBlobs } from '@palyra/blobs';
import { createBudgets } from '@palyra/budgets';
import { prepareHome } from '@palyra/config';
import {
  type ConfigDesk,
  type Gateway,
  type JournalPort,
  type ModelPort,
  type SandboxPort,
  createGateway,
} from '@palyra/gateway';
import { type Identity, type IdentityParts, createIdentity } from '@palyra/identity';
import { openJournal, openSigner } from '@palyra/journal';
import {
  type Clock,
  type EntryDraft,
  type JsonObject,
  type Log,
  type PalyraError,
  createIds,
  fillFromPool,
  redact,
  systemClock,
} from '@palyra/kernel';
import { createModel } from '@palyra/models';
import { ADMIN_POLICIES, type Policy, type PolicyParts, createPolicy } from '@palyra/policy';
import type { GetHealthResponse } from '@palyra/protocol';
import { createSessions } from '@palyra/sessions';
import { type Catalogue, createCatalogue } from '@palyra/tools';
import {
  type HealthFacts,
  type Readiness,
  createLoopDelayMeter,
  createReadiness,
  createSiteFiles,
  openDoors,
  parseAddress,
} from '@palyra/transport';
import { createArtifactTool } from './artifacts/artifact-tool.ts';
import { keepingLargeOutput } from './artifacts/kept-output.ts';
import { type SessionArtifactsParts, sessionArtifacts } from './artifacts/session-artifacts.ts';
import { type OwnTools, carryOut } from './carry-out.ts';
import { createConfigDesk } from './config-desk.ts';
import { CONSOLE_BUILD } from './console-build.ts';
import { createDoctorDesk } from './doctor/doctor-desk.ts';
import { createFileTools } from './file-tools/file-tools.ts';
import { doSoon, keepHouse } from './housekeeping.ts';
import { createHttpTool } from './http-tool/http-tool.ts';
import { missingParts } from './missing-parts.ts';
import { offering } from './offered-tools.ts';
import { ownPlaces } from './own-places.ts';
import { isProcessRun } from './sandbox-port/process-call.ts';
import { createSandboxDesk } from './sandbox-port/sandbox-desk.ts';
import { createSandboxPort } from './sandbox-port/sandbox-port.ts';
import { createVerdicts } from './sandbox-port/verdicts.ts';
import { limitsOf, openSandboxes } from './sandbox-process.ts';
import { roleOf } from './role-of.ts';
import type { Config, Settings, Surroundings } from './sections.ts';
import { palyradVersion } from './version.ts';
import { watchStore } from './watched-store.ts';
import { workspaceNotes } from './workspace-notes.ts';
import { type Workspaces, createWorkspaces } from './workspaces.ts';

/** A daemon that answers. */
export interface Daemon {
  readonly endpoint: string;
  /** As a caller would hear it, without a call: what judges calls is a third of the memory, and loaded for the first. */
  health(): Promise<GetHealthResponse>;
  /**
   * Takes no new work, lets active runs end within the grace period, records the stop and lets go
   * of everything. Contract: called once; rejects when the stop could not be recorded.
   */
  stop(reason: string): Promise<void>;
}

export interface DaemonParts extends Surroundings {
  readonly config: Config;
  /** The same, with where each value comes from. */
  readonly settings: Settings;
  /** What the next start would be given. Contract: throws as that would. */
  readonly readSettings: () => Settings;
  readonly log: Log;
  /** A stop while it starts. Counts until the start is recorded; afterwards `stop` does. */
  readonly signal: AbortSignal;
}

/**
 * Builds every part once and introduces them to one another. Released in reverse order.
 * Contract: rejects with the signal's reason when that came first; everything is released then.
 */
export async function compose(parts: DaemonParts): Promise<Daemon> {
  const { config, log, signal } = parts;
  await using stack = new AsyncDisposableStack();
  const built = await build(parts, stack);
  const { gateway, journal, identity, policy, approvals, cages } = built;
  const { readiness, facts, clock, loopDelay, site } = built;
  const doors = stack.use(
    await openDoors({
      gateway,
      facts,
      readiness,
      clock,
      log,
      loopDelay,
      settings: config.transport,
      names: config.identity.names,
      site,
    }),
  );
  await identity.announce({ address: doors.device, console: doors.console ?? '' });
  stack.use(keepHouse(() => tidy(identity, approvals), log));
  signal.throwIfAborted();

  await journal.append([
    note('daemon.started', { version: facts.version, profile: facts.profile }),
  ]);
  await gateway.runs.recover();
  readiness.markReady();
  stack.use(doSoon(() => policy.start(), log));
  stack.use(doSoon(() => gateway.takeUpAnswered(), log));
  stack.use(doSoon(async () => void (await cages.verdicts.current()), log));
  const held = { gateway, journal, readiness, release: stack.move() };
  return {
    endpoint: `https://${doors.device}`,
    health: async () => {
      // Why rules cannot be read is told by whoever begins soon; without them nothing is allowed.
      await policy.start().catch(() => undefined);
      return doors.health();
    },
    stop: (reason) => stop(held, config.transport.drain_ms, reason),
  };
}

/** Everything behind the doors. */
async function build(parts: DaemonParts, stack: AsyncDisposableStack) {
  const { config, log } = parts;
  const kept = await openStore(parts, stack);
  const { clock, ids, signer, readiness, journal, records, runs, activity } = kept;
  const catalogue = createCatalogue();
  const policy = stack.use(policyOf(parts, { records, journal, clock, catalogue }));
  const identity = await identityOf(parts, { ...kept, rules: policy });
  const workspace = createWorkspaces(parts);
  const model = stack.use(await modelOf(parts, workspace, clock));
  const cages = cagesOf(parts, workspace, stack);
  const blobs = blobsOf(parts);
  const sessions = createSessions({ records, clock, ids });
  const told = { runs, journal, sessions };
  const work = workOf(parts, { sandbox: cages.port, blobs, clock, workspace, ...told });
  const people = { roleOf: (principal: string) => roleOf(identity.members, principal) };
  const loopDelay = stack.use(createLoopDelayMeter());
  const site = createSiteFiles(CONSOLE_BUILD);
  const approvals = createApprovals({ records, people, workspace, clock, ids });
  const senses = { clock, readiness, journal, identity, loopDelay, site };
  const desks = { policyDesk: policy.desk, modelDesk: model.desk };
  const { verdicts } = cages;
  const doctorDesk = createDoctorDesk({ ...parts, ...senses, ...desks, verdicts });
  const gateway = createGateway({
    clock,
    ids,
    log,
    journal,
    runs,
    activity,
    sessions,
    blobs,
    workspace,
    workspaceNotes: workspaceNotes(workspace, log),
    model,
    ...desks,
    catalogue: offering(catalogue, work.isCarriedOut),
    policy,
    approvals,
    budgets: createBudgets({ records, clock, settings: config.budgets }),
    approvalDesk: approvals,
    sandbox: work.port,
    sandboxDesk: cages.desk,
    configDesk: configDeskOf(parts, clock),
    doctorDesk,
    attestor: createAttestor({ signer, ids }),
    undo: work.undo,
    identity,
    settings: config.runs,
  });
  const facts = factsOf(parts, { model, workspace, clock });
  return { gateway, ...senses, policy, approvals, cages, facts };
}

/** Where everything is recorded, and what it takes to record. */
async function openStore(parts: DaemonParts, stack: AsyncDisposableStack) {
  const { config, log, places, signal } = parts;
  const clock = systemClock();
  // What signs and hashes is loaded in any case, and WebCrypto only here.
  const ids = createIds(clock, fillFromPool(randomFillSync));
  prepareHome(places);
  const signer = await openSigner(places);
  signal.throwIfAborted();
  const store = stack.use(
    await openJournal({ places, clock, ids, signer, settings: config.journal }),
  );
  const readiness = createReadiness();
  const watched = watchStore(store, (error) => reportFault(error, readiness, log));
  return { clock, ids, signer, readiness, ...watched };
}

function identityOf(
  { config, log, places }: DaemonParts,
  kept: Pick<IdentityParts, 'records' | 'clock' | 'ids' | 'rules'>,
): Promise<Identity> {
  const { records, clock, ids, rules } = kept;
  const listenHost = parseAddress(config.transport.listen)?.host ?? '';
  return createIdentity({
    records,
    clock,
    ids,
    places,
    settings: config.identity,
    listenHost,
    log,
    rules,
  });
}

function modelOf(parts: DaemonParts, { home, further }: Workspaces, clock: Clock) {
  const { config, log, environment } = parts;
  return createModel({
    settings: config.models,
    clock,
    log,
    environment,
    workspaces: [home, ...further],
    own: ownPlaces(parts).folders,
  });
}

interface WorkParts extends SessionArtifactsParts {
  readonly sandbox: SandboxPort;
  readonly blobs: Blobs;
  readonly workspace: Workspaces;
  readonly clock: Clock;
}

/** Everything that carries out calls. */
function workOf({ config, log }: DaemonParts, parts: WorkParts) {
  const { sandbox, blobs, clock, workspace: workspaces, ...records } = parts;
  const files = createFileTools({ workspaces, blobs });
  const own: readonly OwnTools[] = [
    files,
    createArtifactTool({ blobs, sizeInSession: sessionArtifacts(records) }),
    createHttpTool({ settings: config.http, blobs, clock, log }),
  ];
  return {
    undo: files.undo,
    port: keepingLargeOutput(carryOut(own, sandbox), { blobs, log }),
    isCarriedOut: (tool: string) =>
      isProcessRun(tool) || own.some((tools) => tools.carriesOut(tool)),
  };
}

/** Of all results, old files and images together. */
const MAX_BLOB_BYTES = 4 * 1024 ** 3;

function blobsOf({ places }: DaemonParts): Blobs {
  return openBlobs({ folder: places.blobsDir, maxBytes: MAX_BLOB_BYTES });
}

async function tidy(identity: Identity, approvals: Approvals): Promise<void> {
  await identity.sweep();
  await approvals.sweep();
}

/** Nothing is started here: the first call does, or the moment after the daemon is ready. */
function cagesOf(
  { config, log, places }: DaemonParts,
  workspaces: Workspaces,
  stack: AsyncDisposableStack,
) {
  const settings = config.sandbox;
  const sandboxes = stack.use(openSandboxes({ places }, { settings, uses: 'often', log }));
  const limits = limitsOf(settings);
  const verdicts = createVerdicts(sandboxes, log);
  return {
    verdicts,
    port: createSandboxPort({ sandboxes, verdicts, workspaces, limits, egress: settings.egress }),
    desk: createSandboxDesk({ sandboxes, verdicts, limits, settings }),
  };
}

function configDeskOf({ settings, places }: DaemonParts, clock: Clock): ConfigDesk {
  return createConfigDesk({ settings, file: places.configFile, readAt: clock.now() });
}

interface PolicySources extends Pick<PolicyParts, 'records' | 'journal' | 'clock'> {
  readonly catalogue: Catalogue;
}

function policyOf(
  { config, log, places, workspaceDir }: DaemonParts,
  { records, journal, clock, catalogue }: PolicySources,
): Policy {
  return createPolicy({
    records,
    journal,
    clock,
    log,
    mode: config.policy.mode,
    tools: catalogue.all(),
    dirs: {
      admin: ADMIN_POLICIES,
      operator: places.policiesDir,
      workspace: join(workspaceDir, '.palyra/policies'),
    },
    own: ownPlaces({ places, workspaceDir }),
  });
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
function reportFault(error: PalyraError, readiness: Readiness, log: Log): void {
  log.error('the journal cannot be relied on; nothing is done until the daemon is started anew', {
    code: error.code,
    error: redact(error),
  });
  readiness.markFailed(error.code);
}

/** Contract: the payload is the JSON form of the kind's message. */
function note(kind: 'daemon.started' | 'daemon.stopped', payload: JsonObject): EntryDraft {
  return { kind, actor: 'gateway', payload };
}

interface FactSources {
  readonly model: ModelPort;
  readonly workspace: Workspaces;
  readonly clock: Clock;
}

function factsOf(parts: DaemonParts, { model, workspace, clock }: FactSources): HealthFacts {
  return {
    version: palyradVersion,
    profile: parts.config.deployment.profile,
    model: model.name,
    modelIsScript: model.isScript,
    workspace: workspace.home,
    furtherWorkspaces: workspace.further,
    startedAt: clock.now(),
    missing: missingParts(parts.environment),
  };
}
