import { type MessageInitShape, create } from '@bufbuild/protobuf';
import { BacktestReportSchema, DecisionKind } from '@palyra/protocol';
import { describe, expect, it } from 'vitest';
import { recordedTerminal } from '../../testing/recorded-terminal.ts';
import { exitOfBacktest, printBacktest } from './backtest.ts';

function reportOf(report: MessageInitShape<typeof BacktestReportSchema>) {
  return create(BacktestReportSchema, report);
}

function shown(report: MessageInitShape<typeof BacktestReportSchema>): string {
  const { terminal, stdout } = recordedTerminal();
  printBacktest(terminal, reportOf(report));
  return stdout();
}

const change = {
  tool: 'process.run',
  principal: 'user:ada',
  before: DecisionKind.NEEDS_APPROVAL,
  after: DecisionKind.ALLOW,
  ruleIds: ['git-looks-unasked'],
  count: 12n,
  widened: true,
  examples: ['01M7GKAN0GHXDX7M3XJGJQ57D3', '01M7GKAN0GHXDX7M3XJGJQ57D4'],
};

describe('a backtest', () => {
  it('counts, and tells each group of changed decisions with an entry to look at', () => {
    const text = shown({
      calls: 40n,
      unchanged: 27n,
      widened: 12n,
      skipped: 1n,
      changes: [change],
    });
    expect(text).toMatch(
      /calls +40\n.*unchanged +27\n.*widened +12\n.*narrowed +0\n.*skipped +1.*\n/,
    );
    expect(text.trimEnd().split('\n').at(-1)).toMatch(
      /^12 +process\.run +user:ada +a person decides +allowed \(wider\) +git-looks-unasked +01M7GKAN0GHXDX7M3XJGJQ57D3$/,
    );
  });

  it('says how many could not be judged, and that nothing is known of them', () => {
    const text = shown({ calls: 3n, unchanged: 1n, unjudged: 2n });
    expect(text).toMatch(/not judged +2, which cannot be judged with the schema of the candidate/);
    expect(text).toContain('no decision changes among those that could be judged');
    expect(shown({ calls: 1n, unchanged: 1n })).not.toContain('judged');
  });

  it('says where no rule applies any more', () => {
    const denied = { ...change, after: DecisionKind.DENY, ruleIds: [], widened: false };
    expect(shown({ changes: [denied] })).toMatch(/denied +no rule +01M7/);
  });

  it('says where the approval that a call had would be too little', () => {
    const short = { ...change, after: DecisionKind.NEEDS_APPROVAL, widened: false };
    expect(shown({ changes: [short] })).toMatch(/a person decides +needs another approval +git/);
  });

  it('counts the changed calls that are in none of the groups', () => {
    expect(shown({ changes: [change], others: 5n })).toContain(
      '\nand 5 more that changed otherwise',
    );
    expect(shown({ changes: [change] })).not.toContain('more that changed');
  });

  it('says so when no decision changes', () => {
    expect(shown({ calls: 3n, unchanged: 3n })).toContain('✓ no decision changes\n');
  });

  it('ends otherwise when something widened, and only then', () => {
    expect(exitOfBacktest(reportOf({ widened: 1n }))).toBe('widened');
    expect(exitOfBacktest(reportOf({ narrowed: 5n }))).toBe('ok');
  });
});
