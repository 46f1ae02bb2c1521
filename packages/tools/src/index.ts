export { PAGE_BYTES, pageLength } from './artifact-read/page.ts';
export { type ArtifactPort, runArtifactRead } from './artifact-read/run.ts';
export { type Catalogue, createCatalogue } from './catalogue.ts';
export { type PatchPreview, type PreviewedFile, previewPatch } from './fs-patch/preview.ts';
export {
  DEFAULT_TOOL_LIMITS,
  type ChangePlace,
  type KeptVersion,
  type MadeChange,
  type PlannedChange,
  type NewContent,
  type OldContent,
  type ToolHands,
  type ToolLimits,
  type ToolOutput,
  type UndoPort,
} from './hands.ts';
export type {
  FetchHands,
  FetchLimits,
  ReadableText,
  WebConnection,
  WebPort,
  WebTarget,
} from './http-fetch/hands.ts';
export { createReadableText } from './http-fetch/readable-text.ts';
export { runHttpFetch } from './http-fetch/run.ts';
export { type HttpSettings, httpSection } from './http-fetch/section.ts';
export type { Effects, Manifest, Understood } from './manifest.ts';
export { type ChangePreview, previewChanges } from './preview-changes.ts';
export { type ToolRun, canRun, runTool } from './run-tool.ts';
export { SECRET_EXTENSIONS, SECRET_NAMES } from './secret-names.ts';
export {
  type MountPoint,
  type OpenWorkspace,
  type Owner,
  type WorkspacePlaces,
  openWorkspace,
} from './workspace/open-workspace.ts';
export { restore } from './workspace/restore.ts';
export { tidyAfter } from './workspace/tidy-after.ts';
export { readTopText } from './workspace/top-text.ts';
