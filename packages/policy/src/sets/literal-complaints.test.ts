import { describe, expect, it } from 'vitest';
import { builtInFiles } from './built-in.ts';
import { compiled, forbid, operator, problemsOf } from './compile.fixture.ts';
import { compileAfresh } from './compile.ts';
import { misspeltLiterals } from './literal-complaints.ts';

const ruleFor = (condition: string) => operator(forbid(`when { ${condition} }`));
/** Facts that not every question has are asked for first, as Cedar demands. */
const GUARDS = ['process', 'http', 'approval', 'workspace'];
function guarded(condition: string): string {
  const guards = GUARDS.filter((name) => condition.includes(`context.${name}`));
  return [...guards.map((name) => `context has ${name}`), condition].join(' && ');
}

function wrong(condition: string) {
  const [problem, ...more] = problemsOf([ruleFor(guarded(condition))]);
  expect(more).toEqual([]);
  return problem;
}

describe('a fact that never has the value that a rule compares it with', () => {
  it.each([
    ['context.reads.parts.contains("Secrets")', 'write `secrets`'],
    ['context.reads.parts.containsAny([".env", "id_rsa."])', 'write `id_rsa`'],
    ['context.writes.parts.containsAll([".GitHub"])', 'write `.github`'],
    [
      'context.reads.parts.contains("docs/secrets")',
      'write one name; `anyUnder` and `allUnder` hold whole paths',
    ],
    ['context.hosts.anyUnder.contains("Example.NET")', 'write `example.net`'],
    ['context.hosts.anyUnder.contains(".evil.com")', 'write `evil.com`'],
    ['context.hosts.all.contains("*.evil.com")', 'write `evil.com`'],
    ['context.hosts.all.contains("https://evil.com/x")', 'write `evil.com`'],
    ['context.hosts.all.contains("evil.com:8443")', 'write `evil.com`'],
    ['context.hosts.all.contains("evil.com.")', 'write `evil.com`'],
    ['context.hosts.all.contains("bücher.example")', 'write `xn--bcher-kva.example`'],
    ['context.hosts.all.contains("127.1")', 'write `127.0.0.1`'],
    ['context.hosts.all.contains("2001:DB8::0:1")', 'write `2001:db8::1`'],
    ['context.reads.anyUnder.contains("docs/")', 'write `docs`'],
    ['context.reads.anyUnder.contains("./secrets/")', 'write `secrets`'],
    ['context.writes.all.contains("a//b")', 'write `a/b`'],
    ['context.writes.all.contains("../b")', 'write it from the workspace, or from `/`'],
    ['context.reads.allUnder.contains("~/.ssh")', 'write it from the workspace, or from `/`'],
    ['context.reads.names.contains("docs/a.md")', 'write `a.md`'],
    ['context.writes.extensions.contains(".exe")', 'write `exe`'],
    ['context.writes.extensions.contains("EXE")', 'write `exe`'],
    ['context.writes.extensions.contains("tar.gz")', 'write `gz`'],
    ['context.http.method == "post"', 'write `POST`'],
    ['context.http.method != "post"', 'write `POST`'],
    ['"post" == context.http.method', 'write `POST`'],
    ['["GET", "post"].contains(context.http.method)', 'write `POST`'],
    ['context.http.method like "p*"', 'write it as `POST`'],
    ['context.http.method like "post"', 'write `POST`'],
    ['context.http.scheme == "HTTPS"', 'write one of `http`, `https`'],
    ['context.http.scheme like "ftp*"', 'write one of `http`, `https`'],
    ['context.http.host like "*.Evil.com"', expect.stringContaining('`example.com`')],
    ['context.http.path == "v1/prices"', 'write `/v1/prices`'],
    ['context.http.path == "/v1?x=1"', 'write `/v1`'],
    ['context.http.path == "/bücher"', 'write `/b%C3%BCcher`'],
    ['context.http.path == "/%61dmin"', 'write `/admin`'],
    ['context.http.path == "/%c3%bc"', 'write `/%C3%BC`'],
    ['context.http.path == "/100%"', expect.stringContaining('`/v1/prices`')],
    ['context.http.path == "/a b"', 'write `/a%20b`'],
    ['context.http.path == "/v1/../admin"', 'write `/admin`'],
    ['context.http.path like "/bücher/*"', expect.stringContaining('`/b%C3%BCcher`')],
    ['context.http.path like "/v1/../*"', expect.stringContaining('`/v1/prices`')],
    ['context.http.port == 70000', 'compare it with 0 to 65535'],
    ['context.hosts.ports.contains(-1)', 'compare it with 0 to 65535'],
    ['context.process.executable == "scripts/build"', 'write `./scripts/build`'],
    ['context.process.executable like "scripts/*"', expect.stringContaining('`./scripts/build`')],
    ['context.process.executable like "../*"', expect.stringContaining('`./scripts/build`')],
    ['context.process.executable like "/opt/*/"', expect.stringContaining('`./scripts/build`')],
    ['context.process.name == "/usr/bin/git"', 'write `git`'],
    ['context.process.names.contains("deploy.sh")', 'write `deploy`'],
    ['context.process.names.contains("git push")', 'write one name, such as `git`'],
    ['context.process.commandLine == "git  status"', 'write `git status`'],
    ['context.process.directory == "./src"', 'write `src`'],
    ['context.process.count > 1024', 'compare it with 0 to 1024'],
    ['context.workspace == "/srv/archive/"', 'write `/srv/archive`'],
    ['context.workspace like "srv/*"', 'write it from `/`'],
    ['context.workspace like "/srv/*/"', 'write it from `/`'],
    ['resource.source == "builtin"', 'write one of `built-in`, `skill`, `mcp`, `unknown`'],
    ['context.time.hour >= 25', 'compare it with 0 to 23'],
    ['24 <= context.time.hour', 'compare it with 0 to 23'],
    ['context.time.hour > 23', 'compare it with 0 to 23'],
    ['context.time.hour < 0', 'compare it with 0 to 23'],
    ['context.time.weekday == 0', 'compare it with 1 to 7'],
    ['context.time.date == "2026-11-31"', 'write it as `2026-11-17`'],
    ['context.bodyBytes < 0', 'compare it with 0 or more'],
    ['context.approval.approvers.contains("anna")', 'write it as `user:01J…`'],
    [`context.argumentsSha256 == "${'AB'.repeat(32)}"`, `write \`${'ab'.repeat(32)}\``],
  ])('is refused, with the spelling to use: %s', (condition, help) => {
    expect(wrong(condition)).toMatchObject({ layer: 'operator', file: 'own.cedar', line: 3, help });
  });

  it('is told with its reason', () => {
    expect(wrong('context.reads.parts.contains("Secrets")')?.reason).toBe(
      '`context.reads.parts` is never `Secrets`: it is one name of a path, in lower case, nothing invisible, no dots or spaces at its end',
    );
    expect(wrong('context.time.hour >= 25')?.reason).toBe(
      '`context.time.hour >= 25` never holds: it is 0 to 23',
    );
  });

  it('is told where it stands, also beside the same that is no mistake', () => {
    const text = [
      '@id("a") @says("docs/")',
      'forbid (principal, action == Action::"tool.execute", resource)',
      'when',
      '{',
      '  // not "docs/"',
      '  context.secrets.contains("docs/") && 25 == context.bodyBytes &&',
      '  context.reads.all.contains("docs/") && context.time.hour == 25',
      '};',
    ].join('\n');
    expect(problemsOf([operator(text)])).toMatchObject([
      { line: 7, column: 30, help: 'write `docs`' },
      { line: 7, column: 63, help: 'compare it with 0 to 23' },
    ]);
  });

  it('is told where it stands, also when the action is called the same', () => {
    const text = [
      '@id("a") @says("x")',
      'forbid (principal, action in [Action::"work.see", Action::"work.stop"], resource)',
      'when { context.permission == "work.stop" };',
    ].join('\n');
    expect(problemsOf([operator(text)])).toMatchObject([{ line: 3, column: 30 }]);
  });

  it.each([
    ['action == Action::"host.connect", resource == Host::"Evil.com"', 'write `evil.com`'],
    ['action == Action::"workspace.open", resource == Workspace::"/srv/"', 'write `/srv`'],
    ['action == Action::"work.see", resource == Work::"bob"', 'write it as `user:01J…`'],
  ])('is refused as the name of an entity, too: %s', (scope, help) => {
    const text = `@id("a")\n@says("x")\nforbid (principal, ${scope});`;
    expect(problemsOf([operator(text)])).toMatchObject([{ line: 3, help }]);
  });

  it('is refused of a host that a connection goes to, and of a scope of a token', () => {
    const scope = 'principal is Token, action == Action::"host.connect", resource';
    const text = `@id("a") @says("x") forbid (${scope}) when { resource.under.contains("Evil.com") || principal.scopes.contains("sessions_use") };`;
    expect(problemsOf([operator(text)]).map(({ help }) => help)).toEqual([
      'write `evil.com`',
      'write one that exists, such as `sessions.use`',
    ]);
  });

  it('is refused as an exception that always holds', () => {
    const text = forbid('unless { context.time.hour < 24 }');
    expect(problemsOf([operator(text)])).toMatchObject([
      { reason: '`context.time.hour < 24` always holds, so the rule never applies: it is 0 to 23' },
    ]);
  });

  it('is no matter in a set of an earlier day, which must still be explained', () => {
    const file = ruleFor(guarded('context.http.method == "post"'));
    expect(compileAfresh([file], { mode: 'ask' }).kind).toBe('compiled');
  });
});

