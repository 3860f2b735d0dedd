import type { OperatorAct } from '../../../src/domain/operator-acts';
import type { OperatorLogReader, OperatorLogRepository } from '../../../src/ports/storage';
import { addTo, ALL, type Database, type Gate } from './database';
import type { ActRow } from './operator-log-tables';
import { mergedPage } from './paging';

function actOf({ details, ...row }: ActRow): OperatorAct {
  return { ...row, details: JSON.parse(details) as OperatorAct['details'] };
}

export function operatorLogReader(db: Database, gate: Gate): OperatorLogReader {
  return {
    list: ({ action, limit, offset }) =>
      gate(() => {
        const ids = action === undefined ? db.actOrder.in(ALL) : db.actsByAction.in(action);
        const page = mergedPage([ids.descending()], (a, b) => b - a, { limit, offset });
        return page.map((id) => actOf(db.operatorActs.get(id) as ActRow));
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
