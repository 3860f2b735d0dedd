/**
 * The good clients, in a process of their own. Readers check that each message follows the one before.
 * Traders place orders over HTTP in an open loop: each order is sent at its time.
 */
import { Agent, request } from 'node:http';
import { WebSocket } from 'ws';
import type { KeyHolder } from '../../test/postgres-operations/support/clients';
import type { ControlMessage, EventMessage } from '../../src/events/protocol';
import { answerQuestions } from '../child';

export type WitnessQuestion =
  | { op: 'connect'; port: number; readers: number }
  | {
      op: 'trade';
      port: number;
      holders: KeyHolder[];
      markets: number[];
      perSecond: number;
      seconds: number;
    };

export interface WitnessAnswer {
  trades: Latencies;
  /** The times from the instant in a message to its arrival. */
  deliveries: Latencies;
  /** Readers that were cut off, trades that were refused, and messages that were missing or out of order. */
  faults: number;
}

export interface Latencies {
  count: number;
  p50Ms: number;
  p99Ms: number;
}

const ALL_ARRIVED_MS = 30_000;
const LOOK_MS = 20;

const agent = new Agent({ keepAlive: true });
let deliveries: number[] = [];
let faults = 0;
let arrived = 0;
let readers = 0;

function open(port: number): Promise<void> {
  return new Promise((resolve) => {
    const socket = new WebSocket(`ws://127.0.0.1:${port}/api/v2/ws`);
    let last: number | null = null;
    socket.on('open', () => socket.send(JSON.stringify({ op: 'subscribe', channels: ['trades'] })));
    socket.on('close', () => (faults += 1));
    socket.on('message', (data) => {
      const message = JSON.parse((data as Buffer).toString()) as ControlMessage | EventMessage;
      if (message.type === 'subscribed') resolve();
      if (message.type !== 'event') return;
      deliveries.push(Date.now() - Date.parse(message.ts));
      arrived += 1;
      if (last !== null && message.prev !== last) faults += 1;
      last = message.seq;
    });
  });
}

interface Order {
  port: number;
  apiKey: string;
  market: number;
  side: 'YES' | 'NO';
}

function trade({ port, apiKey, market, side }: Order): Promise<number> {
  return new Promise((resolve, reject) => {
    const body = JSON.stringify({ side, action: 'buy', amount: 1 });
    const headers = {
      'Content-Type': 'application/json',
      'Content-Length': Buffer.byteLength(body),
      'X-API-Key': apiKey,
    };
    const path = `/api/v2/public/markets/${market}/trade`;
    request({ agent, port, host: '127.0.0.1', method: 'POST', path, headers }, (response) => {
      response.resume();
      response.once('end', () => resolve(response.statusCode ?? 0));
    })
      .once('error', reject)
      .end(body);
  });
}

/**
 * Each trade begins at its planned time, even if the trade before has not ended. Its latency counts from that
 * time.
 */
async function tradeAll(question: WitnessQuestion & { op: 'trade' }): Promise<Latencies> {
  const { port, holders, markets, perSecond, seconds } = question;
  const latencies: number[] = [];
  const all: Promise<void>[] = [];
  const begun = performance.now();
  async function one(count: number): Promise<void> {
    const { apiKey } = holders[count % holders.length] as KeyHolder;
    const market = markets[count % markets.length] ?? 0;
    const side = Math.floor(count / markets.length) % 2 === 0 ? 'YES' : 'NO';
    const status = await trade({ port, apiKey, market, side });
    if (status !== 201) faults += 1;
    latencies.push(performance.now() - begun - (1_000 * count) / perSecond);
  }
  for (let count = 0; count < perSecond * seconds; count += 1) {
    const left = begun + (1_000 * count) / perSecond - performance.now();
    if (left > 0) await new Promise((resolve) => setTimeout(resolve, left));
    all.push(one(count));
  }
  await Promise.all(all);
  return summary(latencies);
}

function summary(latencies: readonly number[]): Latencies {
  const sorted = latencies.toSorted((a, b) => a - b);
  const percentile = (share: number): number =>
    sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? 0;
  return { count: sorted.length, p50Ms: percentile(0.5), p99Ms: percentile(0.99) };
}

async function measure(question: WitnessQuestion & { op: 'trade' }): Promise<WitnessAnswer> {
  deliveries = [];
  faults = 0;
  const expected = arrived + readers * question.perSecond * question.seconds;
  const trades = await tradeAll(question);
  const end = performance.now() + ALL_ARRIVED_MS;
  while (arrived < expected && performance.now() < end)
    await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
  return { trades, deliveries: summary(deliveries), faults: faults + expected - arrived };
}

answerQuestions<WitnessQuestion, WitnessAnswer>(async (question) => {
  if (question.op === 'trade') return measure(question);
  readers = question.readers;
  await Promise.all(Array.from({ length: readers }, () => open(question.port)));
  return { trades: summary([]), deliveries: summary([]), faults };
});
