import type { Consumer, ParkedFact } from '../../src/domain/consumers';
import { MINUTE, NOW, sampleEvent } from './samples';

export const sampleConsumer = (name: string, fields: Partial<Consumer> = {}): Consumer => ({
  name,
  epoch: 'epoch-1',
  seq: 7,
  token: 1,
  owner: 'first',
  ownedUntil: NOW + MINUTE,
  failures: 0,
  lastError: null,
  createdAt: NOW,
  updatedAt: NOW,
  ...fields,
});

export const sampleParkedFact = (consumer: string, fields: Partial<ParkedFact> = {}): ParkedFact => ({
  consumer,
  epoch: 'epoch-1',
  seq: 7,
  fact: sampleEvent({
    marketId: 3,
    marketSeq: 9,
    kind: 'trade',
    data: { list: [1, { deep: null }], text: '文字' },
  }),
  failures: 10,
  error: 'the handler failed',
  parkedAt: NOW,
  redo: false,
  ...fields,
});
