import { SEARCH_PATH } from '../tier-c-bubblewrap/executable.ts';

export interface Environment {
  readonly passed: Readonly<Record<string, string>>;
  /** Names that were asked for and not given, in order. */
  readonly dropped: readonly string[];
}

/** What says how output should look, and nothing else. */
const PASSED: readonly string[] =
  'LANG LANGUAGE TZ TERM COLUMNS LINES NO_COLOR FORCE_COLOR CLICOLOR CI SOURCE_DATE_EPOCH POSIXLY_CORRECT BLOCKSIZE TABSIZE TIME_STYLE'.split(
    ' ',
  );
const PASSED_FAMILY = /^LC_[A-Z]+$/;

/** These load code, choose programs or send traffic elsewhere: no list of anybody's lets them through. */
const NEVER = [
  /^(?:LD|DYLD|LIBRARY|GLIBC|MALLOC|GCONV|LOCPATH|NLSPATH|HOSTALIASES|RES_OPTIONS)/,
  /^(?:NODE|NPM|YARN|BUN|DENO|PYTHON|VIRTUAL_ENV|CONDA|PERL|RUBY|GEM|BUNDLE|PHP|LUA|TCL|JAVA|JDK|_JAVA|CLASSPATH|MAVEN|GRADLE|CARGO|RUST|GO[A-Z]|DOTNET|R_|JULIA|ERL|GHC)/,
  /^(?:BASH|ENV$|IFS$|PS\d|PROMPT|SHELL|CDPATH|FPATH|ZDOTDIR|KSH|FCEDIT|GLOBIGNORE|PATH|HOME$|TMPDIR$|TMP$|TEMP$|XDG_)/,
  /^(?:GIT|SSH|GPG|GNUPG|SUDO|SVN|HG|EDITOR|VISUAL|PAGER|LESS|MORE|MAN|BROWSER|MAKE|CC$|CXX$|CFLAGS|TAR_|RSYNC|CURL|WGET)/,
  /^(?:AWS|AZURE|GOOGLE|GCP|GCLOUD|CLOUDSDK|KUBE|DOCKER|OPENAI|ANTHROPIC|PALYRA|DBUS|DISPLAY|WAYLAND|XAUTHORITY)/,
  /(?:^|_)(?:PROXY|TOKEN|SECRET|PASSWORD|KEY|CREDENTIALS?|PRELOAD)$/,
  /^(?:OPENSSL|SSL)_/,
] as const;

/**
 * What a command gets to see. Contract: `extra` are names that the operator lets through besides; what
 * could load code is dropped all the same.
 */
export function filterEnvironment(
  asked: Readonly<Record<string, string>>,
  extra: readonly string[],
): Environment {
  const isPassed = (name: string) =>
    (PASSED.includes(name) || PASSED_FAMILY.test(name) || extra.includes(name)) &&
    !NEVER.some((pattern) => pattern.test(name.toUpperCase()));
  const entries = Object.entries(asked).toSorted(([one], [other]) => (one < other ? -1 : 1));
  return {
    passed: { ...DEFAULTS, ...Object.fromEntries(entries.filter(([name]) => isPassed(name))) },
    dropped: entries.map(([name]) => name).filter((name) => !isPassed(name)),
  };
}

/** No home: what lies there configures programs, and the one of the user is none of theirs. */
const DEFAULTS: Readonly<Record<string, string>> = {
  HOME: '/nonexistent',
  LANG: 'C.UTF-8',
  PATH: SEARCH_PATH.join(':'),
  TERM: 'dumb',
  TMPDIR: '/tmp',
};
