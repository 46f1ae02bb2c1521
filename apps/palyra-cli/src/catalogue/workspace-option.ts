import type { OptionSpec } from '../command.ts';

/** Told to the gateway, which says whether runs may work there. */
export const WORKSPACE: OptionSpec = {
  kind: 'text',
  name: 'workspace',
  value: 'folder',
  summary: 'where a new session works: one of `runs.workspaces`',
  completes: 'files',
};
