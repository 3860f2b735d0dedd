/** The sentences of src/ports/oracle.ts, under names that tests cite. */
import { CURES } from '../conformance/cures';
import type { Contract } from '../conformance/runner';

const SENTENCES = {
  promise: '`ask` answers, or rejects with an `Error`; it never throws before it returns a promise.',
  signal:
    '`ask` ends soon after its signal is aborted, and also when the signal was aborted before the call.',
  ends: '`ask` ends by itself, without a signal too.',
  knows:
    'An oracle answers `YES` or `NO` only when it knows the outcome; otherwise it abstains or rejects, and never guesses.',
  outage:
    'An oracle whose sources cannot be reached, or do not answer, rejects: an abstention counts as an answer, and the caller of a paid question pays for it.',
  early:
    'What is certain only at the `resolveDate`, such as a price of that day, is not known before it: asked earlier (`asOf`), the oracle does not decide.',
  final:
    'A result that may still change, such as a live score or a provisional count, is not known yet: the oracle does not decide by it.',
  subject: 'An answer of the sources about another subject than the asked one decides nothing.',
  apart: 'A call whose signal is aborted ends no other call.',
  fresh: 'Each call of `ask` asks the sources anew, because a source may correct its answer.',
  recovers: 'When the cause of a failure is over, the next question is answered again.',
  data: 'The text of a question is data: nothing in it changes how the oracle decides.',
  identity:
    'An oracle that looks a market up finds it by its `marketId` or `tickerId`, which the service gives: the creator of a market chooses its texts and, by them, its `slug`.',
  unknownMarket:
    'Asked about a market that it does not know, or about no market, an oracle that looks markets up abstains, because no later call would find it.',
  nonsense: 'An oracle whose sources answer nonsense, or an HTTP error other than 404, rejects too.',
  manual: 'Whether operators decide every market, because this oracle always abstains.',
  noDate: "The resolve date in ISO 8601; `null` for a question that is not a market's.",
  noMarket:
    "The market whose question it is; this field and the next ones are `null` for a question that is not a market's.",
  survives: 'A text of any length and any characters breaks nothing.',
  message:
    'The message of an error is one line of at most 500 characters, without a secret and without a stack trace.',
  secret: 'No answer and no name contains a secret.',
  redirect: 'A secret goes only to the sources: an oracle sends none to the address of a redirect.',
  says: 'The oracle port: it says what happened.',
  outcomes: '`YES`, `NO`, `TOO_EARLY`, `AMBIGUOUS` or `UNKNOWN`, in capital letters.',
  probability: 'The probability of YES from 0 to 1: at least 0.5 with `YES`, at most 0.5 with `NO`.',
  confidence: 'How sure the oracle is of its answer, from 0 to 1.',
  agreement: 'The part of the votes that agrees with the outcome, from 0 to 1; 1 when left out.',
  addresses: 'Each source has an http(s) address.',
  votes: 'One vote for each voter that was asked, also for voters that failed (`error`).',
  voteError: 'Why the voter failed, on one line of at most 500 characters without secrets.',
  name: 'The name in logs, votes and metrics.',
  role: 'The default role is `authority`.',
} as const;

export type OracleSentence = keyof typeof SENTENCES;

