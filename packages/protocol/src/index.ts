export * from './gen/palyra/v1/approvals_pb.ts';
export * from './gen/palyra/v1/errors_pb.ts';
export * from './gen/palyra/v1/health_pb.ts';
export * from './gen/palyra/v1/journal_pb.ts';
export * from './gen/palyra/v1/runs_pb.ts';
export * from './gen/palyra/v1/tool_call_pb.ts';
