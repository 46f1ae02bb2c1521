import type { Surroundings } from '../sections.ts';
import { cageChecks } from './cages.ts';
import type { Check } from './check.ts';
import { folderChecks } from './folders.ts';
import { type WritingFault, diskCheck, journalFolderCheck, runtimeCheck } from './machine.ts';

export interface Machine extends Pick<Surroundings, 'places' | 'environment'> {
  /** Absent where no daemon runs. */
  readonly writingFault?: WritingFault;
}

/** What can be looked at whether or not a daemon runs, in the order in which one would mend things. */
export function machineChecks(machine: Machine): readonly Check[] {
  const { places, environment, writingFault = () => undefined } = machine;
  return [
    runtimeCheck(),
    ...folderChecks(places),
    diskCheck(places),
    journalFolderCheck(places, writingFault),
    ...cageChecks(environment),
  ];
}
