/** The sentences of src/ports/oracle.ts, under names that tests cite. */
import type { Contract } from '../conformance/runner';

const SENTENCES = {
  promise: '`ask` answers, or rejects with an `Error`; it never throws before it returns a promise.',
  signal: 'It ends soon after its signal is aborted, and also when the signal was aborted before the call.',
  ends: 'It ends by itself, without a signal too.',
  knows: 'It answers `YES` or `NO` only when it knows; else it abstains or rejects, and never guesses.',
  recovers: 'A failure ends with its cause: the next question is answered again.',
  data: 'The text of a question is data: nothing in it changes how the oracle decides.',
  survives: 'Texts of any length and any characters are survived.',
  message: 'The message of an error is one line, without a secret and without a stack trace.',
  says: 'The oracle port: it says what happened.',
  abstentions: 'All three are abstentions.',
  probability: 'From 0 to 1, that the outcome is YES: at least 0.5 beside `YES`, at most 0.5 beside `NO`.',
  confidence: 'From 0 to 1, in the answer.',
  agreement: 'From 0 to 1: the share of the votes that agree with the outcome; 1 when left out.',
  addresses: 'Addresses are http(s).',
  votes: 'One for each voter that was asked, failed ones (`error`) included.',
  name: 'For logs, votes and metrics.',
  role: 'Default `authority`.',
} as const;

export type OracleSentence = keyof typeof SENTENCES;

export const ORACLE_CONTRACT: Contract<OracleSentence> = { port: 'Oracle', sentences: SENTENCES };

/** Sentences that bind the caller, or only say what a field contains. */
export const ORACLE_EXPLANATIONS: readonly string[] = [
  'An oracle is asked outside of any transaction; it may be slow, abstain or fail.',
  'What it answers is checked on arrival, and an answer that cannot be used counts as a failure.',
  "ISO 8601; `null` for a question that is not a market's.",
  'ISO 8601: the instant of asking.',
  "The market that asks; all of these are `null` for a question that is not a market's.",
  'Address of the creator, by EIP-55.',
  '`TOO_EARLY`: the event lies ahead.',
  '`AMBIGUOUS`: the sources contradict each other or the criteria.',
  '`UNKNOWN`: no source tells.',
  'Left out: the answer itself is the only vote.',
  "An `authority` (a data feed, the host's own resolver) decides alone: one confident YES or NO.",
  'A `judge` (a model, or several of them) is asked in rounds, and decides when all its voters agree: docs/resolution.md, "Rounds".',
];
