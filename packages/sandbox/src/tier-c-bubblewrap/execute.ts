import type { Ending, SandboxRequest } from '../model.ts';
import type { RunWatch } from '../service/sandboxes.ts';
import { AUTHORITY_VARIABLES } from './authorities.ts';
import type { Cage } from './cage.ts';
import { type StartOrder, orderBytes } from '../starter/waiting-starter.ts';
import { startMeter } from './meter.ts';
import { AUTHORITIES, VOLUMES } from './plan.ts';
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
    const meter = startMeter({ group, first: waiting.first.pid, volumes }, request.limits);
    // A signal may still be on its way to a cage that looked well: one that does not begin is given up.
    const tooLate = isWarm ? setTimeout(() => endUnlessBegun(cage), BEGIN_MS) : undefined;
    const outcome = await runIn(waiting, { request, script, meter }, watch).finally(() =>
      clearTimeout(tooLate),
    );
    if (!isWarm) weaknesses.push(...cage.changed());
    weaknesses.push(...(await cage.lookAgain()));
    if (cage.mounts.hasChanged()) weaknesses.push(UNCOVERED);
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

const BEGIN_MS = 2000;
const UNCOVERED =
  'a guarded name was exchanged from outside while the command ran, which took its guard off';

function endUnlessBegun({ waiting }: Cage): void {
  if (!waiting.hasBegun()) void waiting.end();
}

/** Whether somebody ended the cage before the command had begun, which then did nothing at all. */
export function isUntouched({ waiting }: Cage, { fault }: Ending): boolean {
  return fault?.code === 'SANDBOX_FAILED' && !waiting.hasBegun();
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
