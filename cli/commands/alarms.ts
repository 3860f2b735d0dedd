import type { AlarmListView, AlarmView } from 'express-prediction-market';
import { operatorCommand } from '../operator-command';

export const ALARMS = operatorCommand<object, AlarmListView>({
  name: 'alarms',
  description: 'list the alarms of a running server: what needs an operator, and why',
  route: 'GET /alarms',
  field: 'alarms',
  onDatabase: null,
  onlyServer: 'say which alarms it has',
  fields: {},
  lines: ({ alarms }) => (alarms.length === 0 ? ['no alarms on this instance'] : alarms.map(describe)),
});

function describe({ name, subject, since, reason }: AlarmView): string {
  return `${name}  ${subject}  since ${since}  ${reason}`;
}
