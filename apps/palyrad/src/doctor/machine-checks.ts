import type { Surroundings } from '../sections.ts';
import { cageChecks } from './cages.ts';
import type { Check } from './check.ts';
import { folderChecks } from './folders.ts';
import { diskCheck, journalFolderCheck, runtimeCheck } from './machine.ts';

/** What can be looked at whether or not a daemon runs, in the order in which one would mend things. */
export function machineChecks({
  places,
  environment,
}: Pick<Surroundings, 'places' | 'environment'>): readonly Check[] {
  return [
    runtimeCheck(),
    ...folderChecks(places),
    diskCheck(places),
    journalFolderCheck(places),
    ...cageChecks(environment),
  ];
}
