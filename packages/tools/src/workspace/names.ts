import { SECRET_EXTENSIONS, SECRET_NAMES, secretFamily } from '../secret-names.ts';

/** Drafts and backups of our own, only there for a moment or after a crash. */
export const DRAFT_PREFIX = '.palyra-draft-';

/**
 * What other programs obey, as the rule `protected-paths-are-not-written` has it: a second wall for
 * the case that a path reaches a tool without having been judged.
 */
export const PROTECTED_NAMES: readonly string[] = [
  '.git git~1 .gitconfig .gitmodules .gitattributes .husky .pre-commit-config.yaml .palyra palyra~1 palyra.toml',
  '.ssh .gnupg .aws .kube .docker .netrc .git-credentials',
  '.bashrc .bash_profile .bash_login .bash_logout .bash_aliases .profile',
  '.zshrc .zshenv .zprofile .zlogin .zlogout .cshrc .tcshrc .kshrc .inputrc',
  '.xinitrc .xprofile .xsession .pam_environment',
  '.vimrc .exrc .emacs .emacs.d .gdbinit .lldbinit .screenrc .tmux.conf',
  '.envrc .npmrc .yarnrc .yarnrc.yml .pnpmfile.cjs .pypirc .cargo .bazelrc',
  '.vscode .idea .devcontainer .circleci .gitlab-ci.yml',
  '.mcp.json .claude .codex .cursor .gemini',
  'claude.md claude.local.md agents.md gemini.md copilot-instructions.md',
  '.cursorrules .windsurfrules .clinerules',
].flatMap((names) => names.split(' '));

/** Protected when a path has all names of one. */
export const PROTECTED_TOGETHER: readonly (readonly string[])[] = [
  ['.github', 'workflows'],
  ['.github', 'actions'],
  ['.local', 'bin'],
  ...['autostart', 'environment.d', 'fish', 'git', 'nvim', 'systemd'].map((name) => [
    '.config',
    name,
  ]),
];

/** Three names that make a folder a repository, whatever it is called. */
export const REPOSITORY_MARKS: readonly string[] = ['HEAD', 'objects', 'refs'];

/** Ours alone: neither listed, searched, read nor written. */
export function isDraft(name: string): boolean {
  return fold(name).startsWith(DRAFT_PREFIX);
}

/** Neither listed nor searched: whoever names it is asked about it, whoever names a folder above is not. */
export function isSkipped(name: string): boolean {
  const folded = fold(name);
  return OWN.has(folded) || isFoldedSecret(folded) || folded.startsWith(DRAFT_PREFIX);
}

/** Usually holds secrets, as the rule `touching-files-with-secrets-asks` has it. */
export function isSecret(name: string): boolean {
  return isFoldedSecret(fold(name));
}

function isFoldedSecret(folded: string): boolean {
  if (SECRETS.has(secretFamily(folded))) return true;
  return EXTENSIONS.has(folded.slice(folded.lastIndexOf('.') + 1)) && folded.includes('.');
}

export function isProtected(names: readonly string[]): boolean {
  const folded = new Set(names.map(fold));
  return (
    !PROTECTED.isDisjointFrom(folded) ||
    PROTECTED_TOGETHER.some((together) => together.every((name) => folded.has(name)))
  );
}

const SECRETS = new Set(SECRET_NAMES);
const EXTENSIONS = new Set(SECRET_EXTENSIONS);
const PROTECTED = new Set(PROTECTED_NAMES);
const OWN = new Set(['.git', 'git~1', '.palyra', 'palyra~1']);

/** Plain letters have one form, and there are many of them. */
const PLAIN = /^[\x20-\x7e]*$/;

function fold(name: string): string {
  return (PLAIN.test(name) ? name : name.normalize('NFKC')).toLowerCase();
}
