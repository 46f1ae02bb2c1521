import { lstat } from 'node:fs/promises';
import type { Places } from '@palyra/kernel';
import type { Check, Outlook } from './check.ts';

/** Bits that let anybody but the owner in. */
const OTHERS = 0o077;
const ABSENT: ReadonlySet<string> = new Set(['ENOENT', 'ENOTDIR']);

/** Everything that Palyra keeps is for its owner alone. */
export function folderChecks(places: Places): readonly Check[] {
  return [
    folder('config directory', "settings and rules are its owner's alone", places.configDir),
    folder('state directory', "the journal is its owner's alone", places.stateDir),
    folder('key directory', "the gateway's keys are its owner's alone", places.keysDir),
    folder('door directory', "only its owner's programs come in without pairing", places.doorDir),
    folder(
      'device directory',
      "what this machine is to gateways is its owner's alone",
      places.gatewaysDir,
    ),
  ];
}

function folder(check: string, about: string, path: string): Check {
  return { check, about, look: () => lookAt(path) };
}

async function lookAt(path: string): Promise<Outlook> {
  const stat = await lstat(path).catch(codeOf);
  if (typeof stat === 'string' && !ABSENT.has(stat)) {
    const fix = 'start this as the user to whom it belongs, or unset `PALYRA_HOME`';
    return { result: 'failed', detail: `${path} cannot be looked at: ${stat}`, fix };
  }
  if (typeof stat === 'string') {
    return { result: 'ok', detail: `${path} will be made at the first start` };
  }
  if (!stat.isDirectory()) {
    return { result: 'failed', detail: `${path} is no directory`, fix: `move ${path} away` };
  }
  const uid = process.getuid?.();
  if (uid !== undefined && stat.uid !== uid) {
    const fix = `chown it to yourself, or set \`PALYRA_HOME\` to a directory of yours`;
    return { result: 'failed', detail: `${path} belongs to another user`, fix };
  }
  if ((stat.mode & OTHERS) !== 0) {
    return {
      result: 'failed',
      detail: `${path} is open to other users`,
      fix: `chmod 700 ${path}`,
    };
  }
  return { result: 'ok', detail: `${path}, only yours` };
}

function codeOf(reason: unknown): string {
  const code = reason instanceof Error && 'code' in reason ? reason.code : undefined;
  if (typeof code === 'string') return code;
  throw reason;
}
