import { checkTold, type Told, type Truth } from './messages';

const truth: Truth = new Map([['trades', [2, 5, 6, 9].map((seq) => ({ seq }))]]);
const told: Told = {
  channel: 'trades',
  begin: 2,
  seqs: [5, 6, 9],
  prevs: [null, 5, 6],
  firsts: new Set([0]),
};

describe('the check of what a client was told', () => {
  it.each<[string, Partial<Told>]>([
    ['everything', {}],
    ['the message before the first one', { prevs: [2, 5, 6] }],
    ['an unknown one after another subscription', { prevs: [2, null, 6], firsts: new Set([0, 1]) }],
  ])('accepts %s', (_name, change) => {
    expect(() => checkTold('client', { ...told, ...change }, truth)).not.toThrow();
  });

  it.each<[string, Partial<Told>]>([
    ['a missing message', { seqs: [5, 9], prevs: [null, 5] }],
    ['a missing last message', { seqs: [5, 6], prevs: [null, 5] }],
    ['a missing first message', { seqs: [6, 9], prevs: [null, 6] }],
    ['a message that came twice', { seqs: [5, 6, 6, 9], prevs: [null, 5, 5, 6] }],
    ['messages in another order', { seqs: [6, 5, 9], prevs: [null, 5, 6] }],
    ['a message from before the beginning', { begin: 5 }],
    ['a broken chain', { prevs: [null, 5, 5] }],
    ['a chain that begins too early', { prevs: [1, 5, 6] }],
    ['an unknown one within a subscription', { prevs: [null, null, 6] }],
    ['a channel that was never subscribed', { begin: Infinity, seqs: [5], prevs: [null] }],
  ])('finds %s', (_name, change) => {
    expect(() => checkTold('client', { ...told, ...change }, truth)).toThrow();
  });
});
