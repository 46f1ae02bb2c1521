export interface GuardRules {
  /** Names that are neither hidden nor write-protected, although the lists below have them. */
  readonly exceptions: readonly string[];
}

export const DEFAULT_GUARD: GuardRules = { exceptions: [] };

/** Read and obeyed by shells, in a home only. */
export const SHELL_FILES: readonly string[] = [
  '.bashrc .bash_profile .bash_login .bash_logout .profile .inputrc',
  '.zshrc .zprofile .zshenv .zlogin .zlogout .kshrc .cshrc .tcshrc',
  '.gitconfig .vimrc .screenrc .tmux.conf',
].flatMap((names) => names.split(' '));

/** Read and obeyed by programs that people start in a project, so that writing one is running code. */
export const OBEYED_FILES: readonly string[] = [
  '.gitmodules .envrc .npmrc .yarnrc .yarnrc.yml .pnpmfile.cjs .bazelrc',
  '.mcp.json .cargo/config.toml .cargo/config',
].flatMap((names) => names.split(' '));
export const OBEYED_FOLDERS: readonly string[] = [
  '.vscode .idea .devcontainer .husky .github/workflows',
  '.claude .codex .cursor .gemini .palyra',
].flatMap((names) => names.split(' '));

/** Three names that make a folder a repository, whatever it is called. */
export const REPOSITORY_MARKS: readonly string[] = ['HEAD', 'objects', 'refs'];

const OBEYED = new Set([...SHELL_FILES, ...OBEYED_FILES, ...OBEYED_FOLDERS]);

/** Contract: `parent` is the name of the folder that holds it, '' at the top. */
export function isObeyed(parent: string, name: string): boolean {
  return OBEYED.has(name) || OBEYED.has(`${parent}/${name}`);
}

const SAMPLE = /^\.env\.(example|sample|template|dist|defaults)$/;
const SECRET: readonly RegExp[] = [
  /^\.env([.~_-].*)?$/,
  /^id_(rsa|dsa|ecdsa|ed25519)(_sk)?(?!\.pub$)([.~_-].*)?$/,
  /\.(key|p12|pfx|jks|keystore|kdbx|ppk)$/i,
  /^(.*[-_.])?(key|privkey|private)[0-9]*\.pem$/i,
  /^\.(netrc|pgpass|git-credentials|pypirc|htpasswd|vault-token)$/,
  /^(credentials|service[-_]account.*)\.json$/i,
  /^\.(ssh|gnupg|aws|azure|kube|gcloud)$/,
];

/** By its name alone: nobody reads the content of what may be secret. */
export function isSecret(name: string): boolean {
  return !SAMPLE.test(name) && SECRET.some((pattern) => pattern.test(name));
}
