/**
 * What comes after the first frame, in one file: the protocol, whose descriptions take as long to read
 * as all the rest, and what opens over the page or stands below what is seen first.
 */
export { LeaveQuestion } from './app/leave-question.tsx';
export { Palette } from './app/palette.tsx';
export { LatelyList } from './home/lately-list.tsx';
export { Notices } from '@palyra/ui';
export { gateway } from './wire/gateway.ts';
