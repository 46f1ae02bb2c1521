import { quote } from '@palyra/kernel';
import { type Reading, type Unreadable, read, unreadable } from './reading.ts';

export const MAX_VARIABLES = 64;

export type Variable = { readonly name: string; readonly value: string };

/** Each name once, sorted: the order of variables means nothing. */
export function readEnvironment(variables: readonly Variable[]): Reading<Variable[]> {
  const problem = variables.map((each) => problemOf(each)).find((each) => each !== undefined);
  if (problem !== undefined) return problem;
  const sorted = variables.toSorted((a, b) => (a.name < b.name ? -1 : 1));
  const twice = sorted.find(({ name }, place) => sorted[place + 1]?.name === name);
  if (twice === undefined) return read(sorted);
  return unreadable(`name ${quote(twice.name)} twice`, 'give each variable once');
}

const NAME = /^[A-Za-z_][A-Za-z0-9_]{0,127}$/;

function problemOf({ name, value }: Variable): Unreadable | undefined {
  if (!NAME.test(name)) {
    return unreadable(
      `hold ${quote(name)}, which is no name of a variable`,
      'letters, digits and underscores, no digit first',
    );
  }
  // Some programs read `http_proxy`, others `HTTP_PROXY`.
  if (DECIDES.some((family) => family.test(name.toUpperCase()))) {
    return unreadable(
      `must not set ${quote(name)}, which decides what is run or whom it trusts`,
      'say it in `command` or `args`, where the rules and the approver see it',
    );
  }
  if (value.isWellFormed() && !value.includes('\0')) return undefined;
  return unreadable(
    `give ${quote(name)} a value that no process can be given`,
    'whole characters, and no NUL',
  );
}

/**
 * What makes the program that was judged load or start something else, or talk to somebody else.
 * Rules see the names of all others.
 */
const DECIDES: readonly RegExp[] = [
  /^(?:LD|DYLD|GIT|SSH|MALLOC|NPM_CONFIG|PNPM|YARN|BUN|DENO|CARGO|RUST|GEM|BUNDLE|XDG|DBUS|PALYRA)_/,
  /^(?:PATH|HOME|SHELL|ENV|IFS|CDPATH|FPATH|ZDOTDIR|GLOBIGNORE|TMPDIR|TMP|TEMP|PWD|OLDPWD)$/,
  /^(?:BASH|SHELLOPTS|PROMPT_COMMAND|PS\d$|GLIBC_TUNABLES|GCONV_PATH|LOCPATH|NLSPATH|HOSTALIASES)/,
  /^(?:RES_OPTIONS|LOCALDOMAIN|RESOLV_)/,
  /^NODE_(?:OPTIONS|PATH|EXTRA_CA_CERTS|TLS_REJECT_UNAUTHORIZED|USE_ENV_PROXY|REPL_EXTERNAL_MODULE)$/,
  /^PYTHON(?!UNBUFFERED$|DONTWRITEBYTECODE$|HASHSEED$|UTF8$)/,
  /^(?:PERL5?|RUBY|JAVA_TOOL|_JAVA|JDK_JAVA|MAVEN|GRADLE|JVM|GO)_?(?:OPT|OPTS|OPTIONS|LIB|DB|FLAGS|PROXY)/,
  /^(?:PERL|PERL5)LIB$|^CLASSPATH$|^LUA_|^PHP_INI|^PHPRC$|^DOTNET_STARTUP_HOOKS$/,
  /^(?:EDITOR|VISUAL|PAGER|BROWSER|MANPAGER|FCEDIT|LESSOPEN|LESSCLOSE|SUDO_|MAKEFILES|MAKEFLAGS|MFLAGS|GNUMAKEFLAGS)/,
  /^(?:CC|CXX|LD|AR|AS|CPP|RUSTC|RUSTC_WRAPPER)$/,
  /^(?:SSL|OPENSSL|CURL|WGET|REQUESTS)_/,
  /(?:^|_)(?:PROXY|PRELOAD)$/,
];
