import type { Maker, TrialPlace } from '../proof/maker.ts';
import { type Probe, refused } from '../proof/probe.ts';
import { type ProbeList, WHOLE_LIST } from '../proof/probe-list.ts';
import { probeSandbox } from '../proof/probe-sandbox.ts';
import type { StepVerdict } from '../proof/verdict.ts';
import { INSIDE_ID } from '../tier-c-bubblewrap/plan.ts';

/**
 * What cannot be asked where nothing of a process can be read, and is asked in another way: by
 * `calls.no-new-rights`, `calls.filtered` and `calls.device`. There are no namespaces, and the size of the
 * temporary folder is measured only; both stand among the weaknesses of every result.
 */
const ELSEWHERE = new Set([
  'rights.capabilities',
  'rights.new',
  'rights.filter',
  'rights.namespaces',
  'limits.scratch',
]);
/** What is not its own is not there to be read at all. */
const UNREADABLE: Readonly<Record<string, string>> = {
  'files.users': 'read -r x < /etc/passwd',
  'network.interfaces': 'read -r x < /proc/net/dev',
};

const LIST: ProbeList = {
  inside: (site) => adapt(WHOLE_LIST.inside(site)),
  // Without any socket there is nothing to connect.
  calls: (port) =>
    WHOLE_LIST.calls(port).map((call) =>
      call.id === 'network.loopback' ? { ...call, answers: ['EBADF'] } : call,
    ),
  limits: (site) => adapt(WHOLE_LIST.limits(site)),
  // As root a command runs as the owner of its workspace, who must not be root.
  ...(process.geteuid?.() === 0 && { owner: { uid: INSIDE_ID, gid: INSIDE_ID } }),
};

function adapt(probes: readonly Probe[]): readonly Probe[] {
  return probes
    .filter(({ id }) => !ELSEWHERE.has(id))
    .map((probe) => {
      const line = UNREADABLE[probe.id];
      return line === undefined ? probe : refused({ id: probe.id, says: probe.says, line });
    });
}

/** Contract: proven only if every attack was tried, and was answered as it must be. */
export function attackLandlock(maker: Maker, place: TrialPlace): Promise<StepVerdict> {
  return probeSandbox(maker, LIST, place);
}
