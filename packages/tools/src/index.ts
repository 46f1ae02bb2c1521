export { type Catalogue, createCatalogue } from './catalogue.ts';
export { type PatchPreview, type PreviewedFile, previewPatch } from './fs-patch/preview.ts';
export {
  type ArtifactPort,
  DEFAULT_TOOL_LIMITS,
  type KeptVersion,
  type NewContent,
  type OldContent,
  type ToolHands,
  type ToolLimits,
  type ToolOutput,
  type UndoPort,
} from './hands.ts';
export type { Manifest, Understood } from './manifest.ts';
export { type ToolRun, canRun, runTool } from './run-tool.ts';
export { SECRET_EXTENSIONS, SECRET_NAMES } from './secret-names.ts';
export {
  type OpenWorkspace,
  type Owner,
  type WorkspacePlaces,
  openWorkspace,
} from './workspace/open-workspace.ts';
export { restore } from './workspace/restore.ts';
