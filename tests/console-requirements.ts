/** What the console promises; a part of the list in requirements.ts, whose words say what each field is. */
export const CONSOLE_REQUIREMENTS = {
  'console:link-once': {
    says: 'a console link works once, within a minute, and replaces no session without a click on a page that says whose it is',
    threat:
      'a link from the history opens the console again, or a web page signs somebody in as its own member',
  },
  'console:own-pages-only': {
    says: 'foreign origins, rebound names and calls with nothing but the cookie get 403',
    threat: 'a web page steers the gateway through the browser',
  },
  'console:nothing-to-take': {
    says: 'a page proves each call with a key that cannot be read, beside a cookie that it cannot read; neither counts alone, and no proof twice',
    threat: 'a script in the page or a program on another port carries the session away',
  },
  'console:accessible': {
    says: 'no page of the console has a fault that axe finds, in either theme',
    threat: 'somebody who cannot see what is asked answers it',
  },
  'console:responsive': {
    says: 'every page of the console fits a phone',
    threat: 'what is asked is cut off where it is answered',
  },
  'console:verifies-itself': {
    says: 'the console verifies the journal in the page, from raw bytes, and names the first bad entry',
    threat: 'a gateway that lies about its journal is asked whether it lies',
  },
  'console:policy': {
    says: 'the console shows what a change of rules widens before it is in force, and wants that to be meant',
    threat: 'a rule allows more than its author saw',
  },
  'console:rules-in-force': {
    says: 'the console shows the rules in force, and which of them decided lately',
  },
  'console:sandbox': {
    says: 'the attacks on the sandboxes can be tried again from the console; the gateway does it and records it',
    threat: 'a page says that a sandbox holds, and nobody has tried',
  },
  'console:artifacts': {
    says: 'what a run left is shown to those who see the run, as text, or as an image that its bytes prove it to be',
    threat: 'a file from a tool runs as a page of the console',
  },
  'console:stays-signed-in': {
    says: 'a session goes on after a reload, in every tab of its browser, and where its clock is wrong',
  },
  'console:in-the-address': {
    says: 'the tab of a page and a search are in its address: reload, back and links keep them',
  },
  'console:drafts': {
    says: 'what somebody has written outlives its tab, and is given up only after a question',
  },
  'console:nothing-in-the-way': {
    says: 'no notice lies over what somebody is about to use',
    threat: 'a message hides the button by which somebody would have said no',
  },
  'console:journal': {
    says: 'a journal of any length is opened, searched and followed piece by piece, down to the bytes of each entry',
    threat: 'what was done is on record, and nobody finds it',
  },
  'console:over-is-over': {
    says: 'a session that has ended, was taken back or ran out shows nothing any more, in any tab',
    threat: 'who comes to the screen later reads and answers as somebody else',
  },
  'console:many-tabs': {
    says: 'any number of tabs follow runs that go on, and none keeps another from the gateway',
    threat: 'the tab in which somebody wants to say no waits for a connection',
  },
  'console:live': {
    says: 'what a page shows changes with the gateway, by streams, and lists go back to the first thing',
    threat: 'somebody decides by what is no longer so, or cannot find what was done',
  },
  'console:slow-tab': {
    says: 'a tab that stands still holds up nobody, and shows what it has missed when it goes on',
    threat: 'a page that somebody left open slows the gateway down, or shows what is long over',
  },
  'console:roles': {
    says: 'what a role may not do is neither offered by the console nor done by the gateway',
    threat: 'a hidden button is the only lock',
  },
  'console:pairing': {
    says: 'a device that is paired in the console is shown with its key before it is let in',
    threat: 'somebody else used the code',
  },
  'console:small': {
    says: 'the console starts with less than 200 kB of compressed script',
    threat: 'a page that takes long to open is left open, or not used',
  },
  'console:reconnects': {
    says: 'a page outlives its gateway, says so meanwhile, and shows what is when the gateway is back',
    threat: 'somebody answers what is long over',
  },
  'console:keyboard': {
    says: 'everything in the console can be reached and done by keyboard alone',
    threat: 'somebody who cannot use a pointer cannot say no',
  },
  'console:approvals-both-sides': {
    says: 'a question is shown, answered and seen to be over in every tab of the console, wherever it was asked and answered',
    threat: 'somebody answers what is over, or does not see what waits',
  },
  'console:shown-to-the-letter': {
    says: 'every code point in an argument or a change that hides or passes for another one is marked where it is answered for, and no part of it lies out of sight',
    threat: 'a person says yes to another command than the one they read',
  },
  'console:answers-what-was-shown': {
    says: 'an answer in the console carries the fingerprint of what was shown; what changed since has to be read again',
    threat: 'a person says yes to one thing and another happens',
  },
  'console:keys-answer-what-is-read': {
    says: 'no key answers a question that is not open, or while a dialog, a field or the way to a place takes it; no key and no click answers one that has just come up or moved',
    threat: 'a key or a click that was meant for something else becomes a yes',
  },
  'console:grants-in-words': {
    says: 'a wider yes says beforehand what nobody will be asked about any more, and the narrowest is the default',
    threat: 'a person grants more than they know',
  },
  'console:notices': {
    says: 'the browser tells of questions only after a wish, only while no tab is seen, and nothing of their arguments',
    threat: 'whoever stands beside the screen reads what a call is about',
  },
  'console:passkey-step-up': {
    says: 'where a rule wants a passkey, a yes of the console is confirmed by one, for this very answer',
    threat: 'whoever finds a browser open says yes to anything',
  },
  'console:open-page': {
    says: 'from the console, letting in a device, adding a member, changing a role and applying rules takes a passkey, or a session just opened',
    threat: 'whoever finds a browser open makes a second person of themselves, with a passkey',
  },
  'console:two-people': {
    says: 'where a rule wants two people, the console shows who said yes and offers nobody a second one',
    threat: 'one person passes for two',
  },
  'console:reload-loses-nothing': {
    says: 'a run that is opened again in the middle tells everything that happened, once',
    threat: 'a person decides on half of what happened',
  },
  'console:run-told-whole': {
    says: 'each tool call of a run shows proposal, decision with its rules, approval, execution and signed record',
    threat: 'a call goes through and nobody can see why',
  },
  'console:run-acts': {
    says: 'runs are sent, queued, stopped, resumed, branched and undone in the console, and what came of it is told',
    threat: 'an agent that goes wrong cannot be stopped or taken back',
  },
  'console:long-run-scrolls': {
    says: 'a run of five thousand events is scrolled without a task of more than 50 ms, with few elements',
    threat: 'a long run makes the page useless for whoever watches it',
  },
  'console:foreign-text-is-text': {
    says: 'text of models, tools and files runs nothing, loads nothing and leads nowhere by itself',
    threat: 'a model writes a script that uses the session of who reads it',
  },
} as const;
