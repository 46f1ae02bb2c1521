import type { ErrorCode as WireErrorCode } from '@palyra/protocol';

export type ErrorCode = Exclude<keyof typeof WireErrorCode, 'UNSPECIFIED'>;

/** Status words of the wire; every protocol that we speak has a spelling of each. */
export type WireStatus =
  | 'aborted'
  | 'already_exists'
  | 'canceled'
  | 'data_loss'
  | 'failed_precondition'
  | 'internal'
  | 'invalid_argument'
  | 'not_found'
  | 'permission_denied'
  | 'resource_exhausted'
  | 'unauthenticated'
  | 'unavailable'
  | 'unimplemented';

export interface ErrorEntry {
  readonly wire: WireStatus;
  readonly meaning: string;
  readonly help: string;
}

/** Every fault that can leave Palyra. docs/reference/errors.md is made from this table. */
export const ERRORS = {
  UNEXPECTED: {
    wire: 'internal',
    meaning: 'something failed that Palyra has no name for',
    help: 'look at the daemon log around this time and report it with the run id',
  },
  INVALID_INPUT: {
    wire: 'invalid_argument',
    meaning: 'a request was malformed or out of bounds',
    help: 'correct the named field; `--help` shows an example',
  },
  NOT_FOUND: {
    wire: 'not_found',
    meaning: 'there is no such run, session or entry',
    help: 'list what there is with `palyra runs list` or `palyra journal tail`',
  },
  NOT_BUILT: {
    wire: 'unimplemented',
    meaning: 'this part of Palyra does not exist yet',
    help: 'the README lists what is missing',
  },
  CANCELLED: {
    wire: 'canceled',
    meaning: 'the caller took the request back',
    help: 'start it again if that was not meant',
  },
  OVERLOADED: {
    wire: 'resource_exhausted',
    meaning: 'a bounded queue or buffer is full',
    help: 'wait for running work to end and try again',
  },
  SHUTTING_DOWN: {
    wire: 'unavailable',
    meaning: 'the daemon is stopping and takes no new work',
    help: 'start it again with `palyra up` and repeat the request',
  },
  WRONG_RUNTIME: {
    wire: 'failed_precondition',
    meaning: 'the program was started with a Node that it is not made for',
    help: 'start it through `./palyra` or `npm run`, which bring the pinned Node',
  },
  DAEMON_UNREACHABLE: {
    wire: 'unavailable',
    meaning: 'no gateway answers at its address',
    help: 'start one with `palyra up`',
  },
  DAEMON_RUNNING: {
    wire: 'already_exists',
    meaning: 'another daemon uses this state directory',
    help: 'use the one that runs (`palyra status`), or set `PALYRA_HOME` to another directory',
  },
  CONFLICT: {
    wire: 'aborted',
    meaning: 'what was to be changed was changed by somebody else in the meantime',
    help: 'read it again and repeat the change',
  },
  CONFIG_INVALID: {
    wire: 'failed_precondition',
    meaning: 'a configuration value is malformed or out of bounds',
    help: 'correct the named key; `palyra config explain KEY` tells what it takes',
  },
  CONFIG_UNKNOWN_KEY: {
    wire: 'failed_precondition',
    meaning: 'a configuration key does not exist',
    help: 'correct the spelling; `docs/reference/config.md` lists every key',
  },
  CONFIG_CONTRADICTION: {
    wire: 'failed_precondition',
    meaning: 'two settings contradict one another',
    help: 'change one of the named keys; `palyra config explain KEY` tells where each comes from',
  },
  CONFIG_WIDENED: {
    wire: 'permission_denied',
    meaning: 'a workspace tried to widen what the operator allows',
    help: 'move the setting to your own palyra.toml; a workspace may only narrow',
  },
  HOME_UNSAFE: {
    wire: 'failed_precondition',
    meaning: 'a directory or file of Palyra is open to other users, or cannot be used',
    help: 'take the rights of others away with the `chmod` that the message names',
  },
  JOURNAL_UNWRITABLE: {
    wire: 'unavailable',
    meaning: 'the journal cannot be written, so no tool runs',
    help: 'free disk space or mend the disk, then start the daemon again',
  },
  JOURNAL_CORRUPT: {
    wire: 'data_loss',
    meaning: 'the journal is damaged or was changed by somebody else',
    help: 'keep the files as they are and find the first bad entry with `palyra journal verify`',
  },
  JOURNAL_LOCKED: {
    wire: 'already_exists',
    meaning: 'another process holds the journal',
    help: 'stop the other daemon, or set `PALYRA_HOME` to another directory',
  },
  JOURNAL_TOO_NEW: {
    wire: 'failed_precondition',
    meaning: 'the journal was written by a newer Palyra',
    help: 'start the newer version; older ones cannot read this journal',
  },
  JOURNAL_KEY_UNUSABLE: {
    wire: 'failed_precondition',
    meaning: 'the signing key is missing, malformed or readable by others',
    help: 'restore the key from a backup; without it older entries cannot be proven yours',
  },
  EXPORT_MALFORMED: {
    wire: 'invalid_argument',
    meaning: 'the file is not a Palyra journal export',
    help: 'make one with `palyra journal export > FILE`',
  },
  SESSION_BUSY: {
    wire: 'failed_precondition',
    meaning: 'the session already has an active run',
    help: 'wait for it (`palyra run --queue` does), cancel it with `palyra runs cancel RUN`, or start a new session',
  },
  SESSION_ARCHIVED: {
    wire: 'failed_precondition',
    meaning: 'the session is archived and takes no new run',
    help: 'bring it back with `palyra sessions restore SESSION`, or start a new session',
  },
  RUN_NOT_ACTIVE: {
    wire: 'failed_precondition',
    meaning: 'the run has ended already',
    help: 'see how it ended with `palyra runs show RUN`',
  },
  RUN_NOT_RESUMABLE: {
    wire: 'failed_precondition',
    meaning: 'only a run that was interrupted, or that its model failed, can be resumed',
    help: 'see its state with `palyra runs show RUN`, or start a new run',
  },
  RUN_LIMIT_REACHED: {
    wire: 'resource_exhausted',
    meaning: 'the run used up one of its budgets or went round in circles, and was stopped',
    help: 'raise the named limit under `[runs]` in palyra.toml, or give a smaller task',
  },
  MODEL_FAILED: {
    wire: 'unavailable',
    meaning: 'the model ended with an error',
    help: 'see the reason with `palyra runs show RUN`, and go on with `palyra runs resume RUN`',
  },
  SCRIPT_INVALID: {
    wire: 'failed_precondition',
    meaning: 'the script that stands in for a model is malformed',
    help: 'correct the file that `models.script` names; docs/guides/scripted-model.md has the format',
  },
  TOOL_ARGUMENTS_INVALID: {
    wire: 'invalid_argument',
    meaning: 'the arguments of a tool call are not a JSON object within bounds',
    help: 'nothing ran; the model sees this answer and may try again',
  },
  POLICY_DENIED: {
    wire: 'permission_denied',
    meaning: 'no rule allows this call',
    help: 'the decision names the rules and the missing condition',
  },
  APPROVAL_UNAVAILABLE: {
    wire: 'failed_precondition',
    meaning: 'the call needs a person to approve it and nobody can be asked',
    help: 'answer what is waiting: `palyra approvals list`',
  },
  APPROVAL_CLOSED: {
    wire: 'failed_precondition',
    meaning: 'the question was answered, has expired or was withdrawn before this answer came',
    help: '`palyra approvals show ID` tells what became of it',
  },
  APPROVAL_OUTDATED: {
    wire: 'failed_precondition',
    meaning: 'what was shown to whoever approved the call is not what would happen now',
    help: 'let the agent ask for it again: the next question shows things as they are',
  },
  POLICY_INVALID: {
    wire: 'invalid_argument',
    meaning: 'a file of rules cannot be taken',
    help: 'correct the named line; `palyra policy check FILE` looks at it without changing anything',
  },
  POLICY_WIDENED: {
    wire: 'permission_denied',
    meaning: 'a change of the rules would allow more than before',
    help: 'look at `palyra policy diff`, and repeat with `--i-mean-it` if that is meant',
  },
  SANDBOX_UNAVAILABLE: {
    wire: 'failed_precondition',
    meaning: 'no sandbox can run this call, so it was not run',
    help: 'the README lists which sandboxes exist and what each needs',
  },
  UNAUTHENTICATED: {
    wire: 'unauthenticated',
    meaning: 'the caller did not prove who they are',
    help: 'pair this device with `palyra pair HOST`, or send a valid API token',
  },
  PERMISSION_DENIED: {
    wire: 'permission_denied',
    meaning: 'the caller is known and may not do this',
    help: 'ask an owner or admin; `palyra identity show` tells what you may do',
  },
  RATE_LIMITED: {
    wire: 'resource_exhausted',
    meaning: 'more requests came than the limit allows',
    help: 'wait a moment and try again; an admin can give a token a higher rate',
  },
  PAIRING_REFUSED: {
    wire: 'permission_denied',
    meaning: 'the PIN or token of a pairing is wrong, or somebody stands in between',
    help: 'compare the PIN with the one that `palyra pairing start` shows and try again',
  },
  PAIRING_ENDED: {
    wire: 'failed_precondition',
    meaning: 'there is no such pairing any more: it was used, rejected or ran out of time or tries',
    help: 'start a new one on the gateway with `palyra pairing start`',
  },
  DEVICE_REVOKED: {
    wire: 'unauthenticated',
    meaning: 'the certificate of this device was revoked or replaced',
    help: 'pair the device again with `palyra pair HOST`, on the gateway itself with `palyra pair local`',
  },
  LAST_OWNER: {
    wire: 'failed_precondition',
    meaning: 'the workspace would be left without an owner',
    help: 'make another member owner first with `palyra access members role NAME owner`',
  },
  NOT_PAIRED: {
    wire: 'unauthenticated',
    meaning: 'this device has no valid certificate for the gateway',
    help: 'pair it with `palyra pair HOST`; on the gateway itself start `palyra up`',
  },
  GATEWAY_UNTRUSTED: {
    wire: 'unauthenticated',
    meaning: 'whoever answers is not the gateway that this device was paired with',
    help: 'check the address; if the gateway was set up anew, pair again with `palyra pair HOST`',
  },
  AUTHORITY_UNUSABLE: {
    wire: 'failed_precondition',
    meaning:
      'the certificate authority of this gateway is missing, malformed or readable by others',
    help: 'restore the keys directory from a backup; without it no device can be trusted',
  },
  ROTATION_ACTIVE: {
    wire: 'failed_precondition',
    meaning: 'the authority is being replaced already',
    help: 'wait until every device has moved; `palyra identity rotate-ca` shows who has not',
  },
  ORIGIN_REFUSED: {
    wire: 'permission_denied',
    meaning: 'a page of another origin, or one under another name, tried to use the console',
    help: 'open the console with `palyra console`',
  },
  ADDRESS_UNUSABLE: {
    wire: 'failed_precondition',
    meaning: 'the gateway cannot listen on its address',
    help: 'stop whoever uses it, or set `transport.listen` or `transport.console` to another',
  },
  SANDBOX_DISABLED: {
    wire: 'failed_precondition',
    meaning: 'sandboxes of this tier are switched off',
    help: 'use a tier that `palyra sandbox status` shows as proven',
  },
  SANDBOX_SCOPE_DENIED: {
    wire: 'permission_denied',
    meaning: 'the call reaches for something outside its workspace',
    help: 'name a folder or file inside the workspace, by its full path and through no link',
  },
  SANDBOX_EGRESS_DENIED: {
    wire: 'permission_denied',
    meaning: 'the call wants to reach a host that it may not reach',
    help: 'add the host to the call, so that whoever approves it sees it',
  },
  SANDBOX_QUOTA_EXCEEDED: {
    wire: 'resource_exhausted',
    meaning: 'the command used up its memory, processor time, files or output and was ended',
    help: 'give it less to do, or raise the named limit under `[sandbox]`',
  },
  SANDBOX_TIMED_OUT: {
    wire: 'resource_exhausted',
    meaning: 'the command was still running when its time was over and was ended',
    help: 'split the work, or raise `sandbox.wall_time_ms`',
  },
  SANDBOX_SPAWN_FAILED: {
    wire: 'failed_precondition',
    meaning: 'the command cannot be started: it is missing, not a program or not executable',
    help: 'correct the name of the program; what is installed under `/usr` and in the workspace can be run',
  },
  SANDBOX_FAILED: {
    wire: 'internal',
    meaning: 'the sandbox itself broke while the command ran',
    help: 'run it again; if it stays, `palyra sandbox status` shows what this machine does wrong',
  },
  TOOL_FAILED: {
    wire: 'failed_precondition',
    meaning: 'the tool ran to its own end and says that it failed',
    help: 'its output says why; the model sees it too',
  },
} as const satisfies Record<ErrorCode, ErrorEntry>;

export interface PalyraErrorOptions {
  /** For the log only; never sent. */
  readonly cause?: unknown;
  /** A way out that knows more than the catalogue's. */
  readonly help?: string;
}

export class PalyraError extends Error {
  override readonly name = 'PalyraError';
  readonly code: ErrorCode;
  readonly help: string;

  constructor(code: ErrorCode, message: string, options: PalyraErrorOptions = {}) {
    super(message, { cause: options.cause });
    this.code = code;
    this.help = options.help ?? ERRORS[code].help;
  }

  get wire(): WireStatus {
    return ERRORS[this.code].wire;
  }

  /** Every catch at a seam goes through here, so nothing anonymous travels further. */
  static from(reason: unknown): PalyraError {
    if (reason instanceof PalyraError) return reason;
    return new PalyraError('UNEXPECTED', 'unexpected failure', { cause: reason });
  }
}

export function isErrorCode(text: string): text is ErrorCode {
  return Object.hasOwn(ERRORS, text);
}
