import { describe, expect, it } from '@jest/globals';
import { developmentFacilitator } from '../../adapters/facilitator/development';
import { aiOracleOn } from '../../adapters/oracle/ai';
import { httpOracleWith } from '../../adapters/oracle/http';
import { memoryStorage } from '../../adapters/storage/memory';
import { createSite, frameAncestors, type SiteMarket } from '../../site';
import { createDocs } from '../../site/docs';
import { createClient, fromViem } from '../../src/client';
import { eventsOfFact, searchTerms } from '../../src/index';
import {
  authorizationFor,
  createTestMarket,
  signAuthorization,
  signedPayment,
  testClock,
  testWallet,
} from '../../testing';

const promise = Promise.resolve({});
const payer = testWallet('payer');

const unused = (): never => {
  throw new Error('not called');
};
const SITE_MARKET = { listMarkets: unused, getMarket: unused, getPrice: unused } as unknown as SiteMarket;
const HTTP = { url: 'https://oracle.example', secret: `whsec_${Buffer.alloc(24).toString('base64')}` };

describe('a wrong argument', () => {
  it.each<[string, () => unknown, string]>([
    ['memoryStorage', () => memoryStorage(null as never), 'the options must be an object, got null'],
    ['developmentFacilitator', () => developmentFacilitator(null as never), 'must be an object, got null'],
    ['createDocs', () => createDocs(null as never), 'must be an object, got null'],
    ['memoryStorage', () => memoryStorage({ store: promise as never }), 'without the function load'],
    ['frameAncestors', () => frameAncestors(5 as never), 'give a list of origins, got a number'],
    ['frameAncestors', () => frameAncestors(null as never), 'got null'],
    ['frameAncestors', () => frameAncestors('https://a.example' as never), 'got a text'],
    ['createSite', () => createSite(SITE_MARKET, { frameAncestors: 5 } as never), 'frameAncestors'],
    ['aiOracleOn', () => aiOracleOn(undefined as never, { model: 'm' }), 'the first argument is required'],
    ['aiOracleOn', () => aiOracleOn({} as never, { model: 'm' }), 'must be a function, got an object'],
    ['aiOracleOn', () => aiOracleOn(unused, undefined as never), 'model is required'],
    ['aiOracleOn', () => aiOracleOn(unused, { model: {} as never }), 'model must be a model of the AI SDK'],
    ['httpOracleWith', () => httpOracleWith({} as never, HTTP), 'must be a function, got an object'],
    ['httpOracleWith', () => httpOracleWith(unused, null as never), 'must be an object, got null'],
    [
      'testWallet',
      () => testWallet(undefined as never),
      "give a name such as 'alice', or a number; got undefined",
    ],
    ['testWallet', () => testWallet(payer as never), 'got an object'],
    ['searchTerms', () => searchTerms(5 as never), 'give a text, got a number'],
    ['searchTerms', () => searchTerms(promise as never), 'got a promise (was it to be awaited?)'],
    [
      'eventsOfFact',
      () => eventsOfFact(undefined as never),
      'give a fact as the storage has it, got undefined',
    ],
    ['eventsOfFact', () => eventsOfFact(new Date(0) as never), 'got a Date'],
    [
      'authorizationFor',
      () => authorizationFor('0x1' as never, {} as never, 0),
      'a wallet of ethers, got a text',
    ],
    [
      'authorizationFor',
      () => authorizationFor(payer, {} as never, 0),
      'requirements of a payment, got an object',
    ],
  ])('of %s is named', (name, call, message) => {
    expect(call).toThrow(TypeError);
    expect(call).toThrow(`${name}: `);
    expect(call).toThrow(message);
  });

  it('of a function that answers later is named too', async () => {
    await expect(createTestMarket(null as never)).rejects.toThrow(
      'createTestMarket: the options must be an object, got null',
    );
    await expect(signAuthorization(payer, undefined as never, {} as never)).rejects.toThrow(
      'signAuthorization: the second argument must be the requirements of a payment, got undefined',
    );
    await expect(signedPayment(promise as never, {} as never, 0)).rejects.toThrow('got a promise');
  });

  it('of `testClock` is described in words', () => {
    expect(() => testClock(promise as never)).toThrow('Not an instant: a promise (was it to be awaited?)');
    expect(() => testClock(null as never)).toThrow('Not an instant: null');
  });

  it('of the client gets an error of the client, not one of a member of undefined', () => {
    expect(() => createClient(undefined as never)).toThrow(
      'createClient: baseUrl must be an https:// or http:// address',
    );
    for (const wallet of [undefined, 'x', {}, { account: undefined }])
      expect(() => fromViem(wallet as never)).toThrow('the wallet client has no account');
  });
});
