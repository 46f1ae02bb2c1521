import { lstat } from 'node:fs/promises';
import type { Check, Finding, Patient } from './check.ts';

/** Bits that let anybody but the owner in. */
const OTHERS = 0o077;

export const checkConfigDir: Check = ({ places }) => lookAt('config directory', places.configDir);
export const checkStateDir: Check = ({ places }) => lookAt('state directory', places.stateDir);
export const checkKeysDir: Check = ({ places }: Patient) => lookAt('key directory', places.keysDir);
export const checkDoorDir: Check = ({ places }) => lookAt('door directory', places.doorDir);
export const checkGatewaysDir: Check = ({ places }) =>
  lookAt('device directory', places.gatewaysDir);

async function lookAt(check: string, path: string): Promise<Finding> {
  const stat = await lstat(path).catch(codeOf);
  if (typeof stat === 'string' && !ABSENT.has(stat)) {
    const fix = 'start this as the user to whom it belongs, or unset `PALYRA_HOME`';
    return { check, result: 'failed', detail: `${path} cannot be looked at: ${stat}`, fix };
  }
  if (typeof stat === 'string') {
    return { check, result: 'ok', detail: `${path} will be made at the first start` };
  }
  if (!stat.isDirectory()) {
    return { check, result: 'failed', detail: `${path} is no directory`, fix: `move ${path} away` };
  }
  const uid = process.getuid?.();
  if (uid !== undefined && stat.uid !== uid) {
    const fix = `chown it to yourself, or set \`PALYRA_HOME\` to a directory of yours`;
    return { check, result: 'failed', detail: `${path} belongs to another user`, fix };
  }
  if ((stat.mode & OTHERS) !== 0) {
    const detail = `${path} is open to other users`;
    return { check, result: 'failed', detail, fix: `chmod 700 ${path}` };
  }
  return { check, result: 'ok', detail: `${path}, only yours` };
}

const ABSENT: ReadonlySet<string> = new Set(['ENOENT', 'ENOTDIR']);

function codeOf(reason: unknown): string {
  const code = reason instanceof Error && 'code' in reason ? reason.code : undefined;
  if (typeof code === 'string') return code;
  throw reason;
}
