import { DecisionKind } from '@palyra/protocol';
import { describe, expect, it } from 'vitest';
import { ANNA, RULES, call, explainCall, git, load, paths } from './explain.fixture.ts';

describe('a call with a password among its arguments', () => {
  const process = {
    ...git('-phunter2').process,
    executable: 'mysql',
    name: 'mysql',
    names: ['-phunter2', 'mysql'],
    commandLine: 'mysql -phunter2',
  };

  it.each([
    ['denied', call({ context: { process } })],
    [
      'of another type than the schema wants',
      call({ context: { process, agent: ['mysql -phunter2'] } }),
    ],
    ['that does not fit', call({ context: { process, reads: 'mysql -phunter2' } })],
  ])('is explained without it: one that is %s', async (_name, request) => {
    const explanation = await explainCall(await load(RULES), request);
    expect(explanation.kind).toBe(DecisionKind.DENY);
    const { request: shown, ...told } = explanation;
    expect(JSON.stringify(shown.context['process'])).not.toContain('hunter2');
    expect(JSON.stringify({ ...told, rules: [] })).not.toContain('hunter2');
    expect(explanation.smallestRule).toBe('');
  });
});

describe('a call that no rule allows', () => {
  it('is told which condition fails, with the value that it has', async () => {
    const explanation = await explainCall(await load(RULES), call({ context: git('push') }));
    expect(explanation.kind).toBe(DecisionKind.DENY);
    expect(explanation.reason).toBe('no rule allows `process.run` for `user:anna`, channel `cli`');
    expect(explanation.missing).toEqual([
      'rule `git-looks` (test.cedar:1) also needs `context.process.first == "status"`; it is "push"',
    ]);
  });

  it('is told of every condition, those of unless too', async () => {
    const context = {
      ...git('push'),
      channel: { type: 'Channel', id: 'api' },
      taint: [{ type: 'Taint', id: 'web' }],
    };
    const explanation = await explainCall(await load(RULES), call({ context }));
    expect(explanation.missing).toEqual([
      'rule `git-looks` (test.cedar:1) also needs `context.channel == Channel::"cli"`; it is Channel::"api"',
      'rule `git-looks` (test.cedar:1) also needs `context.process.first == "status"`; it is "push"',
      'rule `git-looks` (test.cedar:1) does not hold when `context.taint.contains(Taint::"web")`; it is [Taint::"web"]',
    ]);
  });

  it('is told of what is absent once, not of every look into it', async () => {
    const explanation = await explainCall(await load(RULES), call());
    expect(explanation.missing).toEqual([
      'rule `git-looks` (test.cedar:1) also needs `context has process`; it is absent',
    ]);
  });

  it('is told for whom the rule is', async () => {
    const request = call({ role: 'owner', context: git('status') });
    const explanation = await explainCall(await load(RULES), request);
    expect(explanation.missing).toEqual([
      'rule `git-looks` (test.cedar:1) is for `principal in Role::"operator"`; `user:anna` is not',
    ]);
  });

  it('is told that no rule comes near', async () => {
    const listed = `@id("a") permit (principal, action, resource)
      when { [Tool::"fs.read", Tool::"fs.list"].contains(resource) };
      @id("b") permit (principal == User::"user:bob", action, resource);
      @id("c") permit (principal is Token, action, resource);
      @id("d") permit (principal, action == Action::"tool.unattended", resource);`;
    const explanation = await explainCall(await load(listed), call({ tool: 'x.y' }));
    expect(explanation.missing).toEqual(['no rule lists `x.y` for `user:anna`, channel `cli`']);
  });

  it('hears first of the rule that lacks least, and of no more than twenty lines', async () => {
    const rules = Array.from(
      { length: 30 },
      (_, n) => `@id("r${n}") permit (principal, action, resource)
        when { context.device == "d${n}" && ${n === 7 ? 'true' : 'context.session == ""'} };`,
    );
    const { missing } = await explainCall(await load(rules.join('\n')), call());
    expect(missing).toHaveLength(20);
    expect(missing[0]).toBe(
      'rule `r7` (test.cedar:1) also needs `context.device == "d7"`; it is ""',
    );
  });
});

