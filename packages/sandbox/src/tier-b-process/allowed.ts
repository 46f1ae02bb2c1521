import type { ExecutableRules } from '../executables/judge.ts';

/**
 * Programs that read files by their names and write nothing but their output. Left out on purpose: what
 * writes a file that it is told (`tee`, `cp`, `uniq`, `shuf`), since tier B guards no name in the workspace
 * from being written; what takes words from a file (`strings`, `du`), since nobody checks those.
 */
const PLAIN =
  'basename cat cksum cmp column comm cut date df diff dirname echo expand false fmt fold grep head hexdump id join ls md5sum nl nproc numfmt od paste pr printf pwd readlink realpath seq sha1sum sha224sum sha256sum sha384sum sha512sum sleep stat sum tac tail tr true tsort uname unexpand wc whoami yes';

/** The safe list; what else may run is for the operator to say. */
export const DEFAULT_RULES: ExecutableRules = { allowed: PLAIN.split(' '), trusted: [] };
