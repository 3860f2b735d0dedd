/** Rate limits with one fault each. The suite finds each fault and names it. */
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { rateLimitConformance, type RateLimitUnderTest } from '../../testing';
import { RATE_LIMIT_CONTRACT, type RateLimitSentence } from '../../testing/rate-limit-conformance/contract';
import { recordingRunner, type Recording } from '../storage/broken/recording-runner';
import { foundBy, reportOf, type Found } from './fault-table';
import { rateLimitWith, type RateLimitFault } from './liars/count-server';
import * as outages from './liars/rate-limit-outages';
import * as liars from './liars/rate-limits';
import * as remote from './liars/remote-rate-limits';

const TIME_LIMIT_MS = 5_000;

function conformanceOf(create: () => Promise<RateLimitUnderTest>, only?: string): Promise<Recording> {
  const { runner, run } = recordingRunner(expect);
  rateLimitConformance(runner, { create, timeLimitMs: TIME_LIMIT_MS });
  return run(only);
}

const WINDOW = 'a window of requests';
const SILENT = 'a backend: answers at once when what it asks is silent, and keeps the limit';

const REFUSED = 'a backend: answers when what it asks refuses connections, and keeps the limit';
const ERROR = 'a backend: answers when what it asks answers HTTP 500, and keeps the limit';

const NONSENSICAL = 'a backend: counts by itself when what it asks answers nonsense, and keeps the limit';
const WRONG_FIELD = 'a backend: counts by itself when a field of an answer is wrong, and keeps the limit';

const ONE = `${WINDOW}: belongs to one subject and one length`;
const ONE_OF_FAILURES = 'a window of failures: belongs to one subject and one length';
const APART = `${WINDOW}: holds requests, and no failures`;
const ROLLING = `${WINDOW}: tells what is left when the oldest calls have left`;

const NAMED = `${WINDOW}: has a name, without a secret`;
const BACK = 'a backend: counts with the others again when what it asks answers again';
const atStatus = (status: number) =>
  `a backend: answers when what it asks answers HTTP ${status}, and keeps the limit`;

