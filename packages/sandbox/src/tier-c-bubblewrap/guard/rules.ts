export interface GuardRules {
  /** Names that are neither hidden nor write-protected, although the lists below have them. */
  readonly exceptions: readonly string[];
}

export const DEFAULT_GUARD: GuardRules = { exceptions: [] };

/** Read and obeyed by shells, in a home only. */
export const SHELL_FILES: readonly string[] = [
  '.bashrc .bash_profile .bash_login .bash_logout .bash_aliases .profile .inputrc',
  '.zshrc .zprofile .zshenv .zlogin .zlogout .kshrc .cshrc .tcshrc',
].flatMap((names) => names.split(' '));

/** The same for whatever else a person starts at home. */
const HOME_FILES: readonly string[] = [
  '.gitconfig .vimrc .exrc .emacs .gdbinit .lldbinit .screenrc .tmux.conf',
  '.xinitrc .xprofile .xsession .pam_environment',
].flatMap((names) => names.split(' '));
const HOME_FOLDERS: readonly string[] = [
  '.emacs.d .docker .local/bin .config/autostart .config/environment.d',
  '.config/fish .config/git .config/nvim .config/systemd',
].flatMap((names) => names.split(' '));

/** What agents read as orders. Many projects keep one of them and let the others be links to it. */
const INSTRUCTIONS: readonly string[] = [
  'AGENTS.md CLAUDE.md CLAUDE.local.md GEMINI.md .cursorrules .windsurfrules .clinerules',
  '.github/copilot-instructions.md',
].flatMap((names) => names.split(' '));

/** Read and obeyed by programs that people start in a project, so that writing one is running code. */
const PROJECT_FILES: readonly string[] = [
  '.gitmodules .gitattributes .envrc .npmrc .yarnrc .yarnrc.yml .pnpmfile.cjs .bazelrc',
  '.mcp.json .pre-commit-config.yaml .gitlab-ci.yml palyra.toml',
].flatMap((names) => names.split(' '));
const PROJECT_FOLDERS: readonly string[] = [
  '.vscode .idea .devcontainer .husky .cargo .circleci .github/workflows .github/actions',
  '.claude .codex .cursor .gemini .palyra',
].flatMap((names) => names.split(' '));

/** Obeyed where a project is, or where a home is. */
export const OBEYED = {
  project: { files: [...INSTRUCTIONS, ...PROJECT_FILES], folders: PROJECT_FOLDERS },
  home: { files: [...SHELL_FILES, ...HOME_FILES], folders: HOME_FOLDERS },
} as const;

/** INVARIANT: the same names as the rule `protected-paths-are-not-written`; a test compares them. */
export const OBEYED_NAMES: readonly string[] = Object.values(OBEYED).flatMap(
  ({ files, folders }) => [...files, ...folders],
);

/** Three names that make a folder a repository, whatever it is called. */
const REPOSITORY_MARKS: readonly string[] = ['HEAD', 'objects', 'refs'];

const OBEYED_LOWER = new Set(
  [...OBEYED_NAMES, 'copilot-instructions.md'].map((name) => name.toLowerCase()),
);
const INSTRUCTIONS_LOWER = new Set(INSTRUCTIONS.map((name) => name.toLowerCase()));

/**
 * In capitals or not: some volumes do not tell the difference.
 * Contract: `parent` is the name of the folder that holds it, '' at the top.
 */
export function isObeyed(parent: string, name: string): boolean {
  const lower = name.toLowerCase();
  return OBEYED_LOWER.has(lower) || OBEYED_LOWER.has(`${parent.toLowerCase()}/${lower}`);
}

export function isInstruction(name: string): boolean {
  return INSTRUCTIONS_LOWER.has(name.toLowerCase());
}

/** By the names in it, whatever its own is. */
export function isRepository(names: readonly string[]): boolean {
  return REPOSITORY_MARKS.every((mark) => names.includes(mark));
}

export function isGit(name: string): boolean {
  return name.toLowerCase() === '.git';
}

const SAMPLE = /^\.env\.(example|sample|template|dist|defaults)$/;
const SECRET: readonly RegExp[] = [
  /^\.env([.~_-].*)?$/i,
  /^id_(rsa|dsa|ecdsa|ed25519)(_sk)?(?!\.pub$)([.~_-].*)?$/i,
  /\.(key|p12|pfx|jks|keystore|kdbx|ppk)$/i,
  /^(.*[-_.])?(key|privkey|private)[0-9]*\.pem$/i,
  /^\.(netrc|pgpass|git-credentials|pypirc|htpasswd|vault-token|dockercfg)$/i,
  /^(credentials|service[-_]account.*)\.json$/i,
  /^secrets\.(toml|yaml|yml|json)$/i,
  /^\.(ssh|gnupg|aws|azure|kube|gcloud)$/i,
];

/** By its name alone: nobody reads the content of what may be secret. */
export function isSecret(name: string): boolean {
  return !SAMPLE.test(name) && SECRET.some((pattern) => pattern.test(name));
}
