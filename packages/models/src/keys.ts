import { realpathSync } from 'node:fs';
import { dirname, relative, resolve, sep } from 'node:path';
import { type Environment, PalyraError, quote } from '@palyra/kernel';
import { readPrivateFile, systemCode } from '@palyra/private-files';

/** Where a key comes from. It is never a setting itself, so it cannot be shown with the others. */
export type KeySource =
  | { readonly kind: 'none' }
  | { readonly kind: 'environment'; readonly name: string }
  | { readonly kind: 'file'; readonly path: string };

export interface KeyPlaces {
  readonly environment: Environment;
  /** Folders that an agent works in. A key there could be read, or planted, by what it runs. */
  readonly workspaces: readonly string[];
  /** Folders of the gateway itself, which no agent touches, also where a workspace holds them. */
  readonly own: readonly string[];
}

export const MAX_KEY_LENGTH = 4096;

/**
 * Contract: empty when there is to be none. Throws CONFIG_INVALID for a key that is missing or no
 * key, HOME_UNSAFE for a file that others may use; what it throws never holds any of it.
 */
export function readKey(source: KeySource, places: KeyPlaces): string {
  switch (source.kind) {
    case 'none':
      return '';
    case 'environment':
      return checkKey(fromEnvironment(source.name, places), `the variable ${quote(source.name)}`);
    case 'file':
      return checkKey(fromFile(source.path, places), quote(source.path));
  }
}

/**
 * Whether there is a key at the moment. Contract: a variable that is not set is an answer, since it
 * need only be set where the daemon is started; a file throws as for `readKey`.
 */
export function hasKey(source: KeySource, places: KeyPlaces): boolean {
  const isUnset = source.kind === 'environment' && (places.environment[source.name] ?? '') === '';
  return !isUnset && readKey(source, places) !== '';
}

function fromEnvironment(name: string, { environment }: KeyPlaces): string {
  const key = environment[name];
  if (key !== undefined && key !== '') return key;
  throw new PalyraError(
    'CONFIG_INVALID',
    `the variable ${quote(name)} holds no key for the model`,
    {
      help: `set it where the daemon is started, or name a file in \`models.key_file\``,
    },
  );
}

function fromFile(path: string, { workspaces, own }: KeyPlaces): string {
  const text = readOrThrow(path);
  // Checked by its real folder, and after opening: a link must not hide where it lies.
  const folder = realpathSync(dirname(path));
  const lies = (place: string) => isWithin(folder, place);
  if (workspaces.some(lies) && !own.some(lies)) {
    throw new PalyraError('HOME_UNSAFE', `${quote(path)} lies in a workspace`, {
      help: 'keep keys where no agent works, for example beside your own palyra.toml',
    });
  }
  return text;
}

function readOrThrow(path: string): string {
  const text = read(path);
  if (text !== undefined) return text;
  throw new PalyraError('CONFIG_INVALID', `the key file ${quote(path)} does not exist`, {
    help: 'correct `models.key_file`, or make the file with mode 600',
  });
}

function read(path: string): string | undefined {
  try {
    // Another name of the same file may lie in a workspace, and nobody can tell where it lies.
    return readPrivateFile(path, MAX_KEY_LENGTH, 'one');
  } catch (error) {
    if (error instanceof PalyraError) throw error;
    const code = systemCode(error) ?? 'unknown';
    throw new PalyraError(
      'CONFIG_INVALID',
      `the key file ${quote(path)} cannot be read (\`${code}\`)`,
    );
  }
}

function isWithin(folder: string, workspace: string): boolean {
  const path = relative(realpathOf(workspace), folder);
  return path === '' || (path !== '..' && !path.startsWith(`..${sep}`) && path !== resolve(path));
}

/** A workspace that is not there yet cannot hold the file, but a folder of its name may. */
function realpathOf(folder: string): string {
  try {
    return realpathSync(folder);
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return resolve(folder);
    throw error;
  }
}

/** A header cannot carry anything else, and the platform's own complaint would come much later. */
export function checkKey(text: string, from: string): string {
  const key = text.trim();
  if (key.length <= MAX_KEY_LENGTH && /^[!-~]+$/.test(key)) return key;
  throw new PalyraError('CONFIG_INVALID', `what ${from} holds is not a key`, {
    help: 'a key is one line of printable characters',
  });
}