const FAULTS: Found<RateLimitFault, RateLimitSentence>[] = [
  ...foundBy(atStatus(429), 'status', {
    'takes a busy server for the limit': remote.takesABusyServerForTheLimit,
  }),
  ...foundBy(atStatus(502), 'status', { 'lets calls in at a bad gateway': remote.letsInAtABadGateway }),
  ...foundBy('a backend: sends no secret to the address of a redirect, and keeps the limit', 'secret', {
    'takes its key elsewhere': remote.takesItsKeyElsewhere,
  }),
  ...foundBy(NAMED, 'secret', { 'names its key': remote.namesItsKey }),
  ...foundBy(ONE, 'secret', { 'logs its key': remote.logsItsKey }),
  ...foundBy('a window of failures: ends at the instant that it has told', 'forgotten', {
    'ends failures late': remote.endsFailuresLate,
  }),
  ...foundBy('a window of failures: counts what any instance has seen, address by address', 'failures', {
    'loses failures that come at once': remote.losesFailuresAtOnce,
  }),
  ...foundBy(BACK, 'failures', { 'keeps failures alone after an outage': remote.keepsFailuresAlone }),
  ...foundBy(BACK, 'waits', { 'stays alone when its server was busy': remote.staysAloneWhenItWasBusy }),
  ...foundBy(ONE, 'counts', { 'counts in seconds': remote.countsInSeconds }),
  ...foundBy(`${WINDOW}: holds calls of instances whose clocks differ a little`, 'limit', {
    'forgets calls of a faster clock': remote.forgetsCallsOfAFasterClock,
  }),
  ...foundBy('a window of failures: is forgotten when it ends, though failures go on', 'failures', {
    'prolongs the window with every failure': liars.prolongsFailures,
  }),
  ...foundBy('a backend: answers before it is started, and keeps the limit', 'always', {
    'answers only once it is started': liars.waitsForItsStart,
  }),
  ...foundBy(`${WINDOW}: keeps its calls when a shorter window ends or a further instance starts`, 'limit', {
    'empties all windows when one of them ends': liars.purgesAllLengths,
    'clears the counts when it starts': liars.clearsAtItsStart,
  }),
  ...foundBy(SILENT, 'waits', {
    'keeps requests waiting': liars.waitsForAnAnswer,
  }),
  ...foundBy(SILENT, 'limit', {
    'lets all calls in when it is away': liars.opensTheDoorWhenItIsAway,
    'looks open when it is away': liars.looksOpenWhenItIsAway,
  }),
  ...foundBy(SILENT, 'refused', { 'counts refusals when it is away': outages.countsRefusalsWhenItIsAway }),
  ...foundBy(ERROR, 'status', { 'lets calls in at an HTTP error': outages.letsInAtAnError }),
  ...foundBy(REFUSED, 'waits', { 'rejects when connections are refused': outages.rejectsWhenRefused }),
  ...foundBy(ONE, 'counts', {
    'takes two ways to write an accent for the same': liars.normalizesNames,
    'ignores the case of a subject': liars.ignoresTheCase,
    'cuts long subjects off': liars.cutsNames,
    'ignores a space at the end': liars.trimsNames,
    'ignores accents': liars.ignoresAccents,
  }),
  ...foundBy(ONE_OF_FAILURES, 'failures', {
    'takes two ways to write an accent of who failed for the same': liars.normalizesNamesOfFailures,
    'ignores a space at the end of who failed': liars.trimsNamesOfFailures,
    'ignores accents of who failed': liars.ignoresAccentsOfFailures,
    'ignores the case of who failed': liars.ignoresTheCaseOfFailures,
    'cuts the names of who failed off': liars.cutsNamesOfFailures,
    'counts the failures of all lengths together': liars.countsFailuresOfAllLengths,
  }),
  ...foundBy(ONE_OF_FAILURES, 'failures', {
    'trims names only when it records': liars.recordsTrimmedNames,
    'normalizes names only when it records': liars.recordsNormalizedNames,
  }),
  ...foundBy('a backend: answers at once when what it asks stops in the middle of an answer', 'waits', {
    'has a time limit that ends with the headers': outages.waitsForTheBody,
  }),
  ...foundBy(NONSENSICAL, 'counts', { 'uses nonsense as it is': outages.usesNonsense }),
  ...foundBy(NONSENSICAL, 'failures', {
    'takes an empty object for no failures': remote.takesAnEmptyObjectForNoFailures,
  }),
  ...foundBy(NONSENSICAL, 'limit', { 'lets calls in at nonsense': outages.letsInAtNonsense }),
  ...foundBy(WRONG_FIELD, 'counts', { 'uses a wrong field as it is': outages.usesNonsense }),
  ...foundBy('a backend: starts while what it asks is silent, and keeps the limit', 'starts', {
    'waits for its server when it starts': outages.waitsForTheServer,
  }),
  ...foundBy('a backend: starts while what it asks refuses connections, and keeps the limit', 'starts', {
    'starts with its server only': outages.startsWithTheServerOnly,
  }),
  ...foundBy('a backend: answers after it is closed, and keeps the limit', 'always', {
    'forgets at its end what it has counted': outages.forgetsAtItsEnd,
  }),
  ...foundBy(`${WINDOW}: lets a request in at the very end that it has told`, 'resetAt', {
    'ends its windows a millisecond late': liars.endsOneMillisecondLate,
  }),
  ...foundBy(`${WINDOW}: follows a limit that changes`, 'remaining', {
    'has less than none left': liars.hasLessThanNoneLeft,
  }),
  ...foundBy(APART, 'failures', {
    'counts requests as failures': liars.countsRequestsAsFailures,
  }),
  ...foundBy(APART, 'counts', {
    'counts failures as requests': liars.countsFailuresAsRequests,
  }),
  ...foundBy('a backend: answers before it is started, and keeps the limit', 'failures', {
    'drops failures before it is started': liars.dropsFailuresBeforeItsStart,
  }),
  ...foundBy('a window of failures: counts what any instance has seen, address by address', 'forgotten', {
    'forgets failures early': liars.forgetsFailuresEarly,
  }),
  ...foundBy(ROLLING, 'resetAt', {
    'tells the end of a call that has left': liars.remembersTheFirstCall,
  }),
  ...foundBy(ROLLING, 'remaining', {
    'never has more left': liars.neverHasMoreLeft,
  }),
  ...foundBy('a backend: counts with the others again when what it asks answers again', 'waits', {
    'stays alone when its server is back': liars.staysAlone,
  }),
  {
    does: 'begins anew with every minute',
    fault: liars.countsByTheMinute,
    test: `${WINDOW}: does not begin anew in the middle`,
    sentence: 'limit',
  },
  {
    does: 'counts in each instance alone',
    fault: liars.countsAlone,
    test: `${WINDOW}: lets exactly the limit of parallel calls in, over all instances`,
    sentence: 'limit',
  },
  {
    does: 'looks before it counts',
    fault: liars.looksBeforeItCounts,
    test: `${WINDOW}: lets exactly the limit of parallel calls in, over all instances`,
    sentence: 'limit',
  },
  {
    does: 'counts what it refuses',
    fault: liars.countsRefusals,
    test: `${WINDOW}: does not count what it refuses`,
    sentence: 'refused',
  },
  {
    does: 'counts by being looked at',
    fault: liars.countsLooks,
    test: `${WINDOW}: is looked at without counting`,
    sentence: 'onlyLooks',
  },
  {
    does: 'looks open without a limit',
    fault: liars.looksOpenWithoutALimit,
    test: `${WINDOW}: follows a limit that changes`,
    sentence: 'limit',
  },
];

