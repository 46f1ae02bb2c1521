import { CONFIG_COMMANDS } from './catalogue/config.ts';
import { GATEWAY_COMMANDS } from './catalogue/gateway.ts';
import { JOURNAL_COMMANDS } from './catalogue/journal.ts';
import { RUN_COMMANDS } from './catalogue/runs.ts';
import { SHELL_COMMANDS } from './catalogue/shell.ts';
import type { CommandSpec, GroupSpec } from './command.ts';

/** Every command. Parsing, help and completion are made from this list and nothing else. */
export const COMMANDS: readonly CommandSpec[] = [
  ...GATEWAY_COMMANDS,
  ...RUN_COMMANDS,
  ...JOURNAL_COMMANDS,
  ...CONFIG_COMMANDS,
  ...SHELL_COMMANDS,
];

export const GROUPS: readonly GroupSpec[] = [
  { path: ['runs'], summary: 'list, show, cancel and resume runs' },
  { path: ['journal'], summary: 'read, export and verify the journal' },
  { path: ['config'], summary: 'read, change and check the configuration' },
];
