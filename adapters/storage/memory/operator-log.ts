import type { OperatorAct } from '../../../src/domain/operator-acts';
import type { OperatorLogFilter, OperatorLogReader, OperatorLogRepository } from '../../../src/ports/storage';
import { addTo, ALL, type Database, type Gate } from './database';
import type { ActRow } from './operator-log-tables';
import type { OrderedSet } from './ordered-set';
import { mergedPage, only } from './paging';

function actOf({ details, ...row }: ActRow): OperatorAct {
  return { ...row, details: JSON.parse(details) as OperatorAct['details'] };
}

/** The smallest index that contains all acts with this operator, action and target. */
function smallestIndex(db: Database, { operator, action, target }: OperatorLogFilter): OrderedSet<number> {
  const sets = [
    ...(operator === undefined ? [] : [db.actsByOperator.in(operator)]),
    ...(action === undefined ? [] : [db.actsByAction.in(action)]),
    ...(target === undefined ? [] : [db.actsByTarget.in(target)]),
  ];
  return sets.reduce((least, set) => (set.size < least.size ? set : least), db.actOrder.in(ALL));
}

function matches(
  act: ActRow,
  { since = -Infinity, until = Infinity, ...values }: OperatorLogFilter,
): boolean {
  const { operator = act.operator, action = act.action, target = act.target } = values;
  const isSame = act.operator === operator && act.action === action && act.target === target;
  return isSame && act.at >= since && act.at < until;
}

export function operatorLogReader(db: Database, gate: Gate): OperatorLogReader {
  return {
    list: ({ limit, offset, ...filter }) =>
      gate(() => {
        const row = (id: number): ActRow => db.operatorActs.get(id) as ActRow;
        const matching = only(smallestIndex(db, filter).descending(), (id) => matches(row(id), filter));
        const page = mergedPage([matching], (a, b) => b - a, { limit, offset });
        return page.map((id) => actOf(row(id)));
      }),
  };
}

export function operatorLogRepository(db: Database, gate: Gate): OperatorLogRepository {
  return addTo<OperatorLogReader, OperatorLogRepository>(operatorLogReader(db, gate), {
    append: ({ at, operator, action, target, details }) =>
      gate(() => {
        const id = db.nextNumber('operator act');
        db.operatorActs.put({ id, at, operator, action, target, details: JSON.stringify(details) });
      }),
  });
}
