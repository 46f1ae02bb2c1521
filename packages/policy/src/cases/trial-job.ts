import { decide } from '../engine/decide.ts';
import { createEngine } from '../engine/engine.ts';
import type { PolicyFile, PolicyRequest, Problem } from '../model.ts';
import type { CompileOptions } from '../sets/assemble.ts';
import { compile } from '../sets/compile.ts';
import type { PolicyJob } from '../worker/policy-job.ts';
import type { CaseDecision } from './run-cases.ts';

export interface TrialTask {
  /** Of all layers, built-in ones included. */
  readonly files: readonly PolicyFile[];
  readonly options: CompileOptions;
  readonly requests: readonly PolicyRequest[];
}

export type TrialAnswer =
  /** One a request, in their order. */
  | { readonly kind: 'decided'; readonly decisions: readonly CaseDecision[] }
  | { readonly kind: 'refused'; readonly problems: readonly Problem[] };

/** Decides many requests under rules that nobody has put in force. */
export const trialJob: PolicyJob<undefined, TrialTask, TrialAnswer> = {
  open: () => ({
    take: async ({ files, options, requests }) => {
      const compiled = compile(files, options);
      if (compiled.kind === 'refused') return compiled;
      const loaded = await createEngine().load(compiled.set, 'candidate');
      const decisions = requests.map((request) => {
        const { kind, errors, fault, rules, gates } = decide(loaded, request);
        return { kind, errors, fault, rules: rules.map(idOf), gates: gates.map(idOf) };
      });
      return { kind: 'decided', decisions };
    },
  }),
};

function idOf({ id }: { readonly id: string }) {
  return { id };
}
