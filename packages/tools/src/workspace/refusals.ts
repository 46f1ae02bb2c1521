import { PalyraError, quote } from '@palyra/kernel';

/** What a file tool says when it does not do something. Paths are from the workspace: none of the machine leaves. */

export function outside(path: string, why: string, cause?: unknown): PalyraError {
  return new PalyraError('SANDBOX_SCOPE_DENIED', `${quote(path)} ${why}`, { cause });
}

export function failed(path: string, why: string, help: string): PalyraError {
  return new PalyraError('TOOL_FAILED', `${quote(path)} ${why}`, { help });
}

export function absent(path: string, cause?: unknown): PalyraError {
  const help = 'see what there is with `fs.list`';
  return new PalyraError('NOT_FOUND', `there is no ${quote(path)}`, { cause, help });
}

export function changed(path: string): PalyraError {
  return new PalyraError('CONFLICT', `${quote(path)} was changed by somebody else meanwhile`);
}

export function appeared(path: string, cause: unknown): PalyraError {
  return new PalyraError('CONFLICT', `${quote(path)} is there already since a moment`, { cause });
}

/** Contract: never throws; what is a PalyraError already is given back. */
export function explain(reason: unknown, path: string): PalyraError {
  if (reason instanceof PalyraError) return reason;
  const code = systemCode(reason);
  if (code === 'ENOENT') return absent(path, reason);
  const known = code === undefined ? undefined : SYSTEM[code];
  if (known === undefined) return PalyraError.from(reason);
  const [kind, why, help] = known;
  return new PalyraError(kind, `${quote(path)} ${why}`, { cause: reason, help });
}

const LINK_HELP = 'name the file itself, inside the workspace and through no link';
const RIGHTS_HELP = 'the owner of the workspace has to give the right to it';
const ROOM_HELP = 'free some space and try again; nothing was changed';

type Known = readonly ['SANDBOX_SCOPE_DENIED' | 'TOOL_FAILED', string, string];

const SYSTEM: Readonly<Record<string, Known>> = {
  ELOOP: ['SANDBOX_SCOPE_DENIED', 'is or leads through a symbolic link', LINK_HELP],
  ENOTDIR: ['SANDBOX_SCOPE_DENIED', 'leads through something that is no folder', LINK_HELP],
  EXDEV: ['SANDBOX_SCOPE_DENIED', 'lies on another file system than the workspace', LINK_HELP],
  EACCES: ['TOOL_FAILED', 'may not be used: permission denied', RIGHTS_HELP],
  EPERM: ['TOOL_FAILED', 'may not be used: permission denied', RIGHTS_HELP],
  EROFS: ['TOOL_FAILED', 'lies on a file system that cannot be written', RIGHTS_HELP],
  EEXIST: ['TOOL_FAILED', 'is there already', 'write it with mode `replace` if that is meant'],
  EISDIR: ['TOOL_FAILED', 'is a folder', 'name a file in it'],
  ENAMETOOLONG: ['TOOL_FAILED', 'has too long a name', 'shorten the name'],
  ENOSPC: ['TOOL_FAILED', 'does not fit: the disk is full', ROOM_HELP],
  EDQUOT: ['TOOL_FAILED', 'does not fit: the quota is used up', ROOM_HELP],
  EFBIG: ['TOOL_FAILED', 'is larger than a file may be', ROOM_HELP],
};

function systemCode(reason: unknown): string | undefined {
  if (!(reason instanceof Error) || !('code' in reason)) return undefined;
  return typeof reason.code === 'string' ? reason.code : undefined;
}
