import type { ArgumentSpec, CommandSpec } from '../command.ts';

const KEY: ArgumentSpec = {
  name: 'key',
  summary: 'such as `deployment.profile`',
  need: 'required',
};

export const CONFIG_COMMANDS: readonly CommandSpec[] = [
  {
    path: ['config', 'show'],
    summary: 'every key, its value and the layer it comes from',
    arguments: [],
    options: [],
    examples: [{ line: 'palyra config show', note: 'works without a daemon' }],
    load: () => import('../commands/config/show.ts'),
  },
  {
    path: ['config', 'get'],
    summary: 'the value of one key',
    arguments: [KEY],
    options: [],
    examples: [
      { line: 'palyra config get deployment.profile', note: 'only the value, for scripts' },
    ],
    load: () => import('../commands/config/get.ts'),
  },
  {
    path: ['config', 'set'],
    summary: 'write one key to your palyra.toml',
    arguments: [
      KEY,
      { name: 'value', summary: 'as in the file; text needs no quotes', need: 'required' },
    ],
    options: [],
    examples: [{ line: 'palyra config set log.level debug', note: 'counts from the next start' }],
    load: () => import('../commands/config/set.ts'),
  },
  {
    path: ['config', 'explain'],
    summary: 'what a key does, which layer won and which lost',
    arguments: [KEY],
    options: [],
    examples: [
      { line: 'palyra config explain deployment.profile', note: 'and where each value came from' },
    ],
    load: () => import('../commands/config/explain.ts'),
  },
  {
    path: ['config', 'validate'],
    summary: 'check the configuration, or one file by itself, without starting',
    arguments: [
      {
        name: 'file',
        summary: 'only its keys, types and bounds are judged; without it all layers',
        need: 'optional',
        completes: 'files',
      },
    ],
    options: [],
    examples: [
      { line: 'palyra config validate ./palyra.toml', note: 'ends with 6 when it is bad' },
    ],
    load: () => import('../commands/config/validate.ts'),
  },
];
