import { silentLogger } from '../../../src/ports/logger';
import { createAlarms } from '../../../src/usecases/alarms';
import { createCallsUnderWay, HANGS_AFTER_MS } from '../../../src/usecases/consumers/calls-under-way';
import { consumerDefinition, type ConsumedFact } from '../../../src/usecases/consumers/options';
import { testClock } from '../../../testing/test-clock';
import { createGate } from '../../support/gate';

it('a handler that does not end raises an alarm, which is over when the call has ended', async () => {
  const clock = testClock();
  const alarms = createAlarms({ logger: silentLogger, clock });
  const calls = createCallsUnderWay({ clock, alarms });
  const gate = createGate();
  const { handler } = calls.watched(consumerDefinition('books', () => gate.opened));
  const { handler: quick } = calls.watched(consumerDefinition('quick', () => undefined));
  const fact = { seq: 17 } as ConsumedFact;
  const call = handler([], fact);
  await quick([], fact);
  clock.advance(HANGS_AFTER_MS);
  calls.report();
  expect(alarms.list()).toEqual([]);
  clock.advance(1);
  calls.report();
  expect(alarms.list()).toMatchObject([
    {
      name: 'consumer-hangs',
      subject: 'consumer books',
      reason: 'its handler has worked on fact 17 for more than 5 minutes',
    },
  ]);
  gate.open(undefined);
  await call;
  calls.report();
  expect(alarms.list()).toEqual([]);
});
