import { type JsonObject, isJsonObject } from '@palyra/kernel';
import { CapabilitySchema, RiskSchema } from '@palyra/protocol';
import { type Manifest, SECRET_EXTENSIONS, SECRET_NAMES, createCatalogue } from '@palyra/tools';
import { generatedFrom, table } from './generator.ts';

export function toolsPage(): string {
  const tools = createCatalogue().all();
  return `# Tools

${generatedFrom('packages/tools/src')}

What an agent may ask for. Rules name a tool as \`Tool::"fs.read"\`; its capabilities and its risk are
attributes of it. What a tool does not state it cannot do.

${table(['tool', 'what it does', 'capabilities', 'risk'], tools.map(row))}

## What is left out below a folder

\`fs.list\` and \`fs.search\` go through everything below the path that they are given, and the rules see
that path alone. So below it they leave out the gateway's own folders and what usually holds secrets,
which the rule \`touching-files-with-secrets-asks\` names too: ${listed(SECRET_NAMES)}, and names that end
in ${listed(SECRET_EXTENSIONS.map((extension) => `.${extension}`))}.

## Arguments

Unknown arguments are refused. One that has a default may be left out.

${tools.map(argumentsOf).join('\n\n')}
`;
}

function listed(names: readonly string[]): string {
  return names.map((name) => `\`${name}\``).join(', ');
}

function row({ name, description, capabilities, risk }: Manifest): string[] {
  const words = capabilities.map((each) => CapabilitySchema.value[each]?.localName.toLowerCase());
  const level = RiskSchema.value[risk]?.localName.toLowerCase() ?? '';
  return [`\`${name}\``, description, words.join(', '), level];
}

function argumentsOf(manifest: Manifest): string {
  const { properties, required } = manifest.argumentsSchema();
  const wanted = Array.isArray(required) ? required : [];
  const rows = Object.entries(isJsonObject(properties) ? properties : {}).map(([name, schema]) => [
    `\`${name}\``,
    isJsonObject(schema) ? textOf(schema, 'type') : '',
    isJsonObject(schema) ? textOf(schema, 'description') : '',
    wanted.includes(name) ? 'yes' : '',
  ]);
  const list =
    rows.length === 0 ? 'None.' : table(['argument', 'type', 'what it is', 'needed'], rows);
  return `### ${manifest.name}\n\n${list}`;
}

function textOf(schema: JsonObject, key: string): string {
  const text = schema[key];
  return typeof text === 'string' ? text : '';
}
