/** A check reaches its time limit, because the adapter is slow or waits without an end. */
import { setTimeout as pause } from 'node:timers/promises';
import { expect, it } from '@jest/globals';
import { payoutConformance } from '../../testing';
import { recordingRunner } from '../storage/broken/recording-runner';
import { payoutWith, type PayoutFault } from './liars/bank';

async function reportOn(fault: PayoutFault): Promise<string | undefined> {
  const { runner, run } = recordingRunner(expect);
  payoutConformance(runner, { create: async () => payoutWith(fault), timeLimitMs: 60 });
  const { reports } = await run('ever is refused');
  return [...reports.values()][0];
}

it('tells the author of a slow adapter to raise the time limit', async () => {
  const slow: PayoutFault = ({ prepare, submit, check }) => ({
    prepare: async (...input) => pause(25).then(() => prepare(...input)),
    submit: async (state) => pause(25).then(() => submit(state)),
    check: async (state) => pause(25).then(() => check(state)),
  });
  expect(await reportOn(slow)).toMatch(
    /has not ended after 60 ms; .*\nWhat helps: Raise `timeLimitMs`, an option next to `create`, if your adapter is only slow: (one call has|\d calls have) ended in these 60 ms\.\n/,
  );
});

it('asks the author of an adapter that waits without an end for a time limit', async () => {
  const endless: PayoutFault = () => ({ prepare: () => new Promise(() => undefined) });
  expect(await reportOn(endless)).toMatch(
    /has not ended after 60 ms; .*\nWhat helps: Give each request a time limit/,
  );
});
