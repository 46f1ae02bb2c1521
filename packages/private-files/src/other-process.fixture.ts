import { renameSync, symlinkSync, writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import {
  addPrivateFile,
  makePrivateDirectory,
  readPrivateFile,
  removePrivateFile,
  replacePrivateFile,
  writeDurably,
} from './index.ts';

/** A program of its own that does one thing to one file, some of them until it is ended. */
async function run(): Promise<void> {
  const { values } = parseArgs({
    options: {
      act: { type: 'string', default: '' },
      path: { type: 'string', default: '' },
      text: { type: 'string', default: '' },
    },
  });
  const { path, text } = values;
  const acts: Record<string, () => void | Promise<void>> = {
    add: () => {
      addPrivateFile(path, text);
      process.stdout.write(readPrivateFile(path, 64) ?? 'none');
    },
    replace: () => replacePrivateFile(path, text),
    stream: () => writeDurably(path, [Buffer.from(text)]),
    remove: () => removePrivateFile(path),
    // An operator whose umask takes nothing away must not make our files readable by others.
    openhanded: () => {
      process.umask(0);
      makePrivateDirectory(path);
      replacePrivateFile(`${path}/replaced`, text);
      addPrivateFile(`${path}/added`, text);
    },
    'replace for ever': () => {
      for (let turn = 0; ; turn += 1) replacePrivateFile(path, `${turn % 10}`.repeat(4096));
    },
    'exchange for ever': () => exchangeForEver(path, text),
  };
  await acts[values.act]?.();
}

/** Now a file of ours, now a link to the file that `text` names. */
function exchangeForEver(path: string, text: string): never {
  for (;;) {
    symlinkSync(text, `${path}.link`);
    renameSync(`${path}.link`, path);
    writeFileSync(`${path}.plain`, 'ours', { mode: 0o600 });
    renameSync(`${path}.plain`, path);
  }
}

await run();
