import { type Clock, PalyraError, systemClock } from '@palyra/kernel';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Script, ScriptStep } from './script.ts';
import { type ConversationTurn, createScriptModel } from './script-model.ts';

const never = new AbortController().signal;
const TOOL: ScriptStep = { kind: 'tool-call', tool: 'fs.read', argumentsJson: '{"path":"a"}' };

describe('a scripted model', () => {
  it('says that it is none', () => {
    const { name, isScript } = modelOf([[say('a')]]);
    expect(name).toBe('script (not a language model)');
    expect(isScript).toBe(true);
  });

  it('speaks word by word and proposes its tool calls in their place', async () => {
    const model = modelOf([[say('one  two\nthree'), TOOL, say(' four')]]);
    expect(await replyOf(model, [user('hi')])).toEqual([
      say('one  '),
      say('two\n'),
      say('three'),
      TOOL,
      say(' four'),
    ]);
  });

  it('says exactly what its script says, whatever that is', async () => {
    await fc.assert(
      fc.asyncProperty(fc.string({ minLength: 1, unit: 'grapheme' }), async (text) => {
        fc.pre(!text.includes('{{prompt}}'));
        const words = await replyOf(modelOf([[say(text)]]), [user('hi')]);
        expect(words.map((step) => (step.kind === 'text' ? step.text : '')).join('')).toBe(text);
      }),
    );
  });

  it('answers with the turn that follows those since the user spoke', async () => {
    const model = modelOf([[TOOL], [say('second')], [say('third')]]);
    const conversation = [user('hi'), spoken(''), tool('refused'), spoken('second')];
    expect(await replyOf(model, conversation.slice(0, 3))).toEqual([say('second')]);
    expect(await replyOf(model, conversation)).toEqual([say('third')]);
    expect(await replyOf(model, conversation.slice(0, 1))).toEqual([TOOL]);
    expect(await replyOf(model, [...conversation, user('more')])).toEqual([TOOL]);
  });

  it('says nothing after its last turn', async () => {
    expect(await replyOf(modelOf([[TOOL]]), [user('hi'), spoken(''), tool('refused')])).toEqual([]);
  });
});

describe('the prompt in a script', () => {
  it.each([
    ['you said {{prompt}}.', 'hello', 'you said hello.'],
    ['{{prompt}}{{prompt}}', 'ab', 'abab'],
    ['{{prompt}}', '', ''],
    ['{{prompt}}', '{{prompt}}', '{{prompt}}'],
    ['{{prompt}}', "$& $1 $' $$", "$& $1 $' $$"],
    ['{{ prompt }} {prompt} {{name}} ${prompt}', 'x', '{{ prompt }} {prompt} {{name}} ${prompt}'],
  ])('%j said to %j gives %j', async (text, prompt, said) => {
    const words = await replyOf(modelOf([[say(text)]]), [user(prompt)]);
    expect(words.map((step) => (step.kind === 'text' ? step.text : '')).join('')).toBe(said);
  });

  it('is what the user said last', async () => {
    const model = modelOf([[say('{{prompt}}')], [say('b')]]);
    expect(await replyOf(model, [user('first'), spoken('a'), user('last')])).toEqual([say('last')]);
  });

  it('does not reach the arguments of a tool call', async () => {
    const call: ScriptStep = { ...TOOL, argumentsJson: '{"path":"{{prompt}}"}' };
    expect(await replyOf(modelOf([[call]]), [user('/etc/passwd')])).toEqual([call]);
  });

  it('cannot blow a turn up', async () => {
    const model = modelOf([[say('{{prompt}}'.repeat(6000))]]);
    const error = await replyOf(model, [user('a'.repeat(60_000))]).catch((reason: unknown) =>
      PalyraError.from(reason),
    );
    expect(error).toMatchObject({
      code: 'MODEL_FAILED',
      message: 'a turn of the script is longer than 1048576 characters',
    });
  });
});

describe('the pace of a script', () => {
  it('is a wait between words, not before the first', async () => {
    const { clock, waits } = recordingClock();
    await replyOf(modelOf([[say('a b c')]], { paceMs: 7, clock }), [user('hi')]);
    expect(waits).toEqual([7, 7]);
  });

  it('of 0 waits for nothing', async () => {
    const { clock, waits } = recordingClock();
    await replyOf(modelOf([[say('a b c')]], { clock }), [user('hi')]);
    expect(waits).toEqual([]);
  });
});

describe('a reply that is aborted', () => {
  it('before it begins says nothing', async () => {
    const reason = new Error('taken back');
    const reply = modelOf([[say('a')]]).reply([user('hi')], AbortSignal.abort(reason));
    await expect(reply.next()).rejects.toBe(reason);
  });

  it('in the middle ends with the reason and says no more', async () => {
    const controller = new AbortController();
    const reason = new Error('taken back');
    const said: ScriptStep[] = [];
    const speak = async () => {
      for await (const step of modelOf([[say('a b c')]]).reply([user('hi')], controller.signal)) {
        said.push(step);
        controller.abort(reason);
      }
    };
    await expect(speak()).rejects.toBe(reason);
    expect(said).toEqual([say('a ')]);
  });

  it('does not sit out its pace', async () => {
    const controller = new AbortController();
    const reason = new Error('taken back');
    const model = modelOf([[say('a b')]], { paceMs: 600_000, clock: systemClock() });
    const reply = model.reply([user('hi')], controller.signal);
    await reply.next();
    const second = reply.next();
    controller.abort(reason);
    await expect(second).rejects.toBe(reason);
    expect(await reply.next()).toEqual({ done: true, value: undefined });
  });
});

function modelOf(
  turns: Script['turns'],
  { paceMs = 0, clock = recordingClock().clock }: { paceMs?: number; clock?: Clock } = {},
) {
  return createScriptModel({ script: () => ({ paceMs, turns }), clock });
}

async function replyOf(
  model: ReturnType<typeof modelOf>,
  conversation: readonly ConversationTurn[],
): Promise<readonly ScriptStep[]> {
  return await Array.fromAsync(model.reply(conversation, never));
}

function recordingClock(): { clock: Clock; waits: number[] } {
  const waits: number[] = [];
  const sleep = (ms: number) => {
    waits.push(ms);
    return Promise.resolve();
  };
  return { clock: { now: () => new Date(0), sleep }, waits };
}

function say(text: string): ScriptStep {
  return { kind: 'text', text };
}

function user(text: string): ConversationTurn {
  return { role: 'user', text };
}

function spoken(text: string): ConversationTurn {
  return { role: 'model', text };
}

function tool(text: string): ConversationTurn {
  return { role: 'tool', text };
}
