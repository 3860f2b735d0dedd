import assert from 'node:assert/strict';
import type { Storage } from 'express-prediction-market';
import { channelMessages } from '../../../src/events/channel-messages';
import { channelName, type ChannelKey } from '../../../src/events/channel-keys';
import { expectMessage } from '../../support/expect-message';

/** A message without `prev`, because an instance that does not know the previous message sends `null` there. */
type Body = Record<string, unknown> & { seq: number };

/** No text that a user wrote comes before this field, so the first occurrence is the field. */
const PREV = '"prev":';
const PAGE = 1_000;

interface Parts {
  before: string;
  after: string;
}

export class MessageBook {
  readonly #texts = new Map<ChannelKey, Map<number, Parts>>();
  readonly differences: string[] = [];

  note(channel: ChannelKey, seq: number, text: string): void {
    let texts = this.#texts.get(channel);
    if (texts === undefined) this.#texts.set(channel, (texts = new Map()));
    const at = text.indexOf(PREV);
    const end = text.indexOf(',', at) + 1;
    const parts = { before: text.slice(0, at), after: text.slice(end) };
    const known = texts.get(seq);
    if (known === undefined) {
      texts.set(seq, parts);
      expectMessage(JSON.parse(text));
    } else if (known.before !== parts.before || known.after !== parts.after)
      this.differences.push(`${channel} ${String(seq)}: ${known.before}${known.after} and ${text}`);
  }

  body(channel: ChannelKey, seq: number): Body | null {
    const parts = this.#texts.get(channel)?.get(seq);
    return parts === undefined ? null : (JSON.parse(parts.before + parts.after) as Body);
  }
}

export type Truth = ReadonlyMap<ChannelKey, readonly Body[]>;

export async function readTruth(storage: Storage, trades: number): Promise<Truth | null> {
  const truth = new Map<ChannelKey, Body[]>();
  let seq = 0;
  let seen = 0;
  for (;;) {
    const rows = await storage.read(({ events }) => events.after(seq, PAGE));
    for (const row of rows) {
      seq += 1;
      assert.equal(row.seq, seq, 'the numbers of facts have no gap');
      if (row.kind === 'trade') seen += 1;
      const ts = new Date(row.createdAt).toISOString();
      for (const { channel, event, marketSeq, data } of channelMessages(row)) {
        const message = { type: 'event', channel: channelName(channel), event, seq, marketSeq, ts, data };
        const told = truth.get(channel) ?? [];
        told.push(JSON.parse(JSON.stringify(message)) as Body);
        truth.set(channel, told);
      }
    }
    if (rows.length < PAGE) return seen >= trades ? truth : null;
  }
}

export interface Told {
  channel: ChannelKey;
  begin: number;
  seqs: readonly number[];
  prevs: readonly (number | null)[];
  /** Indices of the first messages after `subscribed`. These messages may have an unknown `prev`. */
  firsts: ReadonlySet<number>;
}

export function checkTold(client: string, told: Told, truth: Truth): void {
  const { channel, begin, seqs, prevs, firsts } = told;
  const all = truth.get(channel) ?? [];
  const due = all.filter(({ seq }) => seq > begin);
  const where = `${client}, ${channel}`;
  assert.deepEqual(
    seqs,
    due.map(({ seq }) => seq),
    `${where}: every message once and in order`,
  );
  const before = all.length - due.length;
  for (const [index, prev] of prevs.entries()) {
    if (prev === null && firsts.has(index)) continue;
    const last = all[before + index - 1]?.seq ?? null;
    assert.equal(prev, last, `${where}: prev of ${String(seqs[index])}`);
  }
}

export function checkBook(truth: Truth, book: MessageBook): number {
  assert.deepEqual(book.differences, [], 'a message has the same text for all clients');
  let messages = 0;
  for (const [channel, bodies] of truth) {
    for (const body of bodies) {
      const seen = book.body(channel, body.seq);
      if (seen === null) continue;
      assert.deepEqual(seen, body, `the message of fact ${String(body.seq)} on ${channel}`);
      messages += 1;
    }
  }
  return messages;
}
