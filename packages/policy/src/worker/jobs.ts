import { trialJob } from '../cases/trial-job.ts';
import { backtestJob, compareJob } from '../compare/jobs.ts';
import type { Compiled, PolicyFile } from '../model.ts';
import type { CompileOptions } from '../sets/assemble.ts';
import { compile } from '../sets/compile.ts';
import { type Formatted, formatPolicy } from '../sets/format-policy.ts';
import type { PolicyJob } from './policy-job.ts';

export interface CompileTask {
  readonly files: readonly PolicyFile[];
  readonly options: CompileOptions;
}

const compileJob: PolicyJob<undefined, CompileTask, Compiled> = {
  open: () => ({ take: ({ files, options }) => compile(files, options) }),
};

const formatJob: PolicyJob<undefined, PolicyFile, Formatted> = {
  open: () => ({ take: formatPolicy }),
};

/** Every kind of job. A new one is a new line here; its code must not import `run-job.ts`. */
export const POLICY_JOBS = {
  compile: compileJob,
  format: formatJob,
  compare: compareJob,
  backtest: backtestJob,
  trial: trialJob,
};

type PolicyJobs = typeof POLICY_JOBS;
export type JobKind = keyof PolicyJobs;
type Opened<Kind extends JobKind> = ReturnType<PolicyJobs[Kind]['open']>;
export type InitOf<Kind extends JobKind> = Parameters<PolicyJobs[Kind]['open']>[0];
export type BatchOf<Kind extends JobKind> = Parameters<Opened<Kind>['take']>[0];
export type ResultOf<Kind extends JobKind> = Awaited<ReturnType<Opened<Kind>['take']>>;
