import { join } from 'node:path';
import { PalyraError } from '@palyra/kernel';
import { readPrivateFile } from '@palyra/private-files';
import { parseObject, textsOf } from './device-identity.ts';
import { guarded } from './file-fault.ts';

/** What the daemon leaves for programs of its own user on its own machine. */
export interface Door {
  readonly address: string;
  /** Origin of the console: `http://localhost:7142`. */
  readonly console: string;
  /** DER, base64; the active one first. */
  readonly authorities: readonly string[];
}

const FORMAT = 'palyra.door.v1';
const LIMIT_BYTES = 64 * 1024;
const SECRET_LIMIT_BYTES = 256;

/** Contract: `undefined` when no daemon has ever run here. */
export async function readDoor(doorDir: string): Promise<Door | undefined> {
  const path = join(doorDir, 'gateway.json');
  const text = guarded(path, () => readPrivateFile(path, LIMIT_BYTES));
  if (text === undefined) return undefined;
  const fields = parseObject(text);
  const { address, console } = fields ?? {};
  const authorities = textsOf(fields?.['authorities']);
  const isDoor = fields?.['format'] === FORMAT && authorities !== undefined;
  if (isDoor && typeof address === 'string' && typeof console === 'string') {
    return { address, console, authorities };
  }
  throw new PalyraError('HOME_UNSAFE', `\`${path}\` was not written by a daemon`, {
    help: 'move it away and start the daemon again with `palyra up`',
  });
}

/** Contract: `undefined` when the daemon has put none there. */
export async function readDoorSecret(doorDir: string): Promise<string | undefined> {
  const path = join(doorDir, 'secret');
  const text = guarded(path, () => readPrivateFile(path, SECRET_LIMIT_BYTES));
  return text?.trim();
}
