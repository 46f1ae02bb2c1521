import { create } from '@bufbuild/protobuf';
import { canonicalJson } from '@palyra/kernel';
import { Capability, CallFactsSchema, PrincipalKind, Risk, Role } from '@palyra/protocol';
import type { PolicyRequest } from '../src/model.ts';
import { requestForCall } from '../src/request/call-request.ts';
import { NO_OWN_GROUND } from '../src/request/own-ground.ts';
import { isProblem } from '../src/request/problem.ts';

const NOW = new Date('2026-11-16T09:30:00Z');

export interface CallWish {
  /** Distinguishes the run, the session and, with `isNew`, the command. */
  readonly at: number;
  readonly command?: readonly string[];
  /** Otherwise it differs from others only in what no rule reads. */
  readonly isNew?: true;
}

/** What the rules are asked when an operator's run starts a command. */
export function commandAt({ at, command = ['git', 'status'], isNew }: CallWish): PolicyRequest {
  const [executable = '', ...args] = command;
  const facts = create(CallFactsSchema, {
    process: { executable, arguments: isNew ? [...args, `file-${at}`] : args, directory: '.' },
    reads: ['.'],
    argumentBytes: 64,
  });
  const id = at.toString(32).toUpperCase().padStart(26, '0');
  const asked = requestForCall(
    {
      proposal: {
        runId: id,
        sessionId: id,
        tool: 'process.run',
        capabilities: [Capability.PROCESS_EXEC, Capability.FILESYSTEM_READ],
        risk: Risk.HIGH,
        facts,
      },
      source: 'built-in',
      standing: {
        principal: 'user:01JZ8Q6Y7D0M3W5K9RB2XN4TFC',
        kind: PrincipalKind.USER,
        member: 'user:01JZ8Q6Y7D0M3W5K9RB2XN4TFC',
        name: 'Ann',
        role: Role.OPERATOR,
        scopes: [],
      },
      channel: 'cli',
      deviceId: '01JZ8Q6Y7D0M3W5K9RB2XN4TFD',
    },
    { now: NOW, own: NO_OWN_GROUND },
  );
  if (isProblem(asked)) throw new Error(asked.problem);
  return asked;
}

/** The entry in which the journal keeps that it was allowed. */
export function entryAt(wish: CallWish): Uint8Array {
  const asked = commandAt(wish);
  const id = wish.at.toString(32).toUpperCase().padStart(26, '0');
  const payload = {
    asked,
    callId: id,
    fingerprint: 'f'.repeat(64),
    kind: 'DECISION_KIND_ALLOW',
    policyEngine: 'cedar 4.13.0',
    policySetHash: '0'.repeat(64),
    reason: 'operators may start commands of the workspace',
    ruleIds: ['commands'],
  };
  const entry = {
    actor: 'gateway',
    format: 'palyra.journal.v1',
    id,
    kind: 'tool.decided',
    payload,
  };
  const place = {
    previousHash: '0'.repeat(64),
    runId: id,
    sequence: String(wish.at + 1),
    sessionId: id,
  };
  return encoder.encode(canonicalJson({ ...entry, ...place, time: NOW.toISOString() }));
}

const encoder = new TextEncoder();
