import { compareMachines } from '../../packages/sandbox/soak/other-machine.ts';
import { print } from '../print.ts';

const { cases, differences } = await compareMachines();
for (const difference of differences) print(difference);
print(
  `${cases} cases for the little programs of the sandbox, x86-64 here and arm64 in an emulator, ${differences.length} differences`,
);
process.exitCode = differences.length === 0 ? 0 : 1;
