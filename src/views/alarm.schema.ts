import Joi from 'joi';
import { ALARM_NAMES } from '../domain/alarms';
import type { AlarmListView, AlarmView } from './alarm';
import { instant, oneOf, text } from './fields.schema';

export const alarm = Joi.object<AlarmView, true>({
  name: oneOf(ALARM_NAMES).description('The kind of the alarm'),
  subject: text().description('What the alarm is about, such as `withdrawal 7` or `treasury`'),
  reason: text().description('What is wrong, in words'),
  since: instant('When this instance first saw the cause'),
});

export const alarmList = Joi.object<AlarmListView, true>({
  alarms: Joi.array().items(alarm).required(),
});
