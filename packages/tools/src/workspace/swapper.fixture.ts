import { renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';

/**
 * Started as a process of its own: puts links to the outside in the place of a folder and of a file,
 * and takes them away again, as fast as it can, until it is ended.
 */
const [workspace = '', outside = ''] = process.argv.slice(2);

process.stdout.write('ready\n');
for (;;) {
  renameSync(`${workspace}/dir`, `${workspace}/aside`);
  symlinkSync(outside, `${workspace}/dir`);
  rmSync(`${workspace}/dir`);
  renameSync(`${workspace}/aside`, `${workspace}/dir`);
  symlinkSync(`${outside}/file`, `${workspace}/link`);
  renameSync(`${workspace}/link`, `${workspace}/file`);
  writeFileSync(`${workspace}/fresh`, 'inside\n');
  renameSync(`${workspace}/fresh`, `${workspace}/file`);
}
