import type { CommandSpec } from '../command.ts';

export const SHELL_COMMANDS: readonly CommandSpec[] = [
  {
    path: ['version'],
    summary: 'the versions of palyra, its daemon and Node',
    arguments: [],
    options: [],
    examples: [{ line: 'palyra version --json', note: 'for a bug report' }],
    asks: 'gateway',
    load: () => import('../commands/version.ts'),
  },
  {
    path: ['completion'],
    summary: 'print the completion script of a shell',
    arguments: [
      {
        name: 'shell',
        summary: 'which shell',
        need: 'required',
        values: ['bash', 'zsh', 'fish'],
      },
    ],
    options: [],
    examples: [
      { line: 'source <(palyra completion bash)', note: 'in ~/.bashrc' },
      { line: 'source <(palyra completion zsh)', note: 'in ~/.zshrc, after compinit' },
      { line: 'palyra completion fish | source', note: 'in config.fish' },
    ],
    load: () => import('../commands/completion.ts'),
  },
  {
    path: ['complete'],
    summary: 'what could come next, for the completion scripts',
    arguments: [{ name: 'words', summary: 'the line so far', need: 'any-number' }],
    options: [],
    examples: [{ line: 'palyra complete -- runs ""', note: 'the words after `palyra runs`' }],
    load: () => import('../commands/complete.ts'),
    isHidden: true,
  },
];
