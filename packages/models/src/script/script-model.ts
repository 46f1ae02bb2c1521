import { type Clock, PalyraError } from '@palyra/kernel';
import type { Script, ScriptStep } from './script.ts';

/** As much of a conversation's turn as a script looks at. */
export interface ConversationTurn {
  readonly role: 'user' | 'model' | 'tool';
  readonly text: string;
}

export interface ScriptModel {
  readonly name: string;
  readonly isScript: true;
  /** Contract: the end of the iteration is the end of the turn; throws the signal's reason. */
  reply(
    conversation: readonly ConversationTurn[],
    signal: AbortSignal,
  ): AsyncGenerator<ScriptStep, void, undefined>;
}

export const SCRIPT_MODEL_NAME = 'script (not a language model)';

/** Longer turns fail. A script is smaller than this; only a long prompt, said often, gets there. */
export const MAX_TURN_TEXT = 1024 * 1024;

const PROMPT = '{{prompt}}';

export interface ScriptModelParts {
  readonly script: () => Script;
  readonly clock: Clock;
}

/** A model that says what its script says. After the last turn it says nothing, and the run ends. */
export function createScriptModel({ script: read, clock }: ScriptModelParts): ScriptModel {
  return {
    name: SCRIPT_MODEL_NAME,
    isScript: true,
    async *reply(conversation, signal) {
      const script = read();
      const prompt = conversation.findLast(({ role }) => role === 'user')?.text ?? '';
      const steps = fillIn(nextTurn(script, conversation), prompt);
      let isFirst = true;
      for (const step of steps.flatMap(inWords)) {
        if (!isFirst && script.paceMs > 0) await clock.sleep(script.paceMs, signal);
        signal.throwIfAborted();
        isFirst = false;
        yield step;
      }
    },
  };
}

/**
 * Counts what was said since a person spoke instead of remembering it, so a resumed run goes on at
 * the right turn, and a later run of the same session begins at the first.
 */
function nextTurn(
  script: Script,
  conversation: readonly ConversationTurn[],
): readonly ScriptStep[] {
  const asked = conversation.findLastIndex(({ role }) => role === 'user');
  const said = conversation.slice(asked + 1).filter(({ role }) => role === 'model').length;
  return script.turns[said] ?? [];
}

function fillIn(steps: readonly ScriptStep[], prompt: string): readonly ScriptStep[] {
  let length = 0;
  return steps.map((step) => {
    if (step.kind === 'tool-call') return step;
    const parts = step.text.split(PROMPT);
    length += step.text.length + (parts.length - 1) * (prompt.length - PROMPT.length);
    if (length > MAX_TURN_TEXT) {
      throw new PalyraError(
        'MODEL_FAILED',
        `a turn of the script is longer than ${MAX_TURN_TEXT} characters`,
        { help: 'shorten the prompt, or name `{{prompt}}` less often in the script' },
      );
    }
    return { kind: 'text', text: parts.join(prompt) };
  });
}

/** Words keep the space after them, so that joining what was streamed gives the text back. */
function inWords(step: ScriptStep): readonly ScriptStep[] {
  if (step.kind === 'tool-call') return [step];
  const words = step.text.match(/\s*\S+\s*|\s+/gu) ?? [];
  return words.map((text) => ({ kind: 'text', text }));
}
