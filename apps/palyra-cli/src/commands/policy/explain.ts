import type { MessageInitShape } from '@bufbuild/protobuf';
import { PalyraError } from '@palyra/kernel';
import { type ExplainDecisionRequestSchema, PolicyExplanationSchema } from '@palyra/protocol';
import { type Invocation, wantsJson } from '../../command.ts';
import { daemonOf } from '../../daemon.ts';
import type { Exit } from '../../exit-codes.ts';
import { jsonPairs } from '../../json-pairs.ts';
import { printExplanation } from '../../render/explanation.ts';
import { UsageError } from '../../usage-error.ts';
import { wireJson } from '../../wire-json.ts';

export async function run(invocation: Invocation): Promise<Exit> {
  const { terminal } = invocation.shell;
  const answer = await daemonOf(invocation.shell).policy.explainDecision(questionOf(invocation));
  const { explanation } = answer;
  if (explanation === undefined) {
    throw new PalyraError('UNEXPECTED', 'the gateway answered without an explanation');
  }
  if (wantsJson(invocation)) {
    terminal.json('explanation', { explanation: wireJson(PolicyExplanationSchema, explanation) });
  } else {
    printExplanation(terminal, explanation);
  }
  return 'ok';
}

function describesCall({ text, texts }: Invocation): boolean {
  const given = (name: string) => text.has(name) || (texts.get(name) ?? []).length > 0;
  return ['tool', 'principal', 'arg', 'channel', 'fact'].some(given);
}

type Question = MessageInitShape<typeof ExplainDecisionRequestSchema>;

function questionOf(invocation: Invocation): Question {
  const [entry] = invocation.arguments;
  const tool = invocation.text.get('tool');
  // What was decided is not changed by assuming something else.
  if (entry !== undefined && !describesCall(invocation)) {
    return { subject: { case: 'entryId', value: entry } };
  }
  if (entry !== undefined || tool === undefined) {
    throw new UsageError(
      'name an entry of the journal, or a call with `--tool`',
      '`palyra policy explain --help` shows both',
    );
  }
  const call = {
    principal: invocation.text.get('principal') ?? '',
    tool,
    arguments: jsonPairs(invocation, 'arg'),
    channel: invocation.text.get('channel') ?? '',
    facts: jsonPairs(invocation, 'fact'),
  };
  return { subject: { case: 'call', value: call } };
}