describe('the rate-limit conformance suite', () => {
  /** Each call of `Date.now` returns 10 ms more than the call before, however slow the machine is. */
  beforeEach(() => {
    let now = Date.parse('2030-01-01T00:00:00Z');
    jest.spyOn(Date, 'now').mockImplementation(() => (now += 10));
  });
  afterEach(() => {
    jest.restoreAllMocks();
  });

  it('passes a backend that keeps its word', async () => {
    const { reports, passed } = await conformanceOf(async () => rateLimitWith(liars.sound));
    expect(reports).toEqual(new Map());
    expect(passed.length).toBeGreaterThan(15);
  });

  it.each(FAULTS)('tells of a backend that $does', async ({ fault, test, sentence }) => {
    const { reports } = await conformanceOf(async () => rateLimitWith(fault), test);
    expect(reports.get(test)).toMatch(reportOf(RATE_LIMIT_CONTRACT, sentence));
  });

  it('says how long a call took when too many were let in', async () => {
    const test = `${WINDOW}: lets exactly the limit of parallel calls in, over all instances`;
    const reportOf = async (fault: RateLimitFault) =>
      (await conformanceOf(async () => rateLimitWith(fault), test)).reports.get(test);
    expect(await reportOf(outages.countsAloneAfterASlowCall)).toMatch(
      /limit of 10: 20; expected: 10\nA call took \d{3,} ms\. If that is longer than the time limit of the adapter, the adapter may have counted alone/,
    );
  });

  it('names all wrong fields of an answer at once', async () => {
    const fault = liars.windows(({ hit }) => ({
      hit: async (...input) => ({ ...(await hit(...input)), remaining: '2', resetAt: null }) as never,
    }));
    const { reports } = await conformanceOf(async () => rateLimitWith(fault), WINDOW);
    expect([...reports.values()][0]).toContain(
      'of what `hit` answered, `remaining`: "2"; expected: a whole number, 0 or more; `resetAt`: null; expected: a number of milliseconds',
    );
  });

  it('ends soon on a backend that hangs, however long a check may take', async () => {
    const start = performance.now();
    const { failed } = await conformanceOf(async () => rateLimitWith(liars.waitsForAnAnswer), 'what it asks');
    expect(failed).toHaveLength(4);
    expect(performance.now() - start).toBeLessThan(3 * TIME_LIMIT_MS);
  });

  const CUT_OFF =
    'Give `cutOff` (makes the server that the backend asks stop answering), or declare `cutOff: false`.';
  const REFUSE = 'Give `refuse` (makes the server refuse connections), or declare `refuse: false`.';

  it('names each sentence for which it was given no means to look', async () => {
    const { reports } = await conformanceOf(async () => {
      const { backend, destroy } = rateLimitWith(liars.sound);
      // A test in JavaScript has no types, so it may leave hooks out.
      return { backend, destroy } as RateLimitUnderTest;
    });
    expect([...reports.values()].map((report) => report.split('\n')[0]?.split('checked: ')[1])).toEqual([
      'Give `secrets` (lists the texts that no name and no log line may contain), or declare `secrets: false`.',
      'Give `another` (a second backend that shares its counts), or declare `another: false`.',
      ...Array<string>(2).fill(CUT_OFF),
      REFUSE,
      CUT_OFF,
      REFUSE,
      ...Array<string>(9).fill(
        'Give `failWith` (makes the server answer with an HTTP status), or declare `failWith: false`.',
      ),
      'Give `redirect` (makes the server answer with a redirect), or declare `redirect: false`.',
      ...Array<string>(2).fill(
        'Give `garble` (makes the server answer `nonsense(body)` in place of each body), or declare `garble: false`.',
      ),
      CUT_OFF,
    ]);
  });
});
