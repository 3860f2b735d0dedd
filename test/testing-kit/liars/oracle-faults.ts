/** The faulty oracles, each with the test of the suite that finds its fault. */
import type { OracleSentence } from '../../../testing/oracle-conformance/contract';
import { foundBy, type Found } from '../fault-table';
import * as careless from './careless-oracles';
import * as credulous from './credulous-oracles';
import * as liars from './oracles';

export const SAYS = 'an oracle: says what its sources say, with figures that fit';
const GUESSES = 'an oracle: does not guess when its sources say nothing';
const AWAY = 'an oracle in trouble: rejects without its sources, and recovers';
const NONSENSE = 'an oracle in trouble: does not guess from nonsense, and recovers';
const FIELDS = 'an oracle in trouble: does not guess from a field that is wrong, and recovers';
const REDIRECT =
  'an oracle in trouble: sends no secret to the address of a redirect, and does not decide by it';
const HTTP = 'an oracle in trouble: does not decide by an HTTP error, and recovers';
const NO_MARKET =
  'a question of no market: has null in place of the market and its date, and stumbles over none';
const EARLY = 'an oracle: does not decide before the date that decides';
const HOSTILE_NO = 'the texts of a question: change no outcome: sources that say NO';
const HOSTILE_NOTHING = 'the texts of a question: change no outcome: sources that say nothing';
const STRANGE = 'the texts of a question: may be of any length and hold any characters';
export const CONFUSED = 'two markets that could be confused: get their own answers';
const AT_ONCE =
  'two markets that could be confused: are not mixed up when both are asked about at the same time';
const MANUAL = 'an oracle: never decides if it says that operators do';
export const NAMED = 'an oracle: has a name and a role';
const PROVISIONAL = 'a result: that may still change decides nothing';
const ELSEWHERE = 'a result: about another subject decides nothing';

