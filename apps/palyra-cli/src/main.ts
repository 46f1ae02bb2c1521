import { isRightNode } from './right-node.ts';
import { PROCESS_ENDS } from './process-ends.ts';
import { cliVersion } from './version.ts';
import { sayAtOnce } from './write-ends.ts';

const words = process.argv.slice(2);
const [first] = words;

// Asked for by scripts and prompts, again and again: it pays to load nothing for it.
if (isRightNode() && words.length === 1 && (first === '--version' || first === '-V')) {
  sayAtOnce(`${cliVersion}\n`, PROCESS_ENDS);
} else {
  void import('./command-line.ts').then(({ obey }) => obey(words));
}
