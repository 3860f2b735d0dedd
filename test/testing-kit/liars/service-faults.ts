/** Facilitators that misread their service or have wrong members, each with the test that finds the fault. */
import type { FacilitatorSentence } from '../../../testing/facilitator-conformance/contract';
import { foundBy, type Found } from '../fault-table';
import * as clients from './careless-clients';
import { callsUnavailable, passesEachKindOn } from './careless-facilitators';
import type { FacilitatorFault } from './facilitator-world';
import * as misnamed from './misnamed-facilitators';

export const HTTP_ERRORS = 'HTTP errors: refuse no payment, and make nothing valid, settled or known';
export const LIST = 'answers that cannot be understood: are no list of what the facilitator accepts';
const spoilt = (what: string): string =>
  `an answer with one wrong field: refuses no payment, and makes nothing settled that is not (${what})`;
const MEMBERS = 'the optional members: say what they are for';

const AWAY = 'without what it depends on: nothing is valid, settled or known, and no call rejects';

const ANY_ERROR =
  'a submission whose answer is lost: is not called one that was never made, with each HTTP error of a proxy';

export const SERVICE_FAULTS: Found<FacilitatorFault, FacilitatorSentence>[] = [
  ...[408, 429, 502, 503, 504].flatMap((status) =>
    foundBy(ANY_ERROR, 'unavailable', {
      [`calls a submission that HTTP ${status} answers one that was never made`]: callsUnavailable(
        `HTTP ${status}`,
      ),
    }),
  ),
  ...foundBy(HTTP_ERRORS, 'invalid', {
    'takes HTTP 400, 404, 409 and 422 for a refusal': clients.takesEach4xxForInvalid,
  }),
  ...foundBy(MEMBERS, 'playMoney', { 'says in words what it moves': misnamed.saysInWordsWhatItMoves }),
  ...foundBy(MEMBERS, 'address', { 'has no address in `address`': misnamed.hasNoAddress }),
  ...foundBy(MEMBERS, 'chainId', { 'is on another chain': misnamed.isOnAnotherChain }),
  ...foundBy('the optional members: name no other chain when the node is away', 'chainAway', {
    'names chain 0 without its node': misnamed.countsNoChain,
  }),
  ...foundBy('what a stranger submitted: is spent, and the look-up says that it paid', 'sender', {
    'claims to have sent what a stranger submitted': misnamed.claimsToHaveSent,
  }),
  ...foundBy(AWAY, 'reason', { 'gives no reason': misnamed.givesNoReason }),
  ...foundBy(HTTP_ERRORS, 'nobodyKnows', {
    'takes HTTP 404 for an unused authorization': clients.takesNotFoundForUnused,
  }),
  ...foundBy(HTTP_ERRORS, 'recovers', {
    'verifies no more after one error': clients.verifiesNoMore,
  }),
  ...foundBy(LIST, 'supported', {
    'gives a list of its own for one that it cannot read': clients.supportsByDefault,
    'passes on a kind whose fields it has not looked at': passesEachKindOn,
  }),
  ...foundBy(spoilt('an unknown value'), 'invalid', {
    'takes a code that it does not know for final': clients.takesUnknownCodesForInvalid,
  }),
  ...foundBy(spoilt('an unknown value'), 'nobodyKnows', {
    'takes a state that it does not know for unused': clients.takesUnknownStatesForUnused,
  }),
  ...foundBy(spoilt('nothing, as if the service had left it out'), 'transaction', {
    'takes the transaction from a body that lacks it': clients.settlesWithoutTransaction,
  }),
  ...foundBy('addresses: mean the same in lower case and in EIP-55 form', 'spelling', {
    'compares addresses as texts': clients.comparesSpellings,
  }),
  ...foundBy('a redirect: takes no secret elsewhere, and makes nothing valid, settled or known', 'redirect', {
    'follows a redirect with its key': clients.followsRedirects,
  }),
  ...foundBy(
    'services that never complete an answer: keep no call waiting (headers and half of a body)',
    'ends',
    { 'has a time limit that ends with the headers': clients.waitsForTheBody },
  ),
  ...foundBy(
    'what is paid: a payment in the form v2 is verified without moving anything, then settled',
    'asOf',
    { 'tells the time of the chain in milliseconds': clients.tellsMilliseconds },
  ),
];
