import { WORKSPACE_IN_CAGE } from '@palyra/kernel';
import type { Ending, SandboxRequest } from '../model.ts';
import type { RunWatch } from '../service/sandboxes.ts';
import { AUTHORITY_VARIABLES } from './authorities.ts';
import type { Cage } from './cage.ts';
import { type StartOrder, orderBytes } from '../starter/waiting-starter.ts';
import { startMeter } from './meter.ts';
import { AUTHORITIES, VOLUMES } from './plan.ts';
import { factsOf } from './processes.ts';
import { runIn } from './run.ts';

export const EXECUTOR = 'sandbox_tier_c_linux_bubblewrap';

export interface Order {
  readonly request: SandboxRequest;
  readonly command: StartOrder;
  readonly isWarm: boolean;
}

/** Runs the one command of a cage, which ends with it. Contract: the cage is ended, also when it rejects. */
export async function execute(cage: Cage, order: Order, watch: RunWatch): Promise<Ending> {
  const { request, command, isWarm } = order;
  const weaknesses = [...cage.weaknesses];
  if (request.egress.mode === 'preflight') weaknesses.push(NOT_ENFORCED);
  const { waiting, group, plan } = cage;
  try {
    group?.limit(request.limits);
    cage.wayOut?.attend(watch);
    const script = orderBytes({ ...command, environment: environmentFor(cage, order) });
    const volumes = VOLUMES.map((path) => `/proc/${waiting.starter}/root${path}`);
    const source = { group, first: waiting.first.pid, volumes };
    const meterOn = () => startMeter(source, request.limits);
    const running = runIn(waiting, { request, script, startMeter: meterOn }, watch);
    using _given = isWarm ? giveUpUnlessBegun(cage) : undefined;
    const outcome = await running;
    if (!isWarm) weaknesses.push(...cage.changed());
    weaknesses.push(...(await cage.lookAgain()));
    if (isUncovered(cage)) weaknesses.push(UNCOVERED);
    await cage.end();
    return {
      ...outcome,
      posture: {
        executor: EXECUTOR,
        namespaces: cage.namespaces,
        seccomp: plan.filterHash,
        memory: group === undefined ? 'best-effort' : 'cgroup',
        egress: request.egress.mode,
        hosts: plan.hosts,
        isWarm,
        weaknesses,
      },
    };
  } finally {
    await cage.end();
  }
}

/** With the first process goes what lies on its folder in `/proc`, which counts as a change as well. */
function isUncovered({ mounts, plan: { guarded } }: Cage): boolean {
  if (!mounts.hasChanged()) return false;
  const paths = guarded.map(({ path }) => path);
  return !mounts.areOn(WORKSPACE_IN_CAGE, paths);
}

/** Whoever has not begun by then is looked at, and whoever has not by the second is given up. */
const LOOK_MS = 10;
const BEGIN_MS = 2000;
const UNCOVERED =
  'a guarded name was exchanged from outside while the command ran, which took its guard off';

/**
 * Somebody may have ended or stopped whoever waits in it, who has the order now and does nothing with it. The
 * order comes first: to look takes as long as to wake up. A signal may still be on its way to one that looks well.
 */
function giveUpUnlessBegun({ starter, waiting }: Cage): Disposable {
  const giveUp = () => {
    if (!waiting.hasBegun()) void waiting.end();
  };
  const look = () => {
    const now = factsOf(waiting.starter);
    const isWell = now?.isDead === false && !now.isStopped && now.startedAt === starter.startedAt;
    if (!isWell) giveUp();
  };
  // Behind what has come meanwhile: it may have begun while we did something else for too long.
  const looked = setTimeout(() => setImmediate(look), LOOK_MS);
  const tooLate = setTimeout(() => setImmediate(giveUp), BEGIN_MS);
  const dispose = () => {
    clearTimeout(looked);
    clearTimeout(tooLate);
  };
  return { [Symbol.dispose]: dispose };
}

/** Whether somebody ended the cage before the command had begun, which then did nothing at all. */
export function isUntouched({ waiting }: Cage, { fault }: Ending): boolean {
  // What the kernel ended in its group for want of memory was not the command's.
  const isEnded = fault?.code === 'SANDBOX_FAILED' || fault?.code === 'SANDBOX_QUOTA_EXCEEDED';
  return isEnded && !waiting.hasBegun();
}

const NOT_ENFORCED = 'hosts were checked before the start and are not enforced at runtime';

const PROXY = /^(?:https?|ftp|all|no)_proxy$/i;

/** The request's own names win, but for those that say where the way out is. */
function environmentFor(
  { wayOut }: Cage,
  { command, request }: Order,
): Readonly<Record<string, string>> {
  if (wayOut === undefined) return command.environment;
  const own = Object.entries(request.environment).filter(([name]) => !PROXY.test(name));
  const given = Object.entries(command.environment).filter(([name]) => !PROXY.test(name));
  const trusted = wayOut.authorityPem === undefined ? [] : AUTHORITY_VARIABLES;
  return Object.fromEntries([
    ...given,
    ...trusted.map((name) => [name, AUTHORITIES] as const),
    ...Object.entries(wayOut.environment),
    ...own,
  ]);
}
