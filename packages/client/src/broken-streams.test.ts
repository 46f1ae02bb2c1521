import { create } from '@bufbuild/protobuf';
import { Code, ConnectError, type Transport, createRouterTransport } from '@connectrpc/connect';
import {
  ErrorCode,
  ErrorDetailSchema,
  GetCallerResponseSchema,
  IdentityService,
  JournalService,
  JournalRecordSchema,
} from '@palyra/protocol';
import { describe, expect, it } from 'vitest';
import { explainingStreams } from './broken-streams.ts';
import { createClient } from './client.ts';

type Answer = 'known' | 'revoked' | 'gone';

/** A gateway that cuts a stream after its first message, and then answers like this. */
function cutting(answer: Answer): Transport {
  return createRouterTransport(({ service }) => {
    service(JournalService, {
      async *tailJournal() {
        yield create(JournalRecordSchema);
        throw new ConnectError('cut', Code.Unavailable);
      },
    });
    service(IdentityService, { getCaller: () => callerAfter(answer) });
  });
}

function callerAfter(answer: Answer) {
  switch (answer) {
    case 'known':
      return create(GetCallerResponseSchema);
    case 'gone':
      throw new ConnectError('gone', Code.Unavailable);
    case 'revoked': {
      const value = { code: ErrorCode.DEVICE_REVOKED, message: 'the device was revoked' };
      const details = [{ desc: ErrorDetailSchema, value }];
      throw new ConnectError('no', Code.Unauthenticated, undefined, details);
    }
  }
}

const following = (answer: Answer) =>
  Array.fromAsync(createClient(explainingStreams(cutting(answer))).journal.tailJournal({}));

describe('a stream that breaks off', () => {
  it('says that this device was shut out when the gateway says so', async () => {
    await expect(following('revoked')).rejects.toMatchObject({
      code: 'DEVICE_REVOKED',
      message: 'the device was revoked',
    });
  });

  it('says that it broke off when nobody is there any more', async () => {
    await expect(following('gone')).rejects.toMatchObject({
      code: 'DAEMON_UNREACHABLE',
      message: 'the connection to the daemon broke off',
    });
  });

  it('does not send anybody to start a gateway that answers', async () => {
    await expect(following('known')).rejects.toMatchObject({
      code: 'DAEMON_UNREACHABLE',
      help: 'the gateway answers again: give the same command again',
    });
  });
});