const ORACLE_CURES: Readonly<Partial<Record<OracleSentence, string>>> = {
  promise:
    'Declare `ask` as `async`, throw an `Error`, and return an object with `outcome`, `probability` and `confidence`.',
  signal:
    'Pass the signal on to each request and each pause, such as with `AbortSignal.any([signal, AbortSignal.timeout(ms)])`.',
  ends: CURES.timeLimit,
  knows:
    'Answer `YES` or `NO` only if the answer of the sources says so in the form that you expect. After anything else reject, or abstain.',
  outage: 'Throw an `Error` when a source gives no answer. Do not catch it.',
  early: 'Before the `resolveDate`, by `asOf` of the question, answer `TOO_EARLY`.',
  final: 'Decide only if the sources say that the result is final. Otherwise answer `TOO_EARLY`.',
  subject:
    'Compare the subject that the answer names with the one that you have asked about. If they differ, or the answer names none, reject.',
  apart: 'Share no request between calls.',
  fresh: 'Ask the sources in every call, and remember no answer.',
  recovers: 'Keep no failure in memory: ask the sources anew in every call.',
  data: 'Read the outcome from the sources only. For a model, mark the texts of the question as data, and check its answer.',
  identity: 'Look the market up by `marketId` or `tickerId`, and use no text of the question for that.',
  unknownMarket:
    'Answer `UNKNOWN` when the sources do not know the market, and when `marketId` and `tickerId` are `null`.',
  nonsense:
    'Throw an `Error` for each answer that you cannot read and for each HTTP status but that of a success and 404.',
  survives: 'Encode each text that you put into an address, and cut off what is too long for the sources.',
  message: CURES.secret,
  voteError: CURES.secret,
  secret: 'Leave keys out of names, reasons and addresses of citations.',
  redirect: CURES.redirect,
  outcomes: 'Convert the words of the sources to these five.',
  probability:
    'Answer `NO` with a probability of 0.5 or less: it is the probability of YES, not of the outcome.',
  confidence:
    'Pass on how sure the sources are, from 0 to 1. Divide percentages by 100, and take a missing figure for no certainty.',
  agreement: 'Divide the votes for the outcome by all votes.',
  addresses: 'Leave out sources without an http(s) address.',
  votes: 'Give each vote the name of its voter, and figures that fit or an `error`.',
};

export const ORACLE_CONTRACT: Contract<OracleSentence> = {
  port: 'Oracle',
  where: 'docs/oracle-adapters.md, and the comments of src/ports/oracle.ts',
  sentences: SENTENCES,
  cures: ORACLE_CURES,
};

/** Sentences of the port that the suite does not check. */
export const ORACLE_EXPLANATIONS: readonly string[] = [
  'Says what happened.',
  'A paid question about an open market may come at any time.',
  'An oracle is asked outside of any transaction, and may be slow, abstain or fail.',
  'Each answer is checked on arrival, and an answer that cannot be used counts as a failure.',
  'A source that a voter names.',
  'The sources of the answer.',
  'Only the address is needed.',
  'A citation without an http(s) address, or with a user or a password in it, is left out.',
  'Citations with the same address are merged, and the first 20 of a vote are kept.',
  'An http(s) address of at most 2,000 characters.',
  'The title of the page.',
  'The first 500 characters are kept.',
  'What the page says about the question.',
  'When the page was published, in a form that `new Date` reads.',
  'When the voter read the page, in a form that `new Date` reads.',
  'The answer of one voter in one round.',
  'Its figures must not contradict each other (`OracleAnswer`), or it counts as the vote of a voter that has failed.',
  'A field that cannot be used counts as left out.',
  'How sure the voter is, from 0 to 1.',
  'The name of the voter.',
  'Default: the name of the oracle that was asked.',
  'The name of the model; left out or `null` if the voter is not a model.',
  'The reasons of the voter, in words.',
  'The first 4,000 characters are kept.',
  'How long the voter took.',
  'Default: the time of the whole answer.',
  'What the vote has cost.',
  'It counts in the budget, also if the voter has failed.',
  'SHA-256 of the prompt that the voter got, in 64 hexadecimal digits.',
  'Then a closed market waits for an operator from its first round on, and the alarm `resolution` names the market.',
  'A vote with an error does not count, and its figures mean nothing.',
  'The instant of asking, in ISO 8601.',
  'The address of the creator, in EIP-55 form.',
  '`TOO_EARLY`: the event has not happened yet.',
  '`AMBIGUOUS`: the sources contradict each other or the criteria.',
  '`UNKNOWN`: no source says what happened.',
  'All three are abstentions.',
  'If votes are left out, the answer itself is the only vote.',
  "An `authority` (a data feed, the host's own resolver) decides alone: one confident YES or NO.",
  'A `judge` (a model, or several of them) is asked in rounds, and decides when the votes of a round agree: docs/resolution.md, "Rounds".',
];
