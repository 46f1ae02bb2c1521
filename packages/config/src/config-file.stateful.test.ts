import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { expect, it } from 'vitest';
import { prepareHome } from './home.ts';
import { SampleHome } from './sample.fixture.ts';

const ROUNDS = 10;

/** Sets one key again and again, and ends with a fault as soon as what it set is gone. */
const SETTER = `
  import { readFileSync } from 'node:fs';
  import { changeFile } from ${JSON.stringify(join(import.meta.dirname, 'config-file.ts'))};
  import { setValue } from ${JSON.stringify(join(import.meta.dirname, 'edit.ts'))};
  import { SECTIONS } from ${JSON.stringify(join(import.meta.dirname, 'sample.fixture.ts'))};
  const [file, key, ...values] = process.argv.slice(1);
  for (let round = 0; round < ${ROUNDS}; round += 1) {
    const value = values[round % values.length];
    changeFile(file, (text) => setValue(SECTIONS, text, { key, value }));
    const line = readFileSync(file, 'utf8').split('\\n').find((text) => text.startsWith(key.split('.')[1]));
    if (line === undefined || !line.includes(value)) throw new Error('lost: ' + key + ' ' + value + ' ' + line);
  }
`;

it('settings that are changed at the same time are all kept', async () => {
  using home = new SampleHome();
  prepareHome(home.places);
  const settings = [
    ['journal.segment_bytes', '5000', '6000'],
    ['journal.keep_days', '7', '8'],
    ['transport.listen', 'here', 'there'],
    ['transport.tls', 'true', 'false'],
    ['transport.password', 'long enough', 'long as well'],
    ['transport.origins', '["a"]', '["b"]'],
    ['transport.egress', 'closed', 'open'],
    ['transport.ratio', '0.25', '0.75'],
  ];
  const ends = settings.map(async (words) => {
    const script = ['--input-type=module', '-e', SETTER, home.places.configFile, ...words];
    const child = spawn(process.execPath, script, { stdio: ['ignore', 'ignore', 'pipe'] });
    const [complaint] = await Promise.all([text(child.stderr), once(child, 'exit')]);
    return { exit: child.exitCode, complaint };
  });
  expect(await Promise.all(ends)).toEqual(settings.map(() => ({ exit: 0, complaint: '' })));
  expect(home.load().config).toMatchObject({
    journal: { segment_bytes: 6000, keep_days: 8 },
    transport: { listen: 'there', tls: false, origins: ['b'], egress: 'open', ratio: 0.75 },
  });
});
