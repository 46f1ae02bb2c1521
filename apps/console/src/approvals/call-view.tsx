import type { ToolProposal } from '@palyra/protocol';
import { ExactText, type Fact, Facts } from '@palyra/ui';
import {
  exactCommand,
  inline,
  reachWords,
  requestText,
  riskWords,
  shownArguments,
} from './call-words.ts';

/** What a call would do, in the spelling in which it is judged and executed. */
export function CallView({ proposal }: { readonly proposal: ToolProposal }) {
  const { process, http } = proposal.facts ?? {};
  return (
    <>
      {process === undefined ? null : <ExactText label="command" text={exactCommand(process)} />}
      {http === undefined ? null : <ExactText label="request" text={requestText(http)} />}
      <Facts facts={callFacts(proposal)} />
    </>
  );
}

function callFacts(proposal: ToolProposal): readonly Fact[] {
  const { facts, workspace } = proposal;
  const risk: Fact = ['Risk', riskWords(proposal)];
  // Older ones do not say where they work.
  const place: readonly Fact[] = workspace === '' ? [] : [['Workspace', inline(workspace)]];
  if (facts === undefined) return [risk, ...place];
  const { process, hosts, reads, writes, secrets, readsBelow } = facts;
  const listed = (name: string, values: readonly string[]): readonly Fact[] =>
    values.length === 0 ? [] : [[name, <Names key={name} names={values} />]];
  return [
    risk,
    ...place,
    ...(process === undefined ? [] : [['In folder', inline(process.directory)] as const]),
    ...listed('Sets', process?.environment ?? []),
    ...(process === undefined && hosts.length === 0
      ? []
      : [['Reaches', reachWords(facts)] as const]),
    ...listed(readsBelow ? 'Reads below' : 'Reads', reads),
    ...listed('Writes', writes),
    ...listed('Secrets', secrets),
  ];
}

function Names({ names }: { readonly names: readonly string[] }) {
  return (
    <span
      className={names.length > 8 ? 'block max-h-40 overflow-y-auto' : undefined}
      tabIndex={names.length > 8 ? 0 : undefined}
    >
      {names.map((name) => (
        <code key={name} className="mr-3 text-[0.8125rem]">
          {inline(name)}
        </code>
      ))}
    </span>
  );
}

/** Every argument as the model gave it, to the letter. */
export function ArgumentsView({ proposal }: { readonly proposal: ToolProposal }) {
  const given = shownArguments(proposal);
  if (given.length === 0) return <p className="text-sm text-soft">None.</p>;
  return (
    <dl className="grid grid-cols-1 items-start gap-x-4 gap-y-1 sm:grid-cols-[max-content_minmax(0,1fr)]">
      {given.map(({ name, text }) => (
        <div key={name} className="contents">
          <dt className="pt-1.5 text-xs text-soft sm:py-2">
            <code>{name}</code>
          </dt>
          <dd className="min-w-0">
            <ExactText label={`argument ${name}`} text={text} />
          </dd>
        </div>
      ))}
    </dl>
  );
}
