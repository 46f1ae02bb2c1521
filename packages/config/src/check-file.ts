import { readFileLayer } from './layers.ts';
import type { AllSections, ConfigRequest, ConfigSources } from './load-config.ts';
import type { FileKind, FileOrigin } from './origin.ts';
import { type ConfigProblem, refuseAny } from './problem.ts';
import { readSafeFile, unreadable } from './safe-file.ts';
import { type Sections, declareKeys } from './sections.ts';

/**
 * Judges one file by itself: its keys, their types and bounds. What other layers say is not looked
 * at, so it may still contradict them, or widen them where it is a workspace's.
 * Contract: the path is absolute; throws a ConfigError with every problem of the file.
 */
export function checkFile<S extends AllSections>(
  { sections, sources }: ConfigRequest<S>,
  file: string,
): void {
  refuseAny(problemsOf(sections, { kind: kindOf(file, sources), file }));
}

function problemsOf(sections: Sections, origin: FileOrigin): readonly ConfigProblem[] {
  const reading = readSafeFile(origin);
  switch (reading.kind) {
    case 'missing':
      return [unreadable(origin, 'there is no such file')];
    case 'refused':
      return [reading.problem];
    case 'read':
      return readFileLayer(declareKeys(sections), reading.bytes, origin).problems;
  }
}

/**
 * As what it would be loaded from there. Any other file is one that a workspace may have: whoever
 * owns and reads it does no harm.
 */
function kindOf(file: string, { places, environment, systemFile }: ConfigSources): FileKind {
  if (file === places.configFile) return 'user';
  if (file === systemFile) return 'system';
  return file === environment['PALYRA_CONFIG'] ? 'named' : 'workspace';
}