export const FAULTS: Found<liars.OracleFault, OracleSentence>[] = [
  ...foundBy(PROVISIONAL, 'final', {
    'believes unofficial reports': credulous.believesUnofficialReports,
    'takes a missing mark for official': credulous.takesAMissingMarkForOfficial,
  }),
  ...foundBy(ELSEWHERE, 'subject', {
    'believes other stations': credulous.believesOtherStations,
    'takes a missing station for its own': credulous.takesAMissingStationForItsOwn,
  }),
  ...foundBy(FIELDS, 'knows', {
    'takes a missing figure for zero': credulous.takesAMissingFigureForZero,
    'takes an empty text for zero': credulous.takesAnEmptyTextForZero,
    'reads a text up to its first comma': credulous.readsTextsLoosely('1234.5'),
    'reads a text up to its decimal comma': credulous.readsTextsLoosely('5.25'),
    'reads a long text up to its first comma': credulous.readsTextsLoosely('1234567'),
  }),
  ...foundBy('an oracle in trouble: takes no figure that is left out for certainty', 'knows', {
    'is sure without a figure': credulous.isSureWithoutAFigure,
  }),
  ...foundBy('a result: of which the sources are not sure resolves no market', 'confidence', {
    'is always sure': credulous.isAlwaysSure,
  }),
  ...foundBy('a question: ends alone when its signal is aborted', 'apart', {
    'shares its requests': credulous.sharesItsRequests,
  }),
  ...foundBy(SAYS, 'fresh', { 'keeps its decision': credulous.keepsItsDecision }),
  ...foundBy(SAYS, 'addresses', { 'cites what is no list': credulous.citesWhatIsNoList }),
  ...foundBy(NAMED, 'secret', { 'names its key': credulous.namesItsKey }),
  ...foundBy(HTTP, 'knows', {
    'takes HTTP 409 for NO': careless.takesAConflictForNo,
    'takes HTTP 204 for NO': careless.takesNoContentForNo,
  }),
  ...foundBy(HTTP, 'nonsense', { 'abstains at time-outs of a gateway': careless.abstainsAtTimeouts }),
  { does: 'obeys a text', fault: liars.obeysTheText, test: HOSTILE_NO, sentence: 'data' },
  { does: 'obeys a verdict in a text', fault: liars.obeysTheDescription, test: HOSTILE_NO, sentence: 'data' },
  { does: 'obeys an encoded text', fault: liars.obeysBase64, test: HOSTILE_NOTHING, sentence: 'data' },
  { does: 'guesses NO', fault: liars.guessesNo, test: GUESSES, sentence: 'knows' },
  { does: 'says YES to everything', fault: liars.alwaysYes, test: SAYS, sentence: 'says' },
  { does: 'never decides', fault: liars.never, test: SAYS, sentence: 'says' },
  { does: 'writes outcomes in lower case', fault: liars.lowerCase, test: SAYS, sentence: 'outcomes' },
  { does: 'counts confidence in percent', fault: credulous.percent, test: SAYS, sentence: 'confidence' },
  {
    does: 'gives the probability of its outcome',
    fault: credulous.ofTheOutcome,
    test: SAYS,
    sentence: 'probability',
  },
  { does: 'counts voters as agreement', fault: credulous.wrongAgreement, test: SAYS, sentence: 'agreement' },
  { does: 'cites a script', fault: liars.scripts, test: SAYS, sentence: 'addresses' },
  { does: 'has an empty vote', fault: liars.emptyVote, test: SAYS, sentence: 'votes' },
  {
    does: 'tells the stack of a voter',
    fault: credulous.tellsTheStackOfAVoter,
    test: SAYS,
    sentence: 'voteError',
  },
  { does: 'knows a market by its slug', fault: liars.knowsBySlug, test: CONFUSED, sentence: 'identity' },
  {
    does: 'knows a market by the begin of its slug',
    fault: liars.knowsByBeginOfSlug,
    test: CONFUSED,
    sentence: 'identity',
  },
  { does: 'knows a market by its question', fault: liars.knowsByText, test: CONFUSED, sentence: 'identity' },
  { does: 'judges by the slug', fault: liars.judgesTheSlug, test: CONFUSED, sentence: 'identity' },
  { does: 'writes long messages', fault: credulous.talksTooLong, test: AWAY, sentence: 'message' },
  { does: 'tells its key', fault: liars.tellsItsKey, test: AWAY, sentence: 'message' },
  { does: 'tells its encoded key', fault: liars.tellsItsCredentials, test: AWAY, sentence: 'message' },
  { does: 'tells its key in a cause', fault: liars.tellsItsKeyInACause, test: AWAY, sentence: 'message' },
  {
    does: 'tells its key deep in a cause',
    fault: liars.tellsItsKeyDeepInACause,
    test: AWAY,
    sentence: 'message',
  },
  { does: 'takes HTTP 404 for NO', fault: careless.takesNotFoundForNo, test: HTTP, sentence: 'knows' },
  { does: 'takes HTTP 500 for NO', fault: careless.ignoresTheStatus, test: HTTP, sentence: 'knows' },
  { does: 'abstains at HTTP 500', fault: careless.abstainsAtServerErrors, test: HTTP, sentence: 'nonsense' },
  {
    does: 'abstains when its key has expired',
    fault: careless.abstainsAtRefusals,
    test: HTTP,
    sentence: 'nonsense',
  },
  {
    does: 'takes HTTP 404 for NO long after the date',
    fault: careless.takesNotFoundForNoLater,
    test: HTTP,
    sentence: 'knows',
  },
  { does: 'abstains at nonsense', fault: careless.abstainsAtNonsense, test: NONSENSE, sentence: 'nonsense' },
  {
    does: 'has a time limit that ends with the headers',
    fault: careless.waitsForTheBody,
    test: 'a question: ends by itself (headers and half of a body)',
    sentence: 'ends',
  },
  {
    does: 'forgets its signal when the headers arrive',
    fault: careless.waitsForTheBody,
    test: 'a question: ends soon after its signal is aborted (headers and half of a body)',
    sentence: 'signal',
  },
  {
    does: 'rejects questions about unknown markets',
    fault: careless.rejectsUnknownMarkets,
    test: CONFUSED,
    sentence: 'unknownMarket',
  },
  {
    does: 'decides, and says that operators do',
    fault: careless.decidesAlthoughManual,
    test: MANUAL,
    sentence: 'manual',
  },
  { does: 'needs a date', fault: careless.needsADate, test: NO_MARKET, sentence: 'noMarket' },
  {
    does: 'says NO to what is no market',
    fault: careless.takesNoMarketForSettled,
    test: NO_MARKET,
    sentence: 'noMarket',
  },
  {
    does: 'takes every question for a market',
    fault: liars.knowsNoMarket,
    test: CONFUSED,
    sentence: 'identity',
  },
  { does: 'tells its stack', fault: liars.tellsItsStack, test: AWAY, sentence: 'message' },
  { does: 'rejects with a text', fault: liars.rejectsWithText, test: AWAY, sentence: 'promise' },
  { does: 'guesses without its sources', fault: liars.guessesWithoutSources, test: AWAY, sentence: 'knows' },
  { does: 'guesses from nonsense', fault: liars.guessesFromNonsense, test: NONSENSE, sentence: 'knows' },
  {
    does: 'ignores its signal',
    fault: liars.ignoresItsSignal,
    test: 'a question: ends soon after its signal is aborted',
    sentence: 'signal',
  },
  {
    does: 'asks although its signal was aborted before',
    fault: liars.asksAfterTheAbort,
    test: 'a question: ends soon when its signal was aborted before',
    sentence: 'signal',
  },
  {
    does: 'waits without an end',
    fault: liars.waitsEndlessly,
    test: 'a question: ends by itself',
    sentence: 'ends',
  },
  { does: 'throws at once', fault: liars.throwsAtOnce, test: STRANGE, sentence: 'promise' },
  { does: 'breaks for good', fault: liars.breaksForGood, test: STRANGE, sentence: 'recovers' },
  { does: 'stays away', fault: careless.staysAway, test: AWAY, sentence: 'recovers' },
  { does: 'compares with NaN', fault: careless.comparesWithNaN, test: FIELDS, sentence: 'knows' },
  { does: 'takes null for zero', fault: careless.takesNullForZero, test: FIELDS, sentence: 'knows' },
  { does: 'believes every text', fault: careless.believesEveryText, test: FIELDS, sentence: 'knows' },
  {
    does: 'takes an empty body for NO',
    fault: careless.takesSilenceForNo,
    test: NONSENSE,
    sentence: 'knows',
  },
  { does: 'takes an error for NO', fault: careless.takesAnErrorForNo, test: NONSENSE, sentence: 'knows' },
  { does: 'searches for a word', fault: careless.searchesForAWord, test: NONSENSE, sentence: 'knows' },
  { does: 'abstains in an outage', fault: careless.abstainsInAnOutage, test: AWAY, sentence: 'outage' },
  { does: 'says TOO_EARLY in an outage', fault: careless.tooEarlyInAnOutage, test: AWAY, sentence: 'outage' },
  {
    does: 'abstains when nothing answers it',
    fault: careless.abstainsInAnOutage,
    test: 'a question: ends by itself',
    sentence: 'outage',
  },
  {
    does: 'takes its key elsewhere',
    fault: careless.takesItsKeyElsewhere,
    test: REDIRECT,
    sentence: 'redirect',
  },
  { does: 'keeps its answer', fault: careless.keepsItsAnswer, test: FIELDS, sentence: 'fresh' },
  { does: 'decides before the date', fault: careless.ignoresTheDate, test: EARLY, sentence: 'early' },
  { does: 'reads its own clock', fault: careless.readsItsOwnClock, test: EARLY, sentence: 'early' },
  { does: 'says NO after a while', fault: careless.saysNoAfterAWhile, test: GUESSES, sentence: 'knows' },
  {
    does: 'tells its key in an answer',
    fault: careless.tellsItsKeyInAnAnswer,
    test: SAYS,
    sentence: 'secret',
  },
  {
    does: 'stays stopped after a call that was aborted',
    fault: careless.sharesItsController,
    test: 'a question: ends soon after its signal is aborted',
    sentence: 'recovers',
  },
  {
    does: 'stays stopped after a call that was aborted before',
    fault: careless.sharesItsController,
    test: 'a question: ends soon when its signal was aborted before',
    sentence: 'recovers',
  },
  {
    does: 'stays stopped after a call that took too long',
    fault: careless.sharesItsController,
    test: 'a question: ends by itself',
    sentence: 'recovers',
  },
  {
    does: 'keeps the market in a field',
    fault: careless.keepsTheMarketInAField,
    test: AT_ONCE,
    sentence: 'identity',
  },
  { does: 'has no name', fault: credulous.nameless, test: NAMED, sentence: 'name' },
  { does: 'has a role of its own', fault: credulous.chief, test: NAMED, sentence: 'role' },
];
