import { describe, expect, it } from 'vitest';
import { compiled, forbid, gate, OPENS, operator, permit, problemsOf } from './compile.fixture.ts';
import { compile } from './compile.ts';

describe('the terms of a rule', () => {
  it.each([
    ['a gate that permits', `@gate("approval") ${permit(OPENS)}`, 'a gate is a `forbid`'],
    ['a gate of another kind', `@gate("key") ${forbid(OPENS)}`, '`@gate` has a value'],
    ['a gate that nobody can open', `@gate("approval") ${forbid('')}`, 'no approval can lift'],
    [
      'a gate that looks at the approval in the wrong place',
      `@gate("approval") ${forbid('when { context has approval }')}`,
      'no approval can lift',
    ],
    ['terms without a gate', `@quorum("2") ${forbid('')}`, '`@quorum` says how to approve'],
    ['an unknown severity', gate('severity("huge")'), '`@severity` has a value'],
    ['an unknown role', gate('approvers("king")'), '`@approvers` has a value'],
    ['an inherited role', gate('approvers("constructor")'), '`@approvers` has a value'],
    ['a quorum of none', gate('quorum("0")'), '`@quorum` has a value'],
    ['an unknown strength', gate('strength("word")'), '`@strength` has a value'],
    ['a short wait', gate('wait("29s")'), '`@wait` has a value'],
    ['a long wait', gate('wait("25h")'), '`@wait` has a value'],
    ['a wait without a unit', gate('wait("60")'), '`@wait` has a value'],
    ['hard with a value', `@hard("very") ${forbid('')}`, '`@hard` has a value'],
    ['hard on a permit', `@hard ${permit('')}`, 'only a `forbid` without a gate'],
    ['hard on a gate', `@hard ${gate('')}`, 'only a `forbid` without a gate'],
    ['hard, and lifted by an approval', `@hard ${forbid(OPENS)}`, 'looks at `context.approval`'],
    [
      'hard, and lifted by asking whether it is there',
      `@hard ${forbid('unless { context has approval.count }')}`,
      'looks at `context.approval`',
    ],
    [
      'hard, and lifted unattended',
      `@hard ${forbid('unless { context["unattended"] }')}`,
      'looks at `context.approval`',
    ],
    [
      'hard, and lifted through the whole context',
      `@hard ${forbid('unless { (if true then context else context).unattended }')}`,
      'looks at `context.approval`',
    ],
  ])('%s is refused', (_name, text, reason) => {
    expect(
      problemsOf([{ layer: 'admin', name: 'x.cedar', text }]).map((each) => each.reason),
    ).toContainEqual(expect.stringContaining(reason));
  });

  it('is told at the line and column of the annotation that is at fault', () => {
    const text = `// @wait is looked at below, and @quorum, too
@id("x") @says("the words @wait and @sverity stand here")
@gate("approval") @severity("huge")
  @wait("2d")
@sverity("low")
forbid (principal, action, resource)
unless { context has approval && context.approval.count >= 1 };`;
    const places = problemsOf([operator(text)]).map(({ line, column, reason }) => {
      return `${line}:${column} ${reason}`;
    });
    expect(places).toEqual([
      '3:19 `@severity` has a value that it cannot have',
      '4:3 `@wait` has a value that it cannot have',
      '5:1 there is no annotation `@sverity`',
    ]);
  });

  it('a gate on connections alone is refused, since nobody is asked about one', () => {
    const on = (actions: string) =>
      `@id("a") @says("b") @gate("approval") forbid (principal, action in [${actions}], resource) unless { context has approval && context.approval.count >= 1 };`;
    const connect = 'Action::"host.connect"';
    expect(problemsOf([operator(on(connect))])).toMatchObject([
      { line: 1, column: 21, reason: expect.stringContaining('never asks') },
    ]);
    const both = on(`${connect}, Action::"tool.execute"`);
    expect(compiled([operator(both)]).rules).toHaveLength(1);
  });

  it.each(['30s', '5m', '24h', '86400s'])('a gate may wait %s', (wait) => {
    expect(compiled([operator(gate(`wait("${wait}")`))]).rules).toHaveLength(1);
  });

  it('a tool in another script is refused, also one of a family that is known', () => {
    const files = [operator(permit('when { resource == Tool::"mcp.оо" }'))];
    expect(problemsOf(files).map(({ reason }) => reason)).toContain(
      '`mcp.оо` is not a name of a tool: they are plain ASCII',
    );
  });

  it('a built-in rule may name a tool that this gateway does not have', () => {
    const text = permit('when { resource == Tool::"browser.open" }');
    expect(compiled([{ layer: 'built-in', name: 'x.cedar', text }]).rules).toHaveLength(1);
  });

  it('a path may have folders in two scripts', () => {
    const text = permit('when { context.reads.all.contains("/home/иван/Docs/日本abc") }');
    expect(compiled([operator(text)]).rules).toHaveLength(1);
  });

  it('a tool of a known family, or any that a pattern finds, may be named', () => {
    const text = permit('when { resource == Tool::"mcp.x.y" || context.agent like "a*" }');
    expect(compiled([operator(text)]).rules).toHaveLength(1);
  });

  it('a set of an earlier day may name tools that are gone', () => {
    const files = [operator(permit('when { resource == Tool::"gone" }'))];
    expect(compile(files, { mode: 'ask' }).kind).toBe('compiled');
  });
});
