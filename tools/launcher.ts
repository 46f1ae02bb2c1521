import { recordedStart } from './recorded-start.ts';

/** The major version that package.json pins; every other one is refused. */
export const NODE_MAJOR = 26;
/** sysexits.h calls this a wrong configuration. */
const EXIT_WRONG_RUNTIME = 78;

/** `recorded`: a start without a command finds its functions compiled, see recorded-start.ts. */
export type Start = 'plain' | 'recorded';

/**
 * The file that people start. It is its own file, in the JavaScript of 2009, because an old Node
 * would stop at the syntax of the program itself before any check in it could speak.
 */
export function launcherText(name: string, start: Start = 'plain'): string {
  return `#!/usr/bin/env node
'use strict';
var version = process.versions.node;
if (version.split('.')[0] !== '${NODE_MAJOR}') {
  process.stderr.write(
    '${name}: this is Node ' + version + ' and Palyra is made for Node ${NODE_MAJOR}; start it with \`./palyra\`, which brings the right one\\n'
  );
  process.exit(${EXIT_WRONG_RUNTIME});
}
${start === 'plain' ? plainStart(name) : recordedStart(name)}`;
}

function plainStart(name: string): string {
  return `require('node:module').enableCompileCache(__dirname + '/cache');
require('./program/${name}.cjs');
`;
}
