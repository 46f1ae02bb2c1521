export type { Answer, Answered } from './answer.ts';
export { type ApprovalParts, type Approvals, createApprovals } from './approvals.ts';
export { changedFile, filesOf } from './named-files.ts';
export type { Answerer, ApprovalAnswer, Approver, PeoplePort, Question } from './ports.ts';
export { covers, type Offer, offersFor } from './shape.ts';
