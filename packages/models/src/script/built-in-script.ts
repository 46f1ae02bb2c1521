import document from './built-in-script.json' with { type: 'json' };
import { checkScript } from './parse-script.ts';
import type { Script } from './script.ts';

/** What plays until a model is set up. */
export function builtInScript(): Script {
  return checkScript(document, 'built-in-script.json');
}
