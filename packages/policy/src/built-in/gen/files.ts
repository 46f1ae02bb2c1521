// Made from packages/policy/policies by `npm run generate`.

export const SCHEMA_TEXT = `// What rules can speak of. Names that people may misspell are enumerations: a rule that names one
// that does not exist is refused when it is loaded.

// Who somebody is. Whoever is an owner is an admin and an operator too.
entity Role enum ["operator", "admin", "owner"];
entity Capability enum [
  "process_exec", "network", "secrets_read", "filesystem_write", "filesystem_read", "browser", "memory"
];
entity Risk enum ["low", "medium", "high", "critical"];
// The door through which a run was asked for.
entity Channel enum ["cli", "console", "desktop", "api", "schedule", "worker"];
// The cage that was proven to hold on this machine; "none" until one is.
entity Tier enum ["none", "A", "B", "C"];
// Which untrusted things the run has seen.
entity Taint enum ["web", "tool", "mcp", "file", "memory", "secret"];
entity Budget enum ["unlimited", "within", "exhausted"];
// Where an address leads; "name" for a name that is still to be looked up.
entity Range enum ["name", "public", "private", "loopback", "link_local", "metadata", "translated", "special"];
// How an approver has proven who they are.
entity Strength enum ["device", "passkey"];

// Principals.
entity User in [Role] { name: String };
entity Token in [Role] { owner: User, scopes: Set<String> };
entity Device { kind: String };
entity Agent { actsFor: String };
entity Worker;

// Resources.
entity Gateway;
entity Tool { capabilities: Set<Capability>, risk: Risk, source: String };
entity Skill { capabilities: Set<Capability>, active: Bool, publisher: String };
entity Secret { owner?: User };
// Whom a connection would go to, once the name was looked up. \`under\` holds every domain that it is in, itself
// included; \`range\` is where the address leads that would be dialled, and \`listed\` says that whoever runs
// the gateway has named that very address in its configuration.
entity Host { name: String, under: Set<String>, range: Range, port: Long, listed: Bool };
// A folder that the gateway works in; \`path\` is absolute, without links.
entity Workspace { path: String };
entity Memory { owner: User };
entity Routine { owner: User };
// All runs and sessions of one: "user:ID" of a person, "token:ID" of a token. They are alike to rules,
// so that one answer is good for a whole list. "everybody" has neither attribute: whoever may see that
// is shown everybody's in a list, but for those whom a rule takes out; all others are shown their own.
entity Work { user?: User, token?: Token };
// Somebody who may come in, as they are or as they are to be: in every role up to theirs. \`user\` is
// absent while they are only to be added.
entity Member in [Role] { user?: User };

// \`allUnder\` holds every folder (or domain) that all of them are in, \`anyUnder\` every one that any of
// them is in, each path (or name) being under itself: so a rule can say both «all» and «any».
// \`parts\` holds every name on the way to any of them, its own included, as the laziest file system
// would compare it: NFKC, lower case, nothing invisible, no dots or spaces at its end ("." and ".."
// stay). A rule that protects a name at any depth reads this one. Where many names mean one thing it
// holds that as well: ".env" for ".env.prod" and the like (but not ".env.example", ".sample", ".template",
// ".dist" or ".defaults"), "service-account.json" for any key of a service account.
// \`ofGateway\` says that one of them is among the gateway's own files, wherever those lie on this
// machine; a folder that holds them is too, when the call goes through everything below it or writes it.
type Paths = {
  all: Set<String>,
  allUnder: Set<String>,
  anyUnder: Set<String>,
  names: Set<String>,
  parts: Set<String>,
  extensions: Set<String>,
  ofGateway: Bool
};
// \`anyBare\` says that one of them is a name without a dot, which only this network can tell apart.
type Hosts = {
  all: Set<String>,
  allUnder: Set<String>,
  anyUnder: Set<String>,
  anyBare: Bool,
  ranges: Set<Range>,
  ports: Set<Long>
};
// \`commandLine\` is the executable and its arguments with one space between; an argument with a space,
// a quote or anything unprintable in it stands in quotes, so no two calls share one.
// \`names\` holds what any of its words might start, code in quotes included: of each word the last part
// of a path, folded as \`parts\` are, without the ending of a program (\`.exe\`, \`.cjs\` and the like).
// \`environment\` holds the names of the variables that the call sets; it is absent when there are none.
type Process = {
  executable: String,
  name: String,
  first: String,
  arguments: Set<String>,
  names: Set<String>,
  count: Long,
  commandLine: String,
  directory: String,
  environment?: Set<String>
};
type Http = { method: String, scheme: String, host: String, port: Long, path: String };
type Time = { date: String, weekday: Long, hour: Long, minute: Long };
// \`admins\` and \`owners\` are how many of the approvers are at least that; \`strengths\` is what all of
// them have shown.
type Approval = {
  approvers: Set<String>,
  count: Long,
  admins: Long,
  owners: Long,
  strengths: Set<Strength>
};
// What every question tells; UTC.
type Ask = { channel: Channel, device: String, permission: String, time: Time };
type Act = {
  channel: Channel,
  device: String,
  agent: String,
  session: String,
  run: String,
  // The folder that the call works in, which its relative paths are of: absolute, without links. Every call
  // has one; absent only in decisions on record that are older than this fact.
  workspace?: String,
  skill: String,
  capabilities: Set<Capability>,
  tier: Tier,
  taint: Set<Taint>,
  budget: Budget,
  time: Time,
  // A rule on "tool.unattended" says yes; nobody need be asked.
  unattended: Bool,
  reads: Paths,
  writes: Paths,
  hosts: Hosts,
  secrets: Set<String>,
  argumentBytes: Long,
  bodyBytes: Long,
  // In hex, of the arguments in their one spelling: a rule that names it is for those and no others.
  argumentsSha256: String,
  process?: Process,
  http?: Http,
  approval?: Approval
};

// What an agent does.
action "act";
action "tool.execute", "tool.unattended" in ["act"]
  appliesTo { principal: [User, Token, Device, Agent, Worker], resource: [Tool], context: Act };
action "skill.execute" in ["act"]
  appliesTo { principal: [User, Token, Device, Agent, Worker], resource: [Skill], context: Act };
action "vault.get" in ["act"]
  appliesTo { principal: [User, Token, Device, Agent, Worker], resource: [Secret], context: Act };
// One connection of a call that was allowed, asked before it is dialled, with the call's own context: its
// approval, and whether it was spared one. Nobody is asked at that moment, so a gate on this alone is refused.
// Of \`http.fetch\` and of programs in tier C: a program in tier B connects without anybody being asked.
action "host.connect" in ["act"]
  appliesTo { principal: [User, Token, Device, Agent, Worker], resource: [Host], context: Act };
action "memory.search", "memory.save", "memory.delete", "memory.purge" in ["act"]
  appliesTo { principal: [User, Token, Device, Agent, Worker], resource: [Memory], context: Act };
action "routine.run", "routine.save", "routine.delete" in ["act"]
  appliesTo { principal: [User, Token, Device, Agent, Worker], resource: [Routine], context: Act };

// What is asked of the gateway: one action for each permission. "control" is for people only.
action "use";
action "control";
action "status.read"
  appliesTo { principal: [User, Token, Device, Agent, Worker], resource: [Gateway], context: Ask };
action "sessions.use", "memory.use", "routines.use", "observability.read", "compat.models.read",
  "compat.chat.create", "compat.responses.create", "compat.embeddings.create" in ["use"]
  appliesTo { principal: [User, Token, Device, Agent, Worker], resource: [Gateway], context: Ask };
action "approvals.answer", "tokens.manage", "members.manage", "policy.manage", "vault.manage",
  "devices.manage", "workspace.manage", "trust.operate" in ["control"]
  appliesTo { principal: [User, Token, Device, Agent, Worker], resource: [Gateway], context: Ask };

// What is done with runs and sessions, once the call itself is allowed, which it is only for people and
// tokens. "speak" is to go on with one, branch from it, name it or shelve it.
action "work";
action "work.see", "work.speak", "work.stop", "work.undo" in ["work"]
  appliesTo { principal: [User, Token], resource: [Work], context: Ask };

// To begin a session or a run in a folder, once the call itself is allowed; asked for each run of a session.
action "workspace.open"
  appliesTo { principal: [User, Token], resource: [Workspace], context: Ask };

// What is done with those who may come in, once the call itself is allowed. "change" is to add or remove
// somebody, or give them a role, asked of both the one that they have and the one that they get; "admit"
// lets a device act for them; "unpair" renames or takes away such a device, "revoke" takes away a token
// of theirs, and "rotate" gives its new secret to whoever asks.
action "people";
action "people.change", "people.admit", "people.unpair", "people.revoke", "people.rotate" in ["people"]
  appliesTo { principal: [User], resource: [Member], context: Ask };
`;
export const RULE_TEXTS = {
  "agents-stay-out-of-the-control-plane.cedar": `@id("only-people-govern")
@says("only a person may change what is allowed: no agent, token, device or worker")
@hard
forbid (
  principal,
  action in Action::"control",
  resource
)
unless { principal is User };

// Advice, which a script in a file, in standard input or in pieces gets around: what keeps an agent from
// the gateway is the cage it runs in. Installed programs that only show what they are given are spared.
@id("agents-do-not-run-palyra")
@says("an agent does not run the programs that govern it")
@hard
forbid (
  principal,
  action in Action::"act",
  resource
)
when
{
  context has process &&
  context.process.names.containsAny(["palyra", "palyrad"]) &&
  !["cat", "grep", "head", "ls", "tail", "wc"].contains(context.process.executable)
};

// Its keys, rules and journal. Wherever they lie on this machine; and, in case a link or another
// gateway of this machine leads there, whatever outside the workspace is called like it.
@id("agents-do-not-read-the-gateways-files")
@says("an agent does not read what the gateway keeps for itself")
@hard
forbid (
  principal,
  action in Action::"act",
  resource
)
when
{
  context.reads.ofGateway ||
  (context.reads.anyUnder.contains("/") && context.reads.parts.contains("palyra"))
};

@id("agents-do-not-write-the-gateways-files")
@says("an agent does not write what the gateway keeps for itself")
@hard
forbid (
  principal,
  action in Action::"act",
  resource
)
when { context.writes.ofGateway };
`,
  "budget-is-a-limit.cedar": `@id("budget-is-a-limit")
@says("a run whose budget is used up does nothing more")
forbid (
  principal,
  action in Action::"act",
  resource
)
when { context.budget == Budget::"exhausted" };
`,
  "calls-reach-whom-they-name.cedar": `// Who may make such a call, and who has to be asked, is decided with the call.
@id("calls-reach-whom-they-name")
@says("a call that was allowed may connect to the hosts and ports that it names")
permit (
  principal,
  action == Action::"host.connect",
  resource
)
when
{
  (principal is User || principal is Token) &&
  principal in Role::"operator" &&
  context.hosts.all.contains(resource.name) &&
  context.hosts.ports.contains(resource.port)
};
`,
  "forgetting-asks.cedar": `@id("deleting-memory-asks")
@says("something remembered is to be deleted")
@gate("approval")
@severity("medium")
forbid (
  principal,
  action == Action::"memory.delete",
  resource
)
unless { context has approval && context.approval.count >= 1 };

@id("purging-memory-asks")
@says("everything remembered is to be deleted for good")
@gate("approval")
@severity("critical")
@wait("1h")
forbid (
  principal,
  action == Action::"memory.purge",
  resource
)
unless { context has approval && context.approval.count >= 1 };

@id("deleting-routines-asks")
@says("a routine is to be deleted")
@gate("approval")
@severity("medium")
forbid (
  principal,
  action == Action::"routine.delete",
  resource
)
unless { context has approval && context.approval.count >= 1 };

@id("purging-the-memory-of-others-asks-an-owner")
@says("everything remembered for somebody else is to be deleted for good")
@gate("approval")
@severity("critical")
@approvers("owner")
@wait("1h")
forbid (
  principal is User,
  action == Action::"memory.purge",
  resource
)
unless { resource.owner == principal || (context has approval && context.approval.owners >= 1) };
`,
  "memory-by-owner.cedar": `@id("people-use-their-own-memory")
@says("an operator's agent may search, fill and empty the operator's own memory")
permit (
  principal is User in Role::"operator",
  action in
    [Action::"memory.search",
     Action::"memory.save",
     Action::"memory.delete",
     Action::"memory.purge"],
  resource
)
when { resource.owner == principal };

@id("tokens-use-their-owners-memory")
@says("a token for memory may search and fill the memory of whoever made it")
permit (
  principal is Token in Role::"operator",
  action in [Action::"memory.search", Action::"memory.save"],
  resource
)
when { resource.owner == principal.owner && principal.scopes.contains("memory.use") };

@id("admins-empty-the-memory-of-others")
@says("an admin may delete what was remembered for somebody else")
permit (
  principal is User in Role::"admin",
  action in [Action::"memory.delete", Action::"memory.purge"],
  resource
);
`,
  "no-cage-asks.cedar": `// A command in tier B has limits and no walls: it sees what the gateway's own account sees, and the
// network of this machine. Never spared by an unattended call.
@id("running-without-a-cage-asks")
@says("a program is to be run with limits alone: nothing keeps it from files and hosts that it does not name")
@gate("approval")
@severity("critical")
forbid (
  principal,
  action in [Action::"tool.execute", Action::"skill.execute"],
  resource
)
when { context has process && context.tier == Tier::"B" }
unless { context has approval && context.approval.count >= 1 };
`,
  "people-by-standing.cedar": `@id("people-look-after-people")
@says("whoever may manage members, devices or tokens may do so for everybody up to their own role")
permit (
  principal is User in Role::"operator",
  action in
    [Action::"people.change",
     Action::"people.admit",
     Action::"people.unpair",
     Action::"people.revoke"],
  resource
);

@id("people-rotate-their-own-tokens")
@says("whoever may manage tokens may rotate their own")
permit (
  principal is User in Role::"operator",
  action == Action::"people.rotate",
  resource
)
when { resource has user && resource.user == principal };

@id("nobody-reaches-above-themselves")
@says("nobody changes or lets in somebody who stands above them, nor raises anybody above themselves")
@hard
forbid (
  principal,
  action in Action::"people",
  resource
)
when
{
  (resource in Role::"owner" && !(principal in Role::"owner")) ||
  (resource in Role::"admin" && !(principal in Role::"admin"))
};

// Whoever learns the secret of a token acts for the one whose it is.
@id("nobody-takes-the-token-of-another")
@says("nobody rotates a token that acts for somebody else, whatever their role")
@hard
forbid (
  principal,
  action == Action::"people.rotate",
  resource
)
unless { resource has user && resource.user == principal };
`,
  "people-do-what-their-role-allows.cedar": `// The same table as packages/kernel/src/permissions.ts; a test compares the two.
@id("operators-use-the-gateway")
@says("an operator may use the gateway and answer approvals")
permit (
  principal is User in Role::"operator",
  action in [Action::"use", Action::"approvals.answer"],
  resource == Gateway::"gateway"
);

@id("admins-look-after-the-gateway")
@says("an admin may manage tokens, members, rules, secrets and devices")
permit (
  principal is User in Role::"admin",
  action in
    [Action::"tokens.manage",
     Action::"members.manage",
     Action::"policy.manage",
     Action::"vault.manage",
     Action::"devices.manage"],
  resource == Gateway::"gateway"
);

@id("owners-decide-on-trust")
@says("an owner may manage the workspace and decide whom the gateway trusts")
permit (
  principal is User in Role::"owner",
  action in [Action::"workspace.manage", Action::"trust.operate"],
  resource == Gateway::"gateway"
);
`,
  "private-addresses-are-not-reached.cedar": `@id("private-addresses-are-not-reached")
@says("an agent does not reach this machine, the network behind it or a cloud's metadata")
@hard
forbid (
  principal,
  action in Action::"act",
  resource
)
when
{
  context.hosts
    .ranges
    .containsAny
    (
      [Range::"private",
       Range::"loopback",
       Range::"link_local",
       Range::"metadata",
       Range::"translated",
       Range::"special"]
    )
};

// Names that by their nature lead to such an address, whatever a resolver says today; a name without a
// dot is one of them.
@id("private-names-are-not-reached")
@says("an agent does not reach a name that only means something on this network")
@hard
forbid (
  principal,
  action in Action::"act",
  resource
)
when
{
  context.hosts.anyBare ||
  context.hosts
    .anyUnder
    .containsAny
    (
      ["localhost",
       "localdomain",
       "local",
       "internal",
       "intranet",
       "private",
       "corp",
       "lan",
       "home",
       "home.arpa",
       "svc"]
    )
};

// What a name turned out to be when it was looked up. An address is listed by whoever runs the gateway, in its
// configuration, which no agent, rule or approval reaches; one that gives out the secrets of a cloud never counts.
@id("connections-to-private-addresses-are-not-made")
@says("no connection is made to a private, local or metadata address, whatever name led there")
@hard
forbid (
  principal,
  action == Action::"host.connect",
  resource
)
unless
{
  resource.range == Range::"public" || (resource.listed && !(resource.range == Range::"metadata"))
};
`,
  "protected-paths-are-not-written.cedar": `// Whatever lies here is run, trusted or read as orders by something outside the cage: git, shells,
// editors, package managers, agents, Palyra itself. On Windows \`git~1\` is \`.git\`, too.
@id("protected-paths-are-not-written")
@says("an agent does not write files that other programs obey, such as .git, .ssh or .palyra")
@hard
forbid (
  principal,
  action in Action::"act",
  resource
)
when
{
  context.writes
    .parts
    .containsAny
    (
      [".git",
       "git~1",
       ".gitconfig",
       ".gitmodules",
       ".gitattributes",
       ".husky",
       ".pre-commit-config.yaml",
       ".palyra",
       "palyra~1",
       "palyra.toml",
       ".ssh",
       ".gnupg",
       ".aws",
       ".kube",
       ".docker",
       ".netrc",
       ".git-credentials",
       ".bashrc",
       ".bash_profile",
       ".bash_login",
       ".bash_logout",
       ".bash_aliases",
       ".profile",
       ".zshrc",
       ".zshenv",
       ".zprofile",
       ".zlogin",
       ".zlogout",
       ".cshrc",
       ".tcshrc",
       ".kshrc",
       ".inputrc",
       ".xinitrc",
       ".xprofile",
       ".xsession",
       ".pam_environment",
       ".vimrc",
       ".exrc",
       ".emacs",
       ".emacs.d",
       ".gdbinit",
       ".lldbinit",
       ".screenrc",
       ".tmux.conf",
       ".envrc",
       ".npmrc",
       ".yarnrc",
       ".yarnrc.yml",
       ".pnpmfile.cjs",
       ".pypirc",
       ".cargo",
       ".bazelrc",
       ".vscode",
       ".idea",
       ".devcontainer",
       ".circleci",
       ".gitlab-ci.yml",
       ".mcp.json",
       ".claude",
       ".codex",
       ".cursor",
       ".gemini",
       "claude.md",
       "claude.local.md",
       "agents.md",
       "gemini.md",
       "copilot-instructions.md",
       ".cursorrules",
       ".windsurfrules",
       ".clinerules"]
    ) ||
  context.writes.parts.containsAll([".github", "workflows"]) ||
  context.writes.parts.containsAll([".github", "actions"]) ||
  context.writes.parts.containsAll([".local", "bin"]) ||
  (context.writes.parts.contains(".config") &&
   context.writes
     .parts
     .containsAny
     (
       ["autostart", "environment.d", "fish", "git", "nvim", "systemd"]
     ))
};

@id("nothing-outside-the-workspace-is-written")
@says("an agent writes nothing outside the workspace")
@hard
forbid (
  principal,
  action in Action::"act",
  resource
)
when { context.writes.anyUnder.contains("/") || context.writes.parts.contains("..") };
`,
  "reading-elsewhere-asks.cedar": `// Reading does not ask, but for these. The built-in tools of files can do nothing outside the workspace and
// refuse it before any rule is asked; tools that others bring may reach further.
@id("reading-outside-the-workspace-asks")
@says("something outside the workspace is to be read")
@gate("approval")
@severity("high")
forbid (
  principal,
  action in [Action::"tool.execute", Action::"skill.execute"],
  resource
)
when { context.reads.anyUnder.contains("/") || context.reads.parts.contains("..") }
unless { context.unattended || (context has approval && context.approval.count >= 1) };

// Never spared by an unattended call: a rule that lifts the question for a tool hardly means these.
// The lists are those of packages/tools/src/secret-names.ts, which tools leave out that go through folders.
@id("touching-files-with-secrets-asks")
@says("a file that usually holds secrets is to be read or written")
@gate("approval")
@severity("high")
forbid (
  principal,
  action in [Action::"tool.execute", Action::"skill.execute"],
  resource
)
when
{
  context.reads
    .parts
    .containsAny
    (
      [".env",
       ".envrc",
       ".netrc",
       ".npmrc",
       ".pypirc",
       ".pgpass",
       ".htpasswd",
       ".vault-token",
       ".git-credentials",
       ".ssh",
       ".gnupg",
       ".aws",
       ".kube",
       ".azure",
       ".gcloud",
       ".docker",
       ".dockercfg",
       "id_rsa",
       "id_dsa",
       "id_ecdsa",
       "id_ed25519",
       "id_ecdsa_sk",
       "id_ed25519_sk",
       "credentials",
       "credentials.json",
       "service-account.json",
       "secrets.toml",
       "secrets.yaml",
       "secrets.yml",
       "secrets.json"]
    ) ||
  context.reads
    .extensions
    .containsAny
    (
      ["pem", "key", "p12", "pfx", "kdbx", "jks", "keystore", "ppk"]
    ) ||
  context.writes
    .parts
    .containsAny
    (
      [".env",
       ".envrc",
       ".netrc",
       ".npmrc",
       ".pypirc",
       ".pgpass",
       ".htpasswd",
       ".vault-token",
       ".git-credentials",
       ".ssh",
       ".gnupg",
       ".aws",
       ".kube",
       ".azure",
       ".gcloud",
       ".docker",
       ".dockercfg",
       "id_rsa",
       "id_dsa",
       "id_ecdsa",
       "id_ed25519",
       "id_ecdsa_sk",
       "id_ed25519_sk",
       "credentials",
       "credentials.json",
       "service-account.json",
       "secrets.toml",
       "secrets.yaml",
       "secrets.yml",
       "secrets.json"]
    ) ||
  context.writes
    .extensions
    .containsAny
    (
      ["pem", "key", "p12", "pfx", "kdbx", "jks", "keystore", "ppk"]
    )
}
unless { context has approval && context.approval.count >= 1 };
`,
  "routines-by-owner.cedar": `@id("people-use-their-own-routines")
@says("an operator may run, change and delete routines of their own")
permit (
  principal is User in Role::"operator",
  action in [Action::"routine.run", Action::"routine.save", Action::"routine.delete"],
  resource
)
when { resource.owner == principal };

@id("tokens-run-their-owners-routines")
@says("a token for routines may run those of whoever made it")
permit (
  principal is Token in Role::"operator",
  action == Action::"routine.run",
  resource
)
when { resource.owner == principal.owner && principal.scopes.contains("routines.use") };

@id("admins-delete-the-routines-of-others")
@says("an admin may delete anybody's routine")
permit (
  principal is User in Role::"admin",
  action == Action::"routine.delete",
  resource
);
`,
  "sensitive-capabilities-ask.cedar": `// What a tool or skill declares counts, and so does what this very call turned out to be.
@id("running-programs-asks")
@says("a program is to be run")
@gate("approval")
@severity("high")
forbid (
  principal,
  action in [Action::"tool.execute", Action::"skill.execute"],
  resource
)
when
{
  resource.capabilities.contains(Capability::"process_exec") ||
  context.capabilities.contains(Capability::"process_exec") ||
  context has process
}
unless { context.unattended || (context has approval && context.approval.count >= 1) };

@id("using-the-network-asks")
@says("something is to be fetched from or sent to the network")
@gate("approval")
@severity("medium")
forbid (
  principal,
  action in [Action::"tool.execute", Action::"skill.execute"],
  resource
)
when
{
  resource.capabilities.contains(Capability::"network") ||
  context.capabilities.contains(Capability::"network") ||
  !context.hosts.all.isEmpty()
}
unless { context.unattended || (context has approval && context.approval.count >= 1) };

@id("reading-secrets-asks")
@says("a secret is to be used")
@gate("approval")
@severity("high")
forbid (
  principal,
  action in [Action::"tool.execute", Action::"skill.execute"],
  resource
)
when
{
  resource.capabilities.contains(Capability::"secrets_read") ||
  context.capabilities.contains(Capability::"secrets_read") ||
  !context.secrets.isEmpty()
}
unless { context.unattended || (context has approval && context.approval.count >= 1) };

@id("writing-files-asks")
@says("files are to be written")
@gate("approval")
@severity("medium")
forbid (
  principal,
  action in [Action::"tool.execute", Action::"skill.execute"],
  resource
)
when
{
  resource.capabilities.contains(Capability::"filesystem_write") ||
  context.capabilities.contains(Capability::"filesystem_write") ||
  !context.writes.all.isEmpty()
}
unless { context.unattended || (context has approval && context.approval.count >= 1) };
`,
  "skills-only-when-active.cedar": `// No rule here permits a skill: an operator lists the ones to be used.
@id("skills-only-when-active")
@says("a skill that is not active is not run")
@hard
forbid (
  principal,
  action == Action::"skill.execute",
  resource
)
unless { resource.active };
`,
  "status-may-be-read.cedar": `@id("status-may-be-read")
@says("whoever the gateway knows may ask how it is doing")
permit (
  principal,
  action == Action::"status.read",
  resource == Gateway::"gateway"
);
`,
  "tainted-runs-ask.cedar": `// A rule on "tool.unattended" that names the host is how an operator pins one.
@id("sending-after-secrets-and-strangers-asks")
@says("a run that saw untrusted content and a secret is to reach the network")
@gate("approval")
@severity("critical")
forbid (
  principal,
  action in [Action::"tool.execute", Action::"skill.execute", Action::"host.connect"],
  resource
)
when
{
  context.taint
    .containsAny
    (
      [Taint::"web", Taint::"tool", Taint::"mcp", Taint::"file", Taint::"memory"]
    ) &&
  (context.taint.contains(Taint::"secret") || !context.secrets.isEmpty()) &&
  (!context.hosts.all.isEmpty() ||
   context.capabilities
     .containsAny
     (
       [Capability::"network", Capability::"browser", Capability::"process_exec"]
     ))
}
unless { context.unattended || (context has approval && context.approval.count >= 1) };

// What is remembered or planned now comes back in later runs, which nobody will know as tainted.
@id("planting-after-strangers-asks")
@says("a run that saw untrusted content is to leave something for later runs")
@gate("approval")
@severity("high")
forbid (
  principal,
  action in [Action::"memory.save", Action::"routine.save"],
  resource
)
when
{
  context.taint
    .containsAny
    (
      [Taint::"web", Taint::"tool", Taint::"mcp", Taint::"file", Taint::"memory"]
    )
}
unless { context has approval && context.approval.count >= 1 };

@id("remembering-after-strangers-asks")
@says("a run that saw untrusted content is to remember something")
@gate("approval")
@severity("medium")
forbid (
  principal,
  action == Action::"tool.execute",
  resource == Tool::"memory.save"
)
when
{
  context.taint
    .containsAny
    (
      [Taint::"web", Taint::"tool", Taint::"mcp", Taint::"file", Taint::"memory"]
    )
}
unless { context.unattended || (context has approval && context.approval.count >= 1) };
`,
  "tokens-stay-in-their-scopes.cedar": `@id("tokens-use-the-gateway")
@says("a token may use the gateway while its owner may")
permit (
  principal is Token in Role::"operator",
  action in Action::"use",
  resource == Gateway::"gateway"
)
when { principal.scopes.contains(context.permission) };

@id("tokens-stay-in-their-scopes")
@says("a token does nothing outside its scopes")
@hard
forbid (
  principal is Token,
  action in Action::"use",
  resource
)
unless { principal.scopes.contains(context.permission) };

@id("tokens-without-a-scope-for-runs-run-nothing")
@says("a token runs something only when one of its scopes is for runs")
@hard
forbid (
  principal is Token,
  action in
    [Action::"tool.execute",
     Action::"skill.execute",
     Action::"vault.get",
     Action::"host.connect",
     Action::"workspace.open"],
  resource
)
unless
{
  principal.scopes
    .containsAny
    (
      ["sessions.use", "routines.use", "compat.chat.create", "compat.responses.create"]
    )
};
`,
  "tools-only-when-listed.cedar": `// A tool that stands in no list is not run. A skill's calls are listed with the skill, not here.
@id("people-use-the-built-in-tools")
@says("an operator's agent may use the built-in tools when the operator is there to be asked")
permit (
  principal is User in Role::"operator",
  action == Action::"tool.execute",
  resource
)
when
{
  [Tool::"fs.read",
   Tool::"fs.list",
   Tool::"fs.search",
   Tool::"fs.write",
   Tool::"fs.patch",
   Tool::"artifact.read",
   Tool::"process.run",
   Tool::"http.fetch",
   Tool::"memory.save",
   Tool::"memory.search",
   Tool::"browser.open",
   Tool::"browser.read",
   Tool::"browser.click",
   Tool::"browser.type",
   Tool::"browser.screenshot"].contains
    (
      resource
    ) &&
  resource.source == "built-in" &&
  context.agent == "palyra" &&
  context.skill == "" &&
  [Channel::"cli", Channel::"console", Channel::"desktop"].contains(context.channel)
};

@id("people-use-reading-tools-from-afar")
@says("over the API and in routines an operator's agent may only read")
permit (
  principal is User in Role::"operator",
  action == Action::"tool.execute",
  resource
)
when
{
  [Tool::"fs.read",
   Tool::"fs.list",
   Tool::"fs.search",
   Tool::"artifact.read",
   Tool::"memory.search"].contains
    (
      resource
    ) &&
  resource.source == "built-in" &&
  context.agent == "palyra" &&
  context.skill == "" &&
  [Channel::"api", Channel::"schedule"].contains(context.channel)
};

@id("tokens-use-reading-tools")
@says("a token's agent may only read files")
permit (
  principal is Token in Role::"operator",
  action == Action::"tool.execute",
  resource
)
when
{
  [Tool::"fs.read", Tool::"fs.list", Tool::"fs.search", Tool::"artifact.read"].contains(resource) &&
  resource.source == "built-in" &&
  context.agent == "palyra" &&
  context.skill == "" &&
  context.channel == Channel::"api"
};

@id("tokens-for-memory-search-it")
@says("a token's agent may search memory when memory is in the token's scopes")
permit (
  principal is Token in Role::"operator",
  action == Action::"tool.execute",
  resource == Tool::"memory.search"
)
when
{
  principal.scopes.contains("memory.use") &&
  resource.source == "built-in" &&
  context.agent == "palyra" &&
  context.skill == "" &&
  context.channel == Channel::"api"
};
`,
  "vault-by-owner-and-role.cedar": `@id("people-use-their-own-secrets")
@says("an operator's agent may use a secret of the operator's own")
permit (
  principal is User in Role::"operator",
  action == Action::"vault.get",
  resource
)
when { resource has owner && resource.owner == principal };

@id("people-use-shared-secrets")
@says("an operator's agent may use a secret that belongs to everybody")
permit (
  principal is User in Role::"operator",
  action == Action::"vault.get",
  resource
)
unless { resource has owner };

@id("own-secrets-ask")
@says("a secret is to be used")
@gate("approval")
@severity("high")
forbid (
  principal,
  action == Action::"vault.get",
  resource
)
unless { context has approval && context.approval.count >= 1 };

@id("shared-secrets-ask-an-admin")
@says("a secret that belongs to everybody is to be used")
@gate("approval")
@severity("high")
@approvers("admin")
forbid (
  principal,
  action == Action::"vault.get",
  resource
)
unless { resource has owner || (context has approval && context.approval.admins >= 1) };
`,
  "work-by-owner.cedar": `@id("people-see-the-work-of-everybody")
@says("an operator may see the runs and sessions of everybody")
permit (
  principal is User in Role::"operator",
  action == Action::"work.see",
  resource
);

@id("people-go-on-with-their-own-work")
@says("an operator may go on with, stop and undo runs of their own")
permit (
  principal is User in Role::"operator",
  action in Action::"work",
  resource
)
when { resource has user && resource.user == principal };

@id("tokens-go-on-with-their-own-work")
@says("a token may see, go on with, stop and undo its own runs, and no others")
permit (
  principal is Token in Role::"operator",
  action in Action::"work",
  resource
)
when
{
  resource has token && resource.token == principal && principal.scopes.contains(context.permission)
};

@id("admins-stop-the-work-of-others")
@says("an admin may stop and undo anybody's run")
permit (
  principal is User in Role::"admin",
  action in [Action::"work.stop", Action::"work.undo"],
  resource
);

// What is said in a session is told to the model as the words of the one whose it is.
@id("nobody-speaks-for-others")
@says("nobody speaks in a run or session of somebody else, whatever their role")
@hard
forbid (
  principal,
  action == Action::"work.speak",
  resource
)
unless
{
  (principal is User && resource has user && resource.user == principal) ||
  (principal is Token && resource has token && resource.token == principal)
};
`,
  "workspaces-are-open-to-operators.cedar": `@id("people-open-workspaces")
@says("an operator may work in every folder that the gateway works in")
permit (
  principal is User in Role::"operator",
  action == Action::"workspace.open",
  resource
);

@id("tokens-open-workspaces")
@says("a token for sessions may work in every folder that the gateway works in")
permit (
  principal is Token in Role::"operator",
  action == Action::"workspace.open",
  resource
)
when { principal.scopes.contains(context.permission) };
`,
} as const;
/** Only the one of the mode that is in force belongs to a set. */
export const MODE_TEXTS = {
  "ask.cedar": `
// Every gate asks: this mode adds no rule to the others.
`,
  "auto.cedar": `@id("auto-spares-small-questions")
@says("in a proven cage without network, calls of low risk need no question")
permit (
  principal is User in Role::"operator",
  action == Action::"tool.unattended",
  resource
)
when
{
  resource.risk == Risk::"low" &&
  resource.source == "built-in" &&
  context.agent == "palyra" &&
  context.skill == "" &&
  [Channel::"cli", Channel::"console", Channel::"desktop"].contains(context.channel) &&
  context.tier == Tier::"C" &&
  context.taint.isEmpty() &&
  context.secrets.isEmpty() &&
  context.hosts.all.isEmpty() &&
  !context.reads.anyUnder.contains("/") &&
  !resource.capabilities
    .containsAny
    (
      [Capability::"network", Capability::"browser", Capability::"secrets_read"]
    ) &&
  !context.capabilities
    .containsAny
    (
      [Capability::"network", Capability::"browser", Capability::"secrets_read"]
    )
};

// The tool is of high risk, since it runs anything; a call is of low risk only when its command can do nothing but
// look, whatever its arguments are, and shows no content of a file, which \`fs.read\` does where rules see the file.
// Git runs what the configuration of a repository names, too, which no agent can write.
@id("auto-spares-caged-programs")
@says("a program that only looks, in a proven cage without network, needs no question")
permit (
  principal is User in Role::"operator",
  action == Action::"tool.unattended",
  resource == Tool::"process.run"
)
when
{
  context has process &&
  (["ls",
    "pwd",
    "stat",
    "id",
    "whoami",
    "uname",
    "which",
    "echo",
    "true",
    "false",
    "basename",
    "dirname",
    "readlink",
    "realpath"].contains
     (
       context.process.executable
     ) ||
   ["git",
    "git --version",
    "git branch",
    "git diff --stat",
    "git log --oneline",
    "git status",
    "git status --porcelain",
    "git status --short"].contains
     (
       context.process.commandLine
     )) &&
  !(context.process has environment) &&
  context.bodyBytes == 0 &&
  resource.source == "built-in" &&
  context.agent == "palyra" &&
  context.skill == "" &&
  [Channel::"cli", Channel::"console", Channel::"desktop"].contains(context.channel) &&
  context.tier == Tier::"C" &&
  [Taint::"file", Taint::"tool"].containsAll(context.taint) &&
  context.secrets.isEmpty() &&
  context.hosts.all.isEmpty() &&
  !context.reads.anyUnder.contains("/") &&
  !context.capabilities
    .containsAny
    (
      [Capability::"network", Capability::"browser", Capability::"secrets_read"]
    )
};

// The gateway writes them itself, in the workspace alone, and keeps what was there.
@id("auto-spares-file-changes")
@says("a change to files of the workspace can be taken back, and needs no question")
permit (
  principal is User in Role::"operator",
  action == Action::"tool.unattended",
  resource
)
when
{
  [Tool::"fs.write", Tool::"fs.patch"].contains(resource) &&
  [Risk::"low", Risk::"medium"].contains(resource.risk) &&
  resource.source == "built-in" &&
  context.agent == "palyra" &&
  context.skill == "" &&
  [Channel::"cli", Channel::"console", Channel::"desktop"].contains(context.channel) &&
  [Taint::"file", Taint::"tool"].containsAll(context.taint) &&
  context.secrets.isEmpty() &&
  context.hosts.all.isEmpty() &&
  !context.reads.anyUnder.contains("/") &&
  !context.writes.anyUnder.contains("/")
};
`,
  "closed.cedar": `@id("closed-until-the-rules-can-be-read")
@says("no set of rules could be read yet, so no agent does anything")
@hard
forbid (
  principal,
  action in [Action::"act", Action::"workspace.open"],
  resource
);
`,
  "read-only.cedar": `@id("read-only-runs-reading-tools")
@says("in read-only mode only tools that read are run")
forbid (
  principal,
  action == Action::"tool.execute",
  resource
)
unless
{
  [Tool::"fs.read",
   Tool::"fs.list",
   Tool::"fs.search",
   Tool::"artifact.read",
   Tool::"http.fetch",
   Tool::"memory.search",
   Tool::"browser.open",
   Tool::"browser.read",
   Tool::"browser.screenshot"].contains
    (
      resource
    ) &&
  resource.source == "built-in" &&
  context.writes.all.isEmpty() &&
  context.bodyBytes == 0 &&
  (if context has http then ["GET", "HEAD"].contains(context.http.method) else true)
};

@id("read-only-changes-nothing")
@says("in read-only mode nothing is saved, deleted or run as a skill")
forbid (
  principal,
  action in
    [Action::"skill.execute",
     Action::"memory.save",
     Action::"memory.delete",
     Action::"memory.purge",
     Action::"routine.save",
     Action::"routine.delete"],
  resource
);
`,
} as const;
