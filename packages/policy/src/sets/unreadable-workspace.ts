import type { PolicyFile } from '../model.ts';

/** In the place of rules that cannot be read: a workspace may forbid anything, so this is one. */
export const UNREADABLE_WORKSPACE: PolicyFile = {
  layer: 'workspace',
  name: 'unreadable-workspace.cedar',
  text: `@id("workspace-does-nothing-while-unreadable")
@says("the rules of the workspace cannot be read, so nothing is done in it")
forbid (principal, action in Action::"act", resource);
`,
};
