export type {
  RecordsChange,
  RecordsPort,
  RecordsQuery,
  RecordWrite,
  StoredRecord,
} from './records-port.ts';
export { retryOnConflict } from './retry.ts';
export { jsonOf, MAX_ROWS, type Row, Table } from './table.ts';
