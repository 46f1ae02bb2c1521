import { create } from '@bufbuild/protobuf';
import type { DoctorDesk } from '@palyra/gateway';
import { CheckResult, DoctorFindingSchema } from '@palyra/protocol';
import { faultOf } from '@palyra/transport';
import type { Verdicts } from '../sandbox-port/verdicts.ts';
import { standingsOf } from '../sandbox-process.ts';
import type { Surroundings } from '../sections.ts';
import { type Check, type Finding, examine } from './check.ts';
import { type DaemonOrgans, daemonChecks } from './daemon.ts';
import { machineChecks } from './machine-checks.ts';
import { SANDBOX_CHECK, sandboxOutlook } from './sandbox.ts';

export interface DoctorParts extends DaemonOrgans, Pick<Surroundings, 'places' | 'environment'> {
  readonly verdicts: Pick<Verdicts, 'known'>;
}

/** The doctor of a daemon that runs. */
export function createDoctorDesk(parts: DoctorParts): DoctorDesk {
  const writingFault = () => faultOf(parts.readiness);
  const machine = machineChecks({ ...parts, writingFault });
  const checks = [...machine, ...daemonChecks(parts), provenSandbox(parts)];
  return { examine: async () => (await examine(checks)).map(message) };
}

/** What is known already: nothing is tried for whoever only looks. */
function provenSandbox({ verdicts }: DoctorParts): Check {
  return {
    ...SANDBOX_CHECK,
    look: () => {
      const { verdict, fault } = verdicts.known();
      if (verdict === undefined && fault !== undefined) throw fault;
      return sandboxOutlook(standingsOf(process.platform, verdict), verdict?.provenAt);
    },
  };
}

const RESULTS: Readonly<Record<Finding['result'], CheckResult>> = {
  ok: CheckResult.OK,
  warning: CheckResult.WARNING,
  failed: CheckResult.FAILED,
};

function message({ result, ...finding }: Finding) {
  return create(DoctorFindingSchema, { ...finding, result: RESULTS[result] });
}
