export { modelsSection } from './models-section.ts';
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
