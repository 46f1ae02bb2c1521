export { type Model, type ModelParts, createModel } from './create-model.ts';
export type { ModelDesk, ModelStanding } from './desk.ts';
export { type FailureReason, ModelFailure } from './failure.ts';
export type {
  AskedAgain,
  Keepsake,
  ModelChoice,
  ModelEvent,
  ModelImage,
  ModelPort,
  ModelRequest,
  ModelToolCall,
  ModelTurn,
  SaidEvent,
  ToolSpec,
  ToolTurn,
  Turn,
  UsageEvent,
  UserTurn,
} from './model-port.ts';
export { type ModelsSettings, modelsSection } from './models-section.ts';
export { keysInPlainText } from './plain-text.ts';
export { builtInScript } from './script/built-in-script.ts';
export { loadScript } from './script/load-script.ts';
export { parseScript } from './script/parse-script.ts';
export type { Script, ScriptStep } from './script/script.ts';
export {
  type ConversationTurn,
  type ScriptModel,
  type ScriptModelParts,
  createScriptModel,
} from './script/script-model.ts';
export {
  type CheckedModel,
  type ModelEdits,
  type WishedModel,
  checkModel,
  editsFor,
  storeKey,
  storedKeyFile,
} from './wished-model.ts';
