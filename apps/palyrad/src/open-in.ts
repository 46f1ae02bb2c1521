import { type OpenWorkspace, openWorkspace } from '@palyra/tools';
import type { Workspaces } from './workspaces.ts';

/** Opens the folder that a call works in. Contract: throws when runs may not work there. */
export function openIn(
  path: string,
  workspaces: Pick<Workspaces, 'groundIn' | 'mountPoints'>,
): OpenWorkspace {
  const { workspace, folders } = workspaces.groundIn(path);
  const { mountPoints } = workspaces;
  return openWorkspace({ path: workspace, gatewayFolders: folders, mountPoints });
}
