import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';
import type { Environment } from '@palyra/kernel';
import type { MissingPartFact } from '@palyra/transport';

const NOT_YET = 'not built yet';

const NOT_BUILT: readonly MissingPartFact[] = [
  {
    name: 'tools',
    reason: `${NOT_YET}: \`memory.*\`, \`browser.*\`; their calls are decided and not executed`,
    help: '',
  },
];

/** What this build or this machine lacks. Looked up once; a start notices what was installed since. */
export function missingParts(
  environment: Environment,
  uid = process.getuid?.(),
): readonly MissingPartFact[] {
  if (process.platform !== 'linux' || isInstalled('bwrap', environment['PATH'] ?? '')) {
    return NOT_BUILT;
  }
  return [
    ...NOT_BUILT,
    {
      name: 'bubblewrap',
      reason: 'not installed on this machine; the strongest sandbox needs it',
      help: `install it with \`${uid === 0 ? '' : 'sudo '}apt-get install bubblewrap\``,
    },
  ];
}

function isInstalled(program: string, searchPath: string): boolean {
  return searchPath
    .split(delimiter)
    .filter((directory) => directory !== '')
    .some((directory) => isExecutable(join(directory, program)));
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    // Whatever the reason, it cannot be used from there.
    return false;
  }
}
