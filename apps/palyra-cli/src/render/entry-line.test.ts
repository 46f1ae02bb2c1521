import { type JsonObject, create } from '@bufbuild/protobuf';
import { JOURNAL_KINDS } from '@palyra/kernel';
import { JournalEntrySchema } from '@palyra/protocol';
import { describe, expect, it } from 'vitest';
import { recordedTerminal } from '../../testing/recorded-terminal.ts';
import { entryLine, summaryOf } from './entry-line.ts';

const decided = create(JournalEntrySchema, {
  sequence: 42n,
  time: '2026-11-15T21:30:04.120Z',
  kind: 'tool.decided',
  payload: { kind: 'DECISION_KIND_DENY', reason: 'no rule\n allows \u001b[2J it' },
});

describe('an entry on one line', () => {
  it('tells number, time, kind and what matters', () => {
    expect(entryLine(recordedTerminal().terminal, decided)).toBe(
      '    42  2026-11-15 21:30:04  tool.decided        deny  no rule allows \\u{001b}[2J it',
    );
  });

  it('fits the terminal', () => {
    const line = entryLine(recordedTerminal({ columns: 60 }).terminal, decided);
    expect(line.length).toBeLessThanOrEqual(60);
    expect(line.endsWith('…')).toBe(true);
  });

  it('has something to tell for every kind there is', () => {
    const everything: JsonObject = Object.fromEntries(
      'version reason segments prompt turns status text tool kind executor outcome attestationId cause candidateHash decision path summary principal'
        .split(' ')
        .map((name) => [name, name]),
    );
    for (const note of ['authority', 'member', 'device', 'pairing', 'token', 'session', 'grant']) {
      everything[note] = {
        authorityId: 'x',
        name: 'x',
        pairingId: 'x',
        label: 'x',
        sessionId: 'x',
        grantId: 'x',
      };
    }
    everything['changes'] = [{ table: 'devices' }];
    const silent = Object.keys(JOURNAL_KINDS).filter((kind) => summaryOf(kind, everything) === '');
    expect(silent).toEqual([]);
  });

  it('looks into what a note is about, and names each table once', () => {
    const device = { name: 'laptop', kind: 'DEVICE_KIND_CLI', deviceId: '01J' };
    expect(summaryOf('device.paired', { device })).toBe('laptop  cli  01J');
    const changes = ['devices', 'pairings', 'devices'].map((table) => ({ table, id: 'x' }));
    expect(summaryOf('records.changed', { changes })).toBe('devices  pairings');
  });

  it('hides what looks like a secret, in arguments and in text', () => {
    const args = { command: 'mysql', args: ['-phunter2', 'db'], password: 'hunter2' };
    const line = summaryOf('tool.proposed', { tool: 'process.run', arguments: args });
    expect(line).toBe(
      'process.run  {"command":"mysql","args":["-p[redacted]","db"],"password":"[redacted]"}',
    );
    expect(summaryOf('run.started', { prompt: 'run redis-cli -a hunter2 ping' })).toBe(
      'run redis-cli -a [redacted] ping',
    );
  });

  it('says nothing about a kind of a newer Palyra', () => {
    expect(summaryOf('constructor', { reason: 'x' })).toBe('');
  });
});
