import type { MessageInitShape } from '@bufbuild/protobuf';
import { PalyraError } from '@palyra/kernel';
import { type ExplainDecisionRequestSchema, PolicyExplanationSchema } from '@palyra/protocol';
import { type Invocation, wantsJson } from '../../command.ts';
import { daemonOf } from '../../daemon.ts';
import type { Exit } from '../../exit-codes.ts';
import { jsonPairs } from '../../json-pairs.ts';
import { namedConnection } from '../../named-connection.ts';
import { namedWorkspace } from '../../named-workspace.ts';
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

type Question = MessageInitShape<typeof ExplainDecisionRequestSchema>;

/** Only for a call, and only for an action. */
const OF_A_CALL = ['arg', 'connect'];
const OF_AN_ACT = ['owner', 'role'];

function questionOf(invocation: Invocation): Question {
  const [entry] = invocation.arguments;
  const { text } = invocation;
  const [tool, action] = [text.get('tool'), text.get('action')];
  const ofBoth = ['tool', 'action', 'principal', 'channel', 'fact', 'workspace'];
  const given = [...ofBoth, ...OF_A_CALL, ...OF_AN_ACT];
  const assumes = given.filter((name) => isGiven(invocation, name));
  // What was decided is not changed by assuming something else.
  if (entry !== undefined && assumes.length === 0) {
    return { subject: { case: 'entryId', value: entry } };
  }
  const isOther = (names: readonly string[]) => names.some((name) => assumes.includes(name));
  if (entry === undefined && tool !== undefined && action === undefined && !isOther(OF_AN_ACT)) {
    return {
      subject: { case: 'call', value: { ...askedBy(invocation), ...callOf(invocation, tool) } },
    };
  }
  if (entry === undefined && action !== undefined && tool === undefined && !isOther(OF_A_CALL)) {
    const [owner, role] = [text.get('owner') ?? '', text.get('role') ?? ''];
    const workspace = namedWorkspace(invocation);
    const act = { ...askedBy(invocation), action, owner, role, workspace };
    return { subject: { case: 'act', value: act } };
  }
  throw new UsageError(
    'name an entry of the journal, a call with `--tool`, or an `--action`',
    '`palyra policy explain --help` shows them',
  );
}

function isGiven({ text, texts }: Invocation, name: string): boolean {
  return text.has(name) || (texts.get(name) ?? []).length > 0;
}

function askedBy(invocation: Invocation) {
  return {
    principal: invocation.text.get('principal') ?? '',
    channel: invocation.text.get('channel') ?? '',
    facts: jsonPairs(invocation, 'fact'),
  };
}

function callOf(invocation: Invocation, tool: string) {
  return {
    tool,
    arguments: jsonPairs(invocation, 'arg'),
    workspace: namedWorkspace(invocation),
    ...namedConnection(invocation),
  };
}