describe('a call that waits for an approval', () => {
  it('is offered a rule that spares just it the question', async () => {
    const explanation = await explainCall(await load(RULES), call({ context: git('status') }));
    expect(explanation).toMatchObject({
      kind: DecisionKind.NEEDS_APPROVAL,
      reason:
        'rule `programs-ask` (test.cedar:1) wants `process.run` approved: `a program is to be run`',
      help: 'it waits for 1 admin; the smallest rule would spare just this call the question',
      missing: [
        'rule `programs-ask` (test.cedar:1) wants it approved by 1 admin: `a program is to be run`',
      ],
      smallestRuleEffect: 'spares the question',
    });
    expect(explanation.smallestRule).toBe(`\
@id("unattended-process-run-19c9e0077243eb8f")
@says("needs no question for process.run for user:anna exactly as it was asked for")
permit (
  principal == User::"user:anna",
  action == Action::"tool.unattended",
  resource == Tool::"process.run"
)
when {
  context.channel == Channel::"cli" &&
  context.agent == "palyra" &&
  context.skill == "" &&
  context has workspace &&
  context.workspace == "/home/anna/work" &&
  context.taint.isEmpty() &&
  context has process &&
  context.process.commandLine == "/usr/bin/git status" &&
  context.process.directory == "." &&
  !(context has http) &&
  context.reads.all.isEmpty() &&
  context.writes.all.isEmpty() &&
  context.hosts.all.isEmpty() &&
  context.hosts.ports.isEmpty() &&
  context.secrets.isEmpty() &&
  context.bodyBytes <= 0 &&
  context.argumentsSha256 == "${'0'.repeat(64)}" &&
  context.tier == Tier::"none"
};`);
  });

  it('is offered none by a gate that no rule spares', async () => {
    const gate = `@id("p") permit (principal, action, resource);
      @id("always-asks") @gate("approval") forbid (principal, action, resource)
      unless { context has approval && context.approval.count >= 1 };`;
    const secret = { reads: paths('.env', 'sk-ant-api03-aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa') };
    for (const context of [{}, secret]) {
      expect(await explainCall(await load(gate), call({ context }))).toMatchObject({
        kind: DecisionKind.NEEDS_APPROVAL,
        help: 'it waits for 1 operator: rule `always-asks` (test.cedar:1) cannot be spared, only its approvers can say yes',
        smallestRule: '',
      });
    }
  });

  it('that is no tool call is offered none', async () => {
    const gate = `@id("p") permit (principal, action, resource);
      @id("g") @gate("approval") forbid (principal, action, resource)
      unless { context has approval && context.approval.count >= 1 };`;
    const request = {
      ...call(),
      action: 'vault.get',
      resource: { type: 'Secret', id: 's' },
    };
    const explanation = await explainCall(await load(gate), { ...request, entities: [] });
    expect(explanation).toMatchObject({ kind: DecisionKind.NEEDS_APPROVAL, smallestRule: '' });
  });
});

