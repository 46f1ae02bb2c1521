import { createPublicKey, generateKeyPairSync } from 'node:crypto';
import { registerHooks } from 'node:module';
import { parseArgs } from 'node:util';
import { isJsonObject, type Log, placesFor, systemClock } from '@palyra/kernel';
import { identitySection } from '../identity-section.ts';
import type { RecordsPort } from '@palyra/records';
import { openKeyring } from './key-at-rest.ts';

/**
 * A program of its own. `start` starts with the records that it is given and tells which modules
 * that make certificates were asked for; `key` makes or finds a key and tells its public half.
 */
async function run(): Promise<void> {
  const { values } = parseArgs({
    options: {
      home: { type: 'string', default: '' },
      act: { type: 'string', default: '' },
      record: { type: 'string', default: '{}' },
    },
  });
  const places = placesFor({ PALYRA_HOME: values.home });
  if (places === undefined) throw new Error('no home');
  process.stdout.write(values.act === 'key' ? makeKey(places) : await modulesOf(places, values));
}

type Places = NonNullable<ReturnType<typeof placesFor>>;

async function modulesOf(places: Places, asked: { act: string; record: string }): Promise<string> {
  const seen: string[] = [];
  registerHooks({
    resolve: (specifier, context, next) => {
      if (/peculiar|reflect-metadata/.test(specifier)) seen.push(specifier);
      return next(specifier, context);
    },
  });
  const { createAuthorities } = await import('./authorities.ts');
  const authorities = await createAuthorities({
    records: recordsWith(asked.record),
    places,
    clock: systemClock(),
    settings: identitySection.parse({}),
    log: silent,
  });
  await authorities.list();
  await authorities.accepted();
  const [credential] = await authorities.serverCredentials();
  if (asked.act === 'start and read') await authorities.readRequest(REQUEST_LIKE).catch(String);
  return JSON.stringify({ serverName: credential?.serverName, seen });
}

const nothing = () => undefined;
// The testkit would bring modules along that make certificates.
const silent: Log = {
  debug: nothing,
  info: nothing,
  warn: nothing,
  error: nothing,
  with: () => silent,
};

const REQUEST_LIKE = Uint8Array.from([0x30, 0x00]);

function recordsWith(text: string): RecordsPort {
  const body: unknown = JSON.parse(text);
  if (!isJsonObject(body)) throw new Error('no record');
  const record = { id: '000001', version: 1, body };
  const refuse = () => Promise.reject(new Error('a later start writes nothing'));
  return {
    get: async () => record,
    list: async (_table, query) => ('after' in query ? [] : [record]),
    count: async () => 1,
    revision: () => 1,
    transact: refuse,
  };
}

function makeKey(places: Places): string {
  const keyring = openKeyring(places, 'make');
  keyring.add('shared.key', generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey);
  const stored = keyring.read('shared.key');
  if (stored === undefined) throw new Error('no key');
  return createPublicKey(stored.key).export({ type: 'spki', format: 'pem' });
}

await run();
