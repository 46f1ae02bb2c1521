import type { CommandSpec } from '../command.ts';

export const MODEL_COMMANDS: readonly CommandSpec[] = [
  {
    path: ['models', 'list'],
    summary: 'every model that may answer, and how it is doing',
    arguments: [],
    options: [
      { kind: 'flag', name: 'offered', summary: 'ask the provider too which models it has' },
    ],
    examples: [
      { line: 'palyra models list', note: 'asks nobody but the gateway' },
      { line: 'palyra models list --offered', note: 'names for `palyra models set`' },
    ],
    asks: 'gateway',
    load: () => import('../commands/models/list.ts'),
  },
  {
    path: ['models', 'test'],
    summary: 'ask a model for one word, for real',
    arguments: [{ name: 'name', summary: 'of `palyra models list`', need: 'optional' }],
    options: [],
    examples: [
      { line: 'palyra models test', note: 'the default; ends with 1 when it fails' },
      { line: 'palyra models test openai:gpt-5', note: 'costs what a few words cost' },
    ],
    asks: 'gateway',
    load: () => import('../commands/models/test.ts'),
  },
  {
    path: ['models', 'set'],
    summary: 'write the model that answers to your palyra.toml',
    arguments: [
      {
        name: 'provider',
        summary: 'openai for every server that speaks its API',
        need: 'required',
        values: ['openai', 'anthropic', 'google', 'script'],
      },
      { name: 'model', summary: "the provider's name for it", need: 'optional' },
    ],
    options: [
      { kind: 'text', name: 'base-url', value: 'url', summary: "if not the provider's own" },
      { kind: 'text', name: 'api', value: 'name', summary: 'of openai: chat or responses (chat)' },
      { kind: 'text', name: 'key-env', value: 'name', summary: 'the variable with the key' },
      {
        kind: 'text',
        name: 'key-file',
        value: 'file',
        summary: 'the file with the key, of mode 600',
        completes: 'files',
      },
      { kind: 'flag', name: 'key-stdin', summary: 'read the key here and keep it in a file' },
    ],
    examples: [
      { line: 'palyra models set anthropic claude-opus-5', note: 'usual key' },
      { line: 'palyra models set google gemini-3-pro --key-stdin < key', note: 'key kept' },
      {
        line: 'palyra models set openai qwen3 --base-url http://127.0.0.1:8080/v1',
        note: 'your own',
      },
      { line: 'palyra models set script', note: 'go back' },
    ],
    load: () => import('../commands/models/set.ts'),
  },
];
