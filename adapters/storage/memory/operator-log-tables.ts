import type { OperatorAct } from '../../../src/domain/operator-acts';
import { ALL, compareNumbers } from './row-keys';
import { OrderedIndex, Table, type UndoLog } from './table';

/** The details are kept as JSON text, as in the SQL storages. */
export type ActRow = Omit<OperatorAct, 'details'> & { details: string };

export function operatorLogTables(undo: UndoLog) {
  const id = (row: ActRow): number => row.id;
  const actOrder = new OrderedIndex<ActRow, number>(() => ALL, id, compareNumbers);
  const actsByAction = new OrderedIndex<ActRow, number>((row) => row.action, id, compareNumbers);
  const actsByOperator = new OrderedIndex<ActRow, number>((row) => row.operator, id, compareNumbers);
  const actsByTarget = new OrderedIndex<ActRow, number>((row) => row.target, id, compareNumbers);
  return {
    operatorActs: new Table<number, ActRow>(undo, id, [actOrder, actsByAction, actsByOperator, actsByTarget]),
    actOrder,
    actsByAction,
    actsByOperator,
    actsByTarget,
  };
}
