import { type JsonObject, PalyraError, isJsonObject, quote } from '@palyra/kernel';
import { createCatalogue } from '@palyra/tools';
import { z } from 'zod';
import { type Flags, usage } from '../command-line.ts';
import { EXIT } from '../exit-codes.ts';
import { ownPlaces } from '../own-places.ts';
import { commandOf, isProcessRun } from '../sandbox-port/process-call.ts';
import { limitsOf, openSandboxes, standingsOf } from '../sandbox-process.ts';
import { type Surroundings, loadSettings } from '../sections.ts';
import type { Answer } from './commands.ts';

/** What a tool's call would be run in, and how. Contract: starts no command. */
export async function explainAnswer(
  rest: readonly string[],
  surroundings: Surroundings,
  flags: Flags,
): Promise<Answer> {
  const { tool, args, workspace } = readQuestion(rest);
  const place = { ...surroundings, workspaceDir: workspace };
  const own = ownPlaces(place);
  const canonical = understood(tool, args, own.workspace);
  const kind = 'sandbox.explain';
  if (!isProcessRun(tool)) {
    const fields = { tool, arguments: canonical, tier: 'none', reason: NO_PROGRAM };
    return { exit: EXIT.ok, kind, fields };
  }
  const { sandbox: settings } = loadSettings(place, flags).config;
  const { egress: allowed } = settings;
  const ground = { own, limits: limitsOf(settings), egress: allowed };
  const request = commandOf({ ...NOBODY, arguments: canonical }, ground);
  await using sandboxes = openSandboxes(surroundings, { settings, uses: 'once' });
  const explanation = await sandboxes.explain(request);
  const standing = standingsOf(process.platform, await sandboxes.verdict()).find(
    ({ tier }) => tier === request.tier,
  );
  const { tier, egress } = request;
  const fields = { tool, arguments: canonical, workspace: ground.own.workspace, tier, egress };
  return { exit: EXIT.ok, kind, fields: { ...fields, standing, explanation } };
}

const NO_PROGRAM = 'no program is started for it; `process.run` is the tool that starts one';
/** Who asks is in no plan. */
const NOBODY = { principal: '', sessionId: '', policySetHash: '' } as const;

const TEXTS = z.record(z.string(), z.string());
type Texts = z.infer<typeof TEXTS>;

interface Question {
  readonly tool: string;
  /** As they were typed. */
  readonly args: Texts;
  readonly workspace: string;
}

function readQuestion(rest: readonly string[]): Question {
  const [tool, text, workspace, ...more] = rest;
  if (tool === undefined || text === undefined || workspace === undefined || more.length > 0) {
    throw usage('expected a tool, its arguments as JSON, and a workspace');
  }
  const args = TEXTS.safeParse(jsonOf(text));
  if (!args.success) throw usage('the arguments are no JSON object of texts');
  return { tool, args: args.data, workspace };
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Contract: throws NOT_FOUND, or TOOL_ARGUMENTS_INVALID or SANDBOX_SCOPE_DENIED with what is wrong. */
function understood(tool: string, texts: Texts, workspace: string): JsonObject {
  const catalogue = createCatalogue();
  const manifest = catalogue.find(tool);
  if (manifest === undefined) {
    throw new PalyraError('NOT_FOUND', `there is no tool ${quote(tool)}`, {
      help: `there are ${catalogue.names().join(', ')}`,
    });
  }
  const read = manifest.understand(valuesOf(texts, manifest.argumentsSchema()), workspace);
  if (read.kind === 'understood') return read.arguments;
  const code = read.kind === 'outside' ? 'SANDBOX_SCOPE_DENIED' : 'TOOL_ARGUMENTS_INVALID';
  throw new PalyraError(code, read.reason, { help: read.help });
}

/** `true` is a program, too: what the tool takes as text is text, of the rest what is JSON is that. */
function valuesOf(texts: Texts, schema: JsonObject): JsonObject {
  const { properties } = schema;
  const entries = Object.entries(texts).map(([name, text]) => {
    const wanted = isJsonObject(properties) ? properties[name] : undefined;
    if (isJsonObject(wanted) && wanted['type'] === 'string') return [name, text] as const;
    const value = JSON_VALUE.safeParse(jsonOf(text));
    return [name, value.success ? value.data : text] as const;
  });
  return Object.fromEntries(entries);
}

const JSON_VALUE = z.json();
