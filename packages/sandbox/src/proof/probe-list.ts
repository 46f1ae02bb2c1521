import type { Account } from '../tier-c-bubblewrap/mapped-workspace.ts';
import type { Probe } from './probe.ts';
import { type CallProbe, callProbes } from './probes-calls.ts';
import { insideProbes } from './probes-inside.ts';
import { limitProbes } from './probes-limits.ts';
import type { Site } from './site.ts';

/** Everything that is tried against one step. */
export interface ProbeList {
  inside(site: Site): readonly Probe[];
  calls(port: number): readonly CallProbe[];
  limits(site: Site): readonly Probe[];
  /** Whose the workspace is; absent for ours. */
  readonly owner?: Account;
}

/** What a step with namespaces has to hold: all of it. */
export const WHOLE_LIST: ProbeList = {
  inside: insideProbes,
  calls: callProbes,
  limits: limitProbes,
};
