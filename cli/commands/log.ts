import type {
  ListOperatorLogInput,
  OperatorAction,
  OperatorActView,
  OperatorLogView,
} from 'express-prediction-market';
import type { OperatorCall } from '../operator-calls';
import { operatorCommand } from '../operator-command';
import { option, PAGE, type OptionalField } from '../operator-fields';

/** Any text is sent to the service, which refuses an unknown action with a message that lists all actions. */
const ACTION: OptionalField<OperatorAction> = {
  kind: 'option',
  description: 'only acts of this kind, such as market.resolve',
  placeholder: 'action',
  parse: (text) => text as OperatorAction,
};

export const READ_LOG: OperatorCall<ListOperatorLogInput, OperatorLogView> = {
  route: 'GET /log',
  field: 'acts',
  onDatabase: (market, input) => market.listOperatorLog(input),
};

export const LOG = operatorCommand({
  ...READ_LOG,
  name: 'log',
  description: "print the operators' log: what operators have changed, the newest first",
  fields: {
    operator: option('only acts of this operator', 'name'),
    action: ACTION,
    target: option('only acts on this wallet, id or name', 'target'),
    since: option('only acts from this instant on, such as 2030-01-31T00:00:00Z', 'instant'),
    until: option('only acts before this instant', 'instant'),
    ...PAGE,
  },
  lines: ({ acts, hasMore, offset }) => [
    ...acts.map(describe),
    `${acts.length} shown${hasMore ? `; --offset ${offset + acts.length} shows more` : ''}`,
  ],
});

function describe({ at, operator, action, target, question, details }: OperatorActView): string {
  const about = question === null ? target : `${target} (${question})`;
  return `${at}  ${operator}  ${action}  ${about}  ${JSON.stringify(details)}`;
}
