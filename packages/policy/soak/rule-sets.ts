import type { Mode, RuleSet } from '../src/model.ts';
import { compile } from '../src/sets/compile.ts';

/** A set with exactly so many rules, of the sorts that people write: at least `FIXED_RULES`. */
export function setWith(rules: number, mode: Mode = 'ask'): RuleSet {
  const text = [
    FIXED,
    ...Array.from({ length: rules - FIXED_RULES }, (_, at) => toolRule(at)),
  ].join('\n');
  const compiled = compile([{ layer: 'operator', name: 'bench.cedar', text }], { mode });
  if (compiled.kind === 'refused') throw new Error(compiled.problems[0]?.reason ?? 'refused');
  if (compiled.set.rules.length !== rules) throw new RangeError(`${rules} rules were asked for`);
  return compiled.set;
}

const EXECUTE = 'action == Action::"tool.execute"';
const LIFTED =
  'unless { context.unattended || (context has approval && context.approval.count >= 1) }';

export const FIXED_RULES = 9;
const FIXED = `
@id("commands") @says("operators may start commands of the workspace")
permit (principal in Role::"operator", ${EXECUTE}, resource == Tool::"process.run")
when { context has process && ["git", "npm", "ls", "cat"].contains(context.process.name) };

@id("reading") @says("operators may read the workspace")
permit (principal in Role::"operator", ${EXECUTE}, resource == Tool::"fs.read")
when { context.reads.allUnder.contains(".") };

@id("writing") @says("operators may write sources and documents")
permit (principal in Role::"operator", ${EXECUTE}, resource == Tool::"fs.write")
when { context.writes.allUnder.contains("src") || context.writes.allUnder.contains("docs") };

@id("fetching") @says("operators may fetch from our own hosts")
permit (principal in Role::"operator", ${EXECUTE}, resource == Tool::"http.fetch")
when { context.hosts.allUnder.contains("example.org") && context.hosts.ports.contains(443) };

@id("protected") @says("nobody writes what git keeps")
forbid (principal, ${EXECUTE}, resource)
when { context.writes.parts.containsAny([".git", ".ssh", ".npmrc"]) };

@id("private") @says("nobody reaches private addresses")
forbid (principal, ${EXECUTE}, resource)
when { context.hosts.ranges.containsAny([Range::"private", Range::"loopback", Range::"metadata"]) };

@id("budget") @says("nothing is done without a budget")
forbid (principal, ${EXECUTE}, resource) when { context.budget == Budget::"exhausted" };

@id("pushing-asks") @says("somebody has to agree to a push") @gate("approval")
forbid (principal, ${EXECUTE}, resource == Tool::"process.run")
when { context has process && context.process.name == "git" && context.process.first == "push" }
${LIFTED};

@id("tainted-asks") @says("somebody has to agree once a run has seen the web") @gate("approval")
forbid (principal, ${EXECUTE}, resource)
when { context.taint.contains(Taint::"web") && context.capabilities.contains(Capability::"process_exec") }
${LIFTED};
`;

/** Alternately a permit for a tool of a skill, and something that is forbidden everywhere. */
function toolRule(at: number): string {
  if (at % 2 === 0) {
    return `@id("tool-${at}") @says("tool ${at} may be used by command line") permit (principal in Role::"operator", ${EXECUTE}, resource == Tool::"tool-${at}") when { context.channel == Channel::"cli" && context.argumentBytes < ${1_000 + at} };`;
  }
  return `@id("no-${at}") @says("folder ${at} is not written") forbid (principal, ${EXECUTE}, resource) when { context.writes.anyUnder.contains("closed/${at}") };`;
}
