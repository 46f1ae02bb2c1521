import { spawn } from 'node:child_process';
import { access, constants } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Environment, Places } from '@palyra/kernel';
import { writePrivately } from '../private-output.ts';

/**
 * Opens a link in the person's browser, as far as there is one. The browser is given a page of ours
 * that leads on, since every user of the machine can read the arguments of a program.
 * Contract: false where nothing could be opened.
 */
export async function openBrowser(
  link: string,
  places: Places,
  environment: Environment,
): Promise<boolean> {
  const program = await openerFor(environment);
  if (program === undefined) return false;
  const page = join(places.stateDir, 'console-link.html');
  await writePrivately(page, pageTo(link));
  const child = spawn(program, [pathToFileURL(page).href], {
    env: environment,
    stdio: 'ignore',
    detached: true,
  });
  return await new Promise((resolve) => {
    child.once('error', () => resolve(false));
    child.once('spawn', () => {
      child.unref();
      resolve(true);
    });
  });
}

/** Contract: the link was checked; it has no character that means something in HTML. */
export function pageTo(link: string): string {
  return [
    '<!doctype html>',
    '<meta charset="utf-8">',
    '<meta name="referrer" content="no-referrer">',
    `<meta http-equiv="refresh" content="0; url=${link}">`,
    '<title>Palyra</title>',
    '',
  ].join('\n');
}

async function openerFor(environment: Environment): Promise<string | undefined> {
  const isSet = (name: string) => (environment[name] ?? '') !== '';
  const isLinux = process.platform === 'linux';
  if (isLinux && !isSet('DISPLAY') && !isSet('WAYLAND_DISPLAY')) return undefined;
  const name = isLinux ? 'xdg-open' : 'open';
  for (const folder of (environment['PATH'] ?? '').split(delimiter)) {
    // A relative entry would mean whatever directory we are in.
    if (!folder.startsWith('/')) continue;
    const path = join(folder, name);
    const isThere = await access(path, constants.X_OK).then(
      () => true,
      () => false,
    );
    if (isThere) return path;
  }
  return undefined;
}
