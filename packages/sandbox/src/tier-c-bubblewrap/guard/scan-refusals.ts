import { PalyraError, quote } from '@palyra/kernel';

/** Why a workspace cannot be guarded, and what its owner does about it. */

export function isRepositoryItself(): PalyraError {
  return new PalyraError('SANDBOX_SCOPE_DENIED', "the workspace is a repository's own folder", {
    help: 'name the folder of its working tree, or one above',
  });
}

export function tooLarge(why: string): PalyraError {
  return new PalyraError('SANDBOX_SCOPE_DENIED', `the workspace ${why}`, {
    help: 'choose a smaller folder; every name is looked at before a command may start',
  });
}

export function linked(path: string): PalyraError {
  return new PalyraError(
    'SANDBOX_SCOPE_DENIED',
    `${quote(path)} is a link, and a link cannot be guarded`,
    { help: 'replace the link by what it leads to, or choose another folder' },
  );
}

export function noText(path: string, what: 'file' | 'folder'): PalyraError {
  return new PalyraError(
    'SANDBOX_SCOPE_DENIED',
    `the workspace holds a ${what} whose name is no text: ${quote(path)}`,
    { help: 'rename it in UTF-8, remove it, or choose another folder' },
  );
}

export function notWritable(folder: string): PalyraError {
  const what = folder === '.' ? 'the workspace' : `the folder ${quote(folder)} of the workspace`;
  return new PalyraError('SANDBOX_SCOPE_DENIED', `${what} is yours and write-protected`, {
    help: 'allow it with `chmod u+w`: names in it are guarded by masks, which need a place',
  });
}

export function changesTooFast(): PalyraError {
  return new PalyraError(
    'SANDBOX_SCOPE_DENIED',
    'the workspace changes faster than it can be read',
    { help: 'wait until whatever renames its folders has ended' },
  );
}
