import { CONSOLE_REQUIREMENTS } from './console-requirements.ts';

export type Platform = 'linux' | 'macos' | 'windows';

export interface Requirement {
  /** The promise, as a sentence that is either true or false. */
  readonly says: string;
  /** What somebody could do to us if it were false. */
  readonly threat?: string;
  /** Where it is promised; absent means everywhere. */
  readonly on?: readonly Platform[];
}

/**
 * Every promise that Palyra makes today. A test cites the ids that it proves with
 * `verifies(id)`; `npm run check` fails for an id without a test, and `npm test` for an id
 * whose tests did not pass.
 */
export const REQUIREMENTS = {
  'pipeline:deny-by-default': {
    says: 'a tool call that no rule allows is refused and never reaches a sandbox',
    threat: 'an agent does what nobody allowed',
  },
  'pipeline:clearance-only-from-approval': {
    says: 'execution demands a clearance that only the approval stage can make',
    threat: 'a new door skips the decision',
  },
  'pipeline:refused-calls-are-evidence': {
    says: 'a refused call leaves a decision, a result and a signed attestation in the journal',
    threat: 'an attempt leaves no trace',
  },
  'pipeline:fail-closed': {
    says: 'a policy or an approval desk that fails, or answers nonsense, counts as a denial',
    threat: 'an outage opens the gate',
  },
  'pipeline:no-journal-no-tool': {
    says: 'no tool runs when its start cannot be recorded',
    threat: 'an effect without evidence',
  },
  'approvals:waits-for-a-person': {
    says: 'a call that needs a person waits for one, and is executed only after a yes',
    threat: 'an agent does what nobody has seen',
  },
  'approvals:nobody-is-asked-in-vain': {
    says: 'a call of a built-in tool that names a place outside the workspace is refused and recorded before anybody is asked',
    threat: 'people get used to saying yes to what cannot happen',
  },
  'approvals:no-is-no': {
    says: 'a call that a person denied is never executed, and the journal says who denied it and why',
    threat: 'a no is overlooked',
  },
  'approvals:one-answer-wins': {
    says: 'of answers that race exactly one counts',
    threat: 'a yes overtakes a no',
  },
  'approvals:late-answer-is-told': {
    says: 'who answers too late is told what the answer was',
  },
  'approvals:survives-restart': {
    says: 'a question that waits is the same one after a restart, and its answer lets one call run once',
    threat: 'an approved effect happens twice, or a question is lost',
  },
  'approvals:goes-on-by-itself': {
    says: 'a run that a stop or a crash cut off while it waited for a person goes on when they answer, once, as whoever it is for',
    threat: 'a yes does nothing, or sets something off that its person may not do any more',
  },
  'approvals:shown-is-run': {
    says: "what changed between a yes and the call, a file, a link, the workspace, a rule, the model's words or an approver's role, is refused or never counts",
    threat: 'a person says yes to one thing and another happens',
  },
  'approvals:yes-counts-for-what-was-asked': {
    says: 'a yes, or a grant, counts for the gates that were asked about; one that comes since asks by itself',
    threat: 'a stricter rule is waved through by an answer that was given before it',
  },
  'approvals:one-workspace': {
    says: 'a grant, a resume and an undo count in the workspace that they were made for, and in no other',
    threat: 'a yes for one folder lets an agent loose in another, or an undo deletes files there',
  },
  'approvals:one-person-one-voice': {
    says: 'where a rule wants several people, somebody and whoever let in their device count as one',
    threat: 'an admin pairs a device for somebody else and is the second person themselves',
  },
  'approvals:passkey-where-wanted': {
    says: 'where a rule wants a passkey, no yes counts without one, from whatever device or session',
    threat: 'whoever finds an open session approves what its person was to confirm',
  },
  'approvals:passkey-signs-one-answer': {
    says: 'what a passkey has signed confirms one answer to one question, once',
    threat: 'a yes to something harmless is used for something else',
  },
  'approvals:cancel-withdraws': {
    says: 'cancelling a run withdraws what it waits for; no later answer runs it',
    threat: 'a call runs that nobody wants any more',
  },
  'policy:control-plane': {
    says: 'a rule can close any call of the gateway, and ends what is open and no longer allowed',
    threat: 'a stream outlives the right to it',
  },
  'policy:rules-only-narrow': {
    says: 'no rule gives a caller what their role does not have',
    threat: 'a file of rules makes an operator an owner',
  },
  'policy:each-connection': {
    says: 'each connection that the gateway makes for a call, or lets a program in tier C make, is put to the rules after its name was looked up and before it is dialled',
    threat:
      'a call that was allowed reaches whom a rule has closed, or whom its name leads to by now',
  },
  'policy:each-folder': {
    says: 'a rule can close a folder to sessions and runs, also to those of a session that worked there before',
    threat: 'a member or token works where it has no business',
  },
  'policy:standing-now': {
    says: 'each call of a run is judged with the rights that its principal and device have at that moment',
    threat: 'a run goes on with rights that were taken back',
  },
  'policy:asking-changes-nothing': {
    says: 'who asks what the rules make of a call is told, also why not, and nothing changes by it',
  },
  'policy:no-case-is-no-pass': {
    says: 'a test of rules in which no case was run says so and does not pass',
    threat: 'rules that nobody tried are taken for tested',
  },
  'runs:one-workspace-a-session': {
    says: 'every run of a session works in the folder that it began in: the gateway’s own, or one that the operator has named',
    threat: 'a prompt or another session sends an agent into a folder that nobody opened to it',
  },
  'runs:script-is-labelled': {
    says: 'the embedded script says that it is no language model',
  },
  'models:key-stays-private': {
    says: 'the key of a provider is in one file of its owner or a variable, and in requests to its place',
    threat: 'a key leaks through a configuration, a list of processes, an error or a log',
  },
  'models:only-offered': {
    says: 'a run may ask for no model but those that the operator offers',
    threat: 'a prompt sends what it holds to a provider that nobody chose',
  },
  'models:set-is-whole': {
    says: 'a model that cannot be set up is refused and changes no setting; going back to the script forgets none',
  },
  'models:test-asks': {
    says: 'a test of the model asks it, and fails with the reason when it does not answer',
  },
  'runs:one-per-session': {
    says: 'a session has one active run',
  },
  'runs:waiting-is-kept': {
    says: 'a run that waits for the one before it is on record, also after `kill -9`, and begins once',
  },
  'sessions:remember': {
    says: 'a run is told what was said in its session before, and in a branch up to the run it comes from',
  },
  'sessions:only-own-words': {
    says: 'nobody speaks in, goes on with or changes a run or session of somebody else; a token sees only its own',
    threat: 'the holder of a small token puts words into the mouth of the owner',
  },
  'context:fits': {
    says: 'a model is told at most as much as was set, and no call without its result',
  },
  'context:untrusted-is-fenced': {
    says: 'every byte that tools and the workspace bring stands between marks that it cannot write',
    threat: 'a file or an answer is taken for the words of the person',
  },
  'runs:cancel-is-recorded': {
    says: 'cancelling stops a run at once and the journal says who did it',
  },
  'runs:crash-is-interrupted': {
    says: 'a run that a crash cut off is marked as interrupted at the next start',
  },
  'runs:resume-from-journal': {
    says: 'an interrupted run goes on where the journal ends; no completed turn is asked for again',
  },
  'runs:killed-anywhere': {
    says: 'killed before or after any stage of a call, the gateway neither repeats nor forgets it',
  },
  'runs:changes-are-whole': {
    says: 'a call changes all of its files or none, also when the gateway is killed in between',
    threat: 'half a change is taken for the one that was approved',
  },
  'runs:budgets-are-limits': {
    says: 'what a run may use is reserved before it is used; a run that used it up ends, and says by what',
    threat: 'an agent that was led astray runs up a bill or goes on for ever',
  },
  'runs:last-of-a-day-once': {
    says: 'of several runs that want the last of a day, one gets it; a crash holds nothing for ever',
    threat: 'many runs at once spend what was allowed for one',
  },
  'runs:parallel-where-effects-cannot-meet': {
    says: 'calls of one turn run at once only where neither can touch what the other does',
    threat: 'a call acts on what another one changed in between',
  },
  'runs:live-is-replay': {
    says: 'whoever watches a run live sees what a replay of it tells, questions and grants included',
  },
  'runs:artifacts-are-whole': {
    says: 'what a run left is given back byte for byte, and its digest is that of its name',
  },
  'policy:taint-is-a-fact': {
    says: 'what a run has seen is told to the rules with each of its calls, also after a crash',
    threat: 'a run that read a stranger’s words acts as if it had not',
  },
  'runs:nothing-runs-twice': {
    says: 'a tool call that had started is never run again',
    threat: 'an approved effect happens twice',
  },
  'sandbox:is-evidence': {
    says: 'signed evidence says which sandbox ran a call and what was seen of it, or that this is not known',
    threat: 'a command runs outside of a cage and nobody can tell',
  },
  'sandbox:no-trace': {
    says: 'a sandbox leaves nothing in the workspace, and tools of files see nothing of it',
    threat: 'what guards a file is taken for the work of somebody',
  },
  'sandbox:one-path': {
    says: 'commands and tools of files know the workspace by the same path',
  },
  'sandbox:fails-once': {
    says: 'when the process that makes sandboxes ends, its calls fail, once, and the next one works',
    threat: 'a command runs twice, or none runs any more',
  },
  'journal:acknowledged-is-durable': {
    says: 'an acknowledged entry survives `kill -9` at any moment and the chain stays intact',
    threat: 'evidence is lost in a crash',
  },
  'journal:any-edit-is-caught': {
    says: 'changing, removing, reordering, truncating or inserting any entry is caught by verification',
    threat: 'evidence is rewritten',
  },
  'journal:verify-live': {
    says: 'the journal of a running daemon can be verified',
  },
  'journal:verify-export': {
    says: 'an export can be verified with no daemon and no store',
  },
  'journal:fails-closed': {
    says: 'a full, read-only, failing or damaged disk is a clear error, and nothing is acknowledged that is not there',
    threat: 'evidence is promised and missing',
  },
  'daemon:one-per-store': {
    says: 'two daemons never share a store',
    threat: 'two writers tear the chain',
  },
  'daemon:loopback-only': {
    says: 'in the profile local the daemon listens on loopback and on no other address',
    threat: 'a stranger on the network calls it',
  },
  'daemon:files-are-private': {
    says: 'state and configuration can be opened by their owner alone, or the daemon does not start',
    threat: 'another user of the machine reads or steers it',
  },
  'daemon:drains': {
    says: 'a daemon that is told to stop takes no new run, ends or interrupts the active ones, and records it',
  },
  'docs:guides-hold': {
    says: 'every configuration, rule, case and command that the guides to models and rules show works as it stands',
    threat: 'somebody trusts a rule that does not do what was said of it',
  },
  'demo:as-told': {
    says: '`palyra demo --auto` ends with 0 only if every step came out as told, by the events of its run and its journal',
    threat: 'a demo that always succeeds hides a gate that does not hold',
  },
  'demo:leaves-nothing': {
    says: '`palyra demo` leaves nothing in the home of its user, and nothing in the temporary folder',
    threat: 'trying it out changes the gateway that is in use',
  },
  'daemon:ends-with-up': {
    says: 'a daemon that `palyra up` started stops cleanly when that is killed',
    threat: 'a gateway that nobody watches goes on working',
  },
  'daemon:log-has-no-secrets': {
    says: 'what looks or is named like a secret does not reach the log',
    threat: 'a secret leaks through the log',
  },
  'daemon:errors-leak-nothing': {
    says: 'an unexpected fault reaches the caller as a code, without its cause, a path or a stack',
    threat: 'internals leak through errors',
  },
  'config:unknown-keys-are-errors': {
    says: 'a key that does not exist is refused with a suggestion, whichever layer it comes from',
    threat: 'a misspelt safety setting is silently off',
  },
  'config:workspace-only-narrows': {
    says: 'a palyra.toml in a workspace cannot widen anything',
    threat: 'a cloned repository opens the gate',
  },
  'config:contradictions-are-refused': {
    says: 'settings that contradict one another stop the start and name key, layer and fix',
  },
  'setup:two-commands': {
    says: 'a fresh clone works with one command, in a path with a space, and a second start sets nothing up',
  },
  'setup:wrong-runtime-says-so': {
    says: 'a program started with another Node says so in one sentence',
  },
  'identity:no-stranger': {
    says: 'no door answers a caller whom it cannot name, but for `ok` and the two pairing calls',
    threat: 'somebody unknown uses the gateway',
  },
  'identity:tls-only-modern': {
    says: 'the device port speaks TLS 1.3 and nothing older',
    threat: 'an old protocol is broken in between',
  },
  'identity:bad-certificates-refused': {
    says: 'expired, foreign, self-made, revoked and wrongly used certificates are refused',
    threat: 'a forged or stolen certificate opens the door',
  },
  'identity:revocation-at-once': {
    says: 'revoking a device closes its open connections and streams and refuses its next request',
    threat: 'a stolen device goes on',
  },
  'identity:local-enrolment': {
    says: 'the command line of the same user enrols itself by a one-time secret; other users cannot',
    threat: 'another user of the machine steers the gateway',
  },
  'identity:rotation': {
    says: 'after a rotation of the authority old certificates work for a period and devices move over as they renew',
    threat: 'a replaced authority locks everybody out, or is trusted for ever',
  },
  'identity:one-rotation': {
    says: 'while the authority is being replaced, a second wish for that begins nothing and says so',
  },
  'pairing:pin': {
    says: 'a pairing takes five tries of a PIN, one success and five minutes, whichever ends first; a wrong guess learns nothing',
    threat: 'a PIN is guessed',
  },
  'pairing:no-middle': {
    says: 'somebody between the device and the gateway makes the pairing fail',
    threat: 'a man in the middle gets a certificate, or plays the gateway',
  },
  'pairing:person-confirms': {
    says: 'a certificate is issued only after a person has confirmed the device that proved itself',
    threat: 'a device lets itself in',
  },
  'pairing:once': {
    says: 'replayed messages and parallel completions of one pairing yield at most one device',
    threat: 'one PIN lets two devices in',
  },
  'pairing:link-is-no-argument': {
    says: 'the link of a pairing is not taken as an argument, and is not repeated',
    threat: 'another user of the machine reads it in a list of processes',
  },
  'pairing:recorded': {
    says: 'each step of a pairing is in the journal with the hash of what was said',
    threat: 'nobody can tell afterwards how a device came in',
  },
  'access:every-call': {
    says: 'every call demands its declared permission of every role',
    threat: 'a call that nobody guarded',
  },
  'access:refused-is-journaled': {
    says: 'what a known caller is refused is in the journal with the rules and their set, and can be explained later',
    threat: 'somebody tries what they may not, and nobody ever sees it',
  },
  'access:people-only': {
    says: 'no token, device, worker or agent can change policy, approvals, vault or access',
    threat: 'an agent widens its own rights',
  },
  'access:tokens-within-minter': {
    says: 'a token never has more than its scopes and its member at that moment',
    threat: 'a token outgrows who made it',
  },
  'access:token-ends-at-once': {
    says: 'a revoked, rotated or expired token is refused at its next request',
    threat: 'a leaked token goes on',
  },
  'access:token-shown-once': {
    says: 'the secret of a token is shown when it is made, and in no list, page or export after that',
    threat: 'who looks over a list uses a token of somebody else',
  },
  'access:people-are-named': {
    says: 'lists and pages for people name the members, and answers for scripts have their ids',
  },
  'access:last-owner': {
    says: 'the last owner can be neither removed nor lowered',
    threat: 'a workspace that nobody governs',
  },
  'client:gateway-verified': {
    says: 'a client talks to nobody but the gateway that it was paired with',
    threat: 'somebody on the way plays the gateway',
  },
  'client:key-and-certificate-fit': {
    says: 'what a device keeps is always a key with the certificate for it, readable by its owner alone',
    threat: 'a crash or a race locks a device out, or another user of the machine becomes it',
  },
  'client:renews-itself': {
    says: 'a device renews its certificate by itself, for a new key, while a third of its life is left',
    threat: 'a device that is in use is locked out, or one key lives for ever',
  },
  ...CONSOLE_REQUIREMENTS,
} as const satisfies Record<string, Requirement>;