describe('a call that a rule forbids', () => {
  const forbid = `@id("no-pushing") @says("nobody pushes") forbid (principal, action, resource)
    when { context has process && context.process.first == "push" } ;`;
  const permit = `@id("all") permit (principal, action, resource);`;

  it('is offered that rule with an exception for just it', async () => {
    const loaded = await load(`${permit}\n${forbid}`);
    const explanation = await explainCall(loaded, call({ context: git('push') }));
    expect(explanation).toMatchObject({
      kind: DecisionKind.DENY,
      reason: 'rule `no-pushing` (test.cedar:1) forbids `process.run`: `nobody pushes`',
      help: 'the smallest rule, in the place of `no-pushing` in `test.cedar`, makes an exception for just this call',
      missing: ['rule `no-pushing` (test.cedar:1) forbids it: `nobody pushes`'],
      smallestRuleEffect: 'allows it',
    });
    expect(explanation.smallestRule).toContain('context.process.first == "push" }\nunless {\n');
    expect(explanation.smallestRule).toMatch(/^@id\("no-pushing"\)/);
  });

  it('and that no rule allows is offered both that it lacks', async () => {
    const explanation = await explainCall(await load(forbid), call({ context: git('push') }));
    expect(explanation.smallestRuleEffect).toBe('allows it');
    expect(explanation.smallestRule.match(/^(permit|@id|unless)/gm)).toEqual([
      '@id',
      'unless',
      '@id',
      'permit',
    ]);
    expect(explanation.missing).toEqual([
      'rule `no-pushing` (test.cedar:1) forbids it: `nobody pushes`',
      'no rule lists `process.run` for `user:anna`, channel `cli`',
    ]);
  });

  it.each([
    [{ isHard: true, layer: 'built-in' }, /^nobody lifts it/],
    [{ isHard: true, layer: 'admin' }, /only this machine's administrator could take it back/],
    [{ layer: 'built-in', file: 'paths.cedar' }, /comes with the gateway/],
    [{ layer: 'built-in', file: 'modes/read-only.cedar' }, /set `policy.mode` to `ask`/],
    [{ layer: 'built-in', file: 'modes/closed.cedar', isHard: true }, /`palyra policy reload`/],
  ] as const)(
    'for good (%o) is offered none, and told what to do instead',
    async (change, help) => {
      const explanation = await explainCall(
        await load(forbid, change),
        call({ context: git('push') }),
      );
      expect(explanation).toMatchObject({ kind: DecisionKind.DENY, smallestRule: '' });
      expect(explanation.smallestRuleEffect).toBe('');
      expect(explanation.help).toMatch(help);
    },
  );
});

describe('a call that is allowed', () => {
  it('unasked is said to be', async () => {
    const rules = `${RULES} @id("u") permit (principal, action == Action::"tool.unattended", resource);`;
    const { kind, reason } = await explainCall(await load(rules), call({ context: git('status') }));
    expect(kind).toBe(DecisionKind.ALLOW);
    expect(reason).toMatch(/allows `process.run` without a question \(and 1 more\)/);
  });

  it('needs nothing', async () => {
    const loaded = await load('@id("all") @says("go on") permit (principal, action, resource);');
    expect(await explainCall(loaded, call())).toMatchObject({
      kind: DecisionKind.ALLOW,
      reason: 'rule `all` (test.cedar:1) allows `process.run`: `go on`',
      help: '',
      missing: [],
      smallestRule: '',
      engine: 'cedar 4.13.0',
      policySetHash: loaded.set.hash,
    });
  });
});

describe('a call that cannot be decided', () => {
  it('shows the errors and offers nothing', async () => {
    const explanation = await explainCall(await load(RULES), call({ context: { tier: 'C' } }));
    expect(explanation.kind).toBe(DecisionKind.DENY);
    expect(explanation.errors).not.toEqual([]);
    expect(explanation).toMatchObject({ missing: [], smallestRule: '' });
    expect(explanation.reason).toBe(
      'the rules could not be evaluated for `process.run`, so it is denied',
    );
    // Whoever reads this has just run it.
    expect(explanation.help).not.toContain('palyra policy explain');
  });
});

describe('an explanation', () => {
  it('shows no secret, in no part', async () => {
    const loaded = await load(`@id("a") permit (principal, action, resource)
      when { context has process && context.process.commandLine == "x"
        && context.process.arguments.contains("y") && context.process.first == "z" };`);
    const context = git('--password', 'hunter2hunter2', 'push');
    const explanation = await explainCall(loaded, call({ context }));
    expect(JSON.stringify(explanation)).not.toContain('hunter2');
    expect(explanation.smallestRule).toBe('');
    expect(explanation.help).toMatch(/looks like a secret/);
    expect(explanation.missing).toHaveLength(3);
  });

  it('of a call that is too long for a rule says so', async () => {
    const all = Array.from({ length: 40 }, (_, n) => `${n}/${'long '.repeat(100)}`);
    const request = call({ principal: ANNA, context: { writes: paths(...all) } });
    const explanation = await explainCall(await load(RULES), request);
    expect(explanation).toMatchObject({
      smallestRule: '',
      help: 'no exact rule is offered: the call is too long to be named in a rule',
    });
  });

  it('leaves the set in force as it is, even when many are asked for at once', async () => {
    const loaded = await load(RULES);
    const requests = Array.from({ length: 8 }, (_, n) => call({ context: git(`push${n}`) }));
    const explanations = await Promise.all(requests.map((one) => explainCall(loaded, one)));
    expect(explanations.map(({ missing }) => missing[0]?.slice(-8))).toEqual(
      requests.map((_, n) => `s "push${n}"`.slice(-8)),
    );
    expect(loaded.evaluate(call({ context: git('push') })).decision).toBe('deny');
  });
});

describe('a call of a tool that does not exist here', () => {
  const NO_RULE = {
    help: 'no such tool exists here, so there is no rule that could allow it',
    missing: ['there is no tool `mail.send` here for a rule to name'],
    smallestRule: '',
    smallestRuleEffect: '',
  };

  it('is offered no rule, because none could be loaded', async () => {
    const request = call({ tool: 'mail.send', source: 'unknown' });
    const explanation = await explainCall(await load(RULES), request);
    expect(explanation).toMatchObject({ kind: DecisionKind.DENY, ...NO_RULE });
  });

  it('is offered none either when the tool was there once', async () => {
    const tools = { names: new Set(['process.run']), prefixes: ['mcp.'] };
    const loaded = await load(RULES);
    const gone = await explainCall(loaded, call({ tool: 'mail.send' }), tools);
    expect(gone).toMatchObject(NO_RULE);
    const known = await explainCall(loaded, call({ tool: 'mcp.mail' }), tools);
    expect(known.smallestRule).toContain('Tool::"mcp.mail"');
  });
});
