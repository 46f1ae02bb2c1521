import { JOURNAL_KINDS, type JsonObject } from '@palyra/kernel';
import { describe, expect, it } from 'vitest';
import { entryTelling } from './entry-telling.ts';

describe('what an entry tells', () => {
  it('is one line a part, with everything in it visible and wire names in words', () => {
    const payload = { kind: 'DECISION_KIND_DENY', reason: ' no rule\n allows \u001b[2J it ' };
    expect(entryTelling('tool.decided', payload)).toEqual([
      'deny',
      'no rule allows \\u{001b}[2J it',
    ]);
  });

  it('has something to tell for every kind there is', () => {
    const everything: JsonObject = Object.fromEntries(
      'version reason segments prompt turns status text tool kind executor outcome attestationId cause candidateHash decision path summary principal'
        .split(' ')
        .map((name) => [name, name]),
    );
    for (const note of [
      'authority',
      'member',
      'device',
      'pairing',
      'token',
      'session',
      'grant',
      'passkey',
    ]) {
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
    everything['tiers'] = [{ tier: 'C', state: 'TIER_STATE_PROVEN' }];
    const silent = Object.keys(JOURNAL_KINDS).filter(
      (kind) => entryTelling(kind, everything).length === 0,
    );
    expect(silent).toEqual([]);
  });

  it('names the tools that a model asks for when it says nothing', () => {
    const toolCalls = ['fs.read', 'fs.read', 'fs.list'].map((tool) => ({ callId: 'x', tool }));
    expect(entryTelling('model.message', { text: '', toolCalls })).toEqual(['fs.read', 'fs.list']);
  });

  it('looks into what a note is about, and names each table once', () => {
    const device = { name: 'laptop', kind: 'DEVICE_KIND_CLI', deviceId: '01J' };
    expect(entryTelling('device.paired', { device })).toEqual(['laptop', 'cli', '01J']);
    const changes = ['devices', 'pairings', 'devices'].map((table) => ({ table, id: 'x' }));
    expect(entryTelling('records.changed', { changes })).toEqual(['devices', 'pairings']);
  });

  it('hides what looks like a secret, in arguments and in text', () => {
    const args = { command: 'mysql', args: ['-phunter2', 'db'], password: 'hunter2' };
    const told = entryTelling('tool.proposed', { tool: 'process.run', arguments: args });
    expect(told).toEqual([
      'process.run',
      '{"command":"mysql","args":["-p[redacted]","db"],"password":"[redacted]"}',
    ]);
    expect(entryTelling('run.started', { prompt: 'run redis-cli -a hunter2 ping' })).toEqual([
      'run redis-cli -a [redacted] ping',
    ]);
  });

  it('says nothing about a kind of a newer Palyra', () => {
    expect(entryTelling('constructor', { reason: 'x' })).toEqual([]);
  });
});
