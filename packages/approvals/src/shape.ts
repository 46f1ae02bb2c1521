import { create } from '@bufbuild/protobuf';
import { cageWords } from '@palyra/kernel';
import {
  type CallFacts,
  type GrantShape,
  GrantShapeSchema,
  type HostFacts,
  type ToolProposal,
} from '@palyra/protocol';

/**
 * Whether a shape covers a call. Both hold canonical values, so nothing is read in two ways.
 * INVARIANT: what a call does and the shape does not name is not covered: no shape covers secrets,
 * or input that nobody saw.
 */
export function covers(shape: GrantShape, { tool, facts }: ToolProposal): boolean {
  if (facts === undefined || shape.tool !== tool) return false;
  if (shape.argumentsSha256 !== '') return shape.argumentsSha256 === facts.argumentsSha256;
  return (
    facts.secrets.length === 0 &&
    facts.bodyBytes <= (shape.writesUnder.length > 0 ? Number.MAX_SAFE_INTEGER : 0) &&
    coversProcess(shape, facts) &&
    coversRequest(shape, facts) &&
    facts.reads.every((path) => isUnderOne(path, shape.readsUnder)) &&
    facts.writes.every((path) => isUnderOne(path, shape.writesUnder)) &&
    facts.hosts.every((host) => shape.hosts.some((listed) => isSameHost(listed, host)))
  );
}

function coversProcess(shape: GrantShape, { process }: CallFacts): boolean {
  if (process === undefined) return shape.executable === '';
  return (
    shape.executable === process.executable &&
    shape.tier === process.tier &&
    // Which variables it sets can be told, what they make of the program cannot.
    process.environment.length === 0 &&
    isUnder(process.directory, shape.directory) &&
    shape.argumentPrefix.every((word, place) => process.arguments[place] === word)
  );
}

function coversRequest({ methods, scheme }: GrantShape, { http }: CallFacts): boolean {
  if (http === undefined) return methods.length === 0;
  return scheme === http.scheme && methods.includes(http.method);
}

function isSameHost(one: HostFacts, other: HostFacts): boolean {
  return one.name === other.name && one.port === other.port && one.range === other.range;
}

function isUnderOne(path: string, folders: readonly string[]): boolean {
  return folders.some((folder) => isUnder(path, folder));
}

const WORKSPACE = '.';

/** Paths have one spelling: a relative one is of the workspace and holds no `..`. */
function isUnder(path: string, folder: string): boolean {
  if (path === folder) return true;
  if (folder === WORKSPACE) return !path.startsWith('/');
  return folder !== '' && path.startsWith(folder === '/' ? '/' : `${folder}/`);
}

/** What a person may grant instead of one call. `name` is how they ask for it. */
export interface Offer {
  readonly name: 'exact' | 'command' | 'folder' | 'host';
  readonly says: string;
  readonly shape: GrantShape;
}

/**
 * Shapes that this call has, narrowest first. Contract: each covers the call; a wider one is there
 * only where what it leaves open can be said in a sentence.
 */
export function offersFor(proposal: ToolProposal): readonly Offer[] {
  const { tool, facts } = proposal;
  if (facts === undefined) return [];
  const exact: Offer = {
    name: 'exact',
    says: `exactly this call, with these arguments${filesWords(facts)}`,
    shape: create(GrantShapeSchema, { tool, argumentsSha256: facts.argumentsSha256 }),
  };
  const wider = [commandOffer(tool, facts), folderOffer(tool, facts), hostOffer(tool, facts)];
  return [exact, ...wider.filter((offer) => offer !== undefined)].filter(({ shape }) =>
    covers(shape, proposal),
  );
}

function filesWords({ process, writes }: CallFacts): string {
  if (process === undefined && writes.length === 0) return '';
  return ', while its files stay the same';
}

function commandOffer(tool: string, { process, reads, hosts }: CallFacts): Offer | undefined {
  const [first] = process?.arguments ?? [];
  // Behind an option anything may follow, also another program.
  if (process === undefined || first === undefined || first.startsWith('-')) return undefined;
  if (LAUNCHERS.has(nameOf(process.executable))) return undefined;
  const { executable, directory, tier } = process;
  return {
    name: 'command',
    says: `\`${executable} ${first}\` with any further arguments and no input, in \`${directory}\` or below, in tier ${tier}, ${cageWords(tier, hostWords(hosts))}`,
    shape: create(GrantShapeSchema, {
      tool,
      tier,
      executable,
      directory,
      hosts,
      argumentPrefix: [first],
      readsUnder: reads,
    }),
  };
}

/** Of these the further arguments are another program, so nobody could say what would be granted. */
const LAUNCHERS: ReadonlySet<string> = new Set(
  'busybox bwrap cgexec choom chpst chroot chrt dbus-run-session doas dumb-init eatmydata entr env exec expect fakeroot faketime find firejail flock gdb gosu i386 ionice linux32 linux64 ltrace nice nohup nsenter numactl parallel perf pkexec prlimit proot rlwrap run-parts runuser script setarch setpriv setsid sg ssh start-stop-daemon stdbuf strace su sudo systemd-run taskset time timeout tini torsocks toybox uname26 unbuffer unshare valgrind watch x86_64 xargs xvfb-run'.split(
    ' ',
  ),
);

function nameOf(executable: string): string {
  return executable.slice(executable.lastIndexOf('/') + 1);
}

function folderOffer(tool: string, facts: CallFacts): Offer | undefined {
  const { process, http, reads, writes } = facts;
  const touched = [...writes, ...reads];
  const [folder, ...others] = [...new Set(touched.map(folderOf))];
  if (process !== undefined || http !== undefined || folder === undefined || others.length > 0) {
    return undefined;
  }
  return {
    name: 'folder',
    says: `\`${tool}\` on anything in \`${folder}\` or below`,
    shape: create(GrantShapeSchema, {
      tool,
      readsUnder: reads.length > 0 ? [folder] : [],
      writesUnder: writes.length > 0 ? [folder] : [],
    }),
  };
}

function hostOffer(tool: string, { process, http, hosts }: CallFacts): Offer | undefined {
  if (process !== undefined || http === undefined || hosts.length === 0) return undefined;
  return {
    name: 'host',
    says: `\`${http.method}\` by ${http.scheme} without a body, with any path, query and headers, ${hostWords(hosts)}`,
    shape: create(GrantShapeSchema, {
      tool,
      hosts,
      methods: [http.method],
      scheme: http.scheme,
    }),
  };
}

function folderOf(path: string): string {
  const end = path.lastIndexOf('/');
  if (end < 0) return WORKSPACE;
  return end === 0 ? '/' : path.slice(0, end);
}

function hostWords(hosts: readonly HostFacts[]): string {
  if (hosts.length === 0) return 'without network';
  return `reaching only ${hosts.map(({ name, port }) => `\`${name}:${port}\``).join(', ')}`;
}
