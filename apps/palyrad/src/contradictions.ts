import type { ContradictionCheck } from '@palyra/config';
import { keysInPlainText } from '@palyra/models';
import type { SECTIONS } from './sections.ts';

type Check = ContradictionCheck<typeof SECTIONS>;

/** It promises several gateways on one database, which a store of our own cannot be. */
const fleetIsNotBuilt: Check = ({ deployment }) =>
  deployment.profile !== 'worker-enabled'
    ? undefined
    : {
        keys: ['deployment.profile'],
        message:
          'the profile `worker-enabled` needs a shared database, which is not part of this build',
        help: 'use the profile `single-vm`',
        code: 'NOT_BUILT',
      };

/** JSON writes the least fortunate byte, a control character, with six. */
const JSON_GROWTH = 6;

const doorsOnOnePort: Check = ({ transport: { listen, console } }) =>
  portOf(listen) === '0' || portOf(listen) !== portOf(console)
    ? undefined
    : {
        keys: ['transport.listen', 'transport.console'],
        message: 'devices and browsers cannot share a port: one speaks TLS, the other does not',
        help: 'give `transport.console` another port, or set it to `off`',
      };

const turnDoesNotFitAnEntry: Check = ({ journal, runs }) =>
  runs.max_turn_bytes * JSON_GROWTH <= journal.entry_bytes
    ? undefined
    : {
        keys: ['runs.max_turn_bytes', 'journal.entry_bytes'],
        message: 'a turn of the model may not fit into one journal entry',
        help: `make \`journal.entry_bytes\` at least ${JSON_GROWTH} times \`runs.max_turn_bytes\``,
      };

const promptDoesNotFitAnEntry: Check = ({ journal, runs }) =>
  runs.max_prompt_bytes * JSON_GROWTH <= journal.entry_bytes
    ? undefined
    : {
        keys: ['runs.max_prompt_bytes', 'journal.entry_bytes'],
        message: 'a prompt may not fit into one journal entry',
        help: `make \`journal.entry_bytes\` at least ${JSON_GROWTH} times \`runs.max_prompt_bytes\``,
      };

const entryDoesNotFitTheQueue: Check = ({ journal }) =>
  journal.entry_bytes <= journal.queue_bytes
    ? undefined
    : {
        keys: ['journal.entry_bytes', 'journal.queue_bytes'],
        message: 'an entry may be larger than everything that may wait for a commit',
        help: 'raise `journal.queue_bytes` above `journal.entry_bytes`',
      };

/** Connect's JSON carries the bytes of an entry as base64, and the rest of its message beside them. */
const messageBytesOf = (entryBytes: number) => Math.ceil(entryBytes / 3) * 4 + 65_536;

const entryDoesNotFitAMessage: Check = ({ journal, transport }) =>
  messageBytesOf(journal.entry_bytes) <= transport.max_message_bytes
    ? undefined
    : {
        keys: ['transport.max_message_bytes', 'journal.entry_bytes'],
        message: 'an entry of the journal may not fit into one message, and could not be read',
        help: `make \`transport.max_message_bytes\` at least ${messageBytesOf(journal.entry_bytes)}`,
      };

/** Also with the script: who sets an address should hear of it then, not when they change the provider. */
const modelInPlainText: Check = ({ models }) => {
  const [key, ...others] = keysInPlainText(models).map((name) => `models.${name}` as const);
  return key === undefined
    ? undefined
    : {
        keys: [key, ...others, 'models.plain_text'],
        message: 'a model on another machine may not be spoken to without encryption',
        help: `use \`https\` in \`${key}\`, or set \`models.plain_text\` to \`anywhere\``,
      };
};

/** What the daemon does not start with, though each setting is fine by itself. */
export const CONTRADICTIONS: readonly Check[] = [
  fleetIsNotBuilt,
  doorsOnOnePort,
  turnDoesNotFitAnEntry,
  promptDoesNotFitAnEntry,
  entryDoesNotFitTheQueue,
  entryDoesNotFitAMessage,
  modelInPlainText,
];

function portOf(address: string): string {
  return address.slice(address.lastIndexOf(':') + 1);
}