describe('a value that a fact can have', () => {
  it.each([
    'context.reads.parts.contains("secrets")',
    'context.reads.parts.contains("..")',
    'context.reads.parts.contains("été")',
    'context.reads.all.contains(".")',
    'context.reads.anyUnder.contains("/")',
    'context.reads.all.contains("Docs/READ ME.md")',
    'context.reads.names.contains("README.md")',
    'context.reads.extensions.containsAny(["", "pem"])',
    'context.hosts.anyUnder.containsAny(["com", "xn--bcher-kva.example", "10.0.0.1", "::1"])',
    'context.hosts.all.contains("_dmarc.example.com")',
    'context.http.method == "POST"',
    'context.http.method like "P*"',
    'context.http.host like "*.evil.com"',
    'context.http.path like "/v1/*"',
    'context.http.path == "/v1/%7B"',
    'context.http.path == "/a;b=1/(c)\'!$&*+,:@[d]|~.e/"',
    'context.http.path like "*/.well-known/*"',
    'context.http.path like "*..*"',
    'context.process.executable == "./scripts/build"',
    'context.process.executable like "./scripts/*"',
    'context.process.executable like "/opt/*/bin/*"',
    'context.process.executable like "*/git"',
    'context.process.executable like ".*/build"',
    'context.process.executable like "python3*"',
    'context.process.commandLine like "git *"',
    String.raw`context.process.commandLine == "git commit -m \"a b\""`,
    'context.process.arguments.contains("Docs/")',
    'context.process.names.contains("python3.11")',
    'context.workspace like "/srv/*"',
    'context.workspace like "*/work"',
    'context.time.hour >= 9 && context.time.hour <= 24',
    'context.time.hour < 24',
    'context.time.date like "2026-*"',
    'context.time.date == "2028-02-29"',
    'context.approval.approvers.contains("user:01J")',
    'context.argumentBytes >= 0',
    'resource.source == "mcp"',
  ])('is taken: %s', (condition) => {
    expect(problemsOf([ruleFor(guarded(condition))])).toEqual([]);
  });

  it.each(['ask', 'auto', 'read-only', 'closed'] as const)(
    'is all that the rules of the mode %s name',
    (mode) => {
      const files = builtInFiles(mode);
      expect(files.length).toBeGreaterThan(0);
      const { rules } = compiled(files);
      expect(rules.flatMap(({ json }) => misspeltLiterals(json))).toEqual([]);
    },
  );
});
