export {
  type Budgets,
  type BudgetParts,
  type Reservation,
  type Reserved,
  type SettledRun,
  createBudgets,
} from './budgets.ts';
export { type BudgetSettings, budgetsSection } from './budgets-section.ts';
export type { Amounts } from './amounts.ts';
