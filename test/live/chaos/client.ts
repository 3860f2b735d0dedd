import { WebSocket } from 'ws';
import { channelName, type ChannelKey } from '../../../src/events/channel-keys';
import type { ControlMessage } from '../../../src/events/protocol';
import { expectMessage } from '../../support/expect-message';
import type { MessageBook, Told } from './messages';

export interface ClientPlan {
  name: string;
  channels: readonly ChannelKey[];
  apiKey: string | null;
  /**
   * `together`: one subscription resumes all channels after the last fact of which the client surely has
   * every message, and the client ignores messages that it already has. `apart`: each channel resumes at its
   * own last message, and no message may come twice.
   */
  resumes: 'together' | 'apart';
}

/** Reading only the beginning of a message costs less than reading the whole JSON. */
const EVENT_HEAD = /^\{"type":"event","channel":"([^"]+)","event":"[^"]+","seq":(\d+),"prev":(null|\d+),/;

interface Chain {
  begin: number | null;
  seqs: number[];
  prevs: (number | null)[];
  firsts: Set<number>;
  isFirst: boolean;
}

export class ResumingClient {
  readonly plan: ClientPlan;
  readonly faults: string[] = [];
  resumptions = 0;
  dropped = 0;
  readonly #book: MessageBook;
  readonly #chains: Map<ChannelKey, Chain>;
  readonly #byName: Map<string, ChannelKey>;
  #epoch: string | null = null;
  #newest = 0;
  #socket: WebSocket | null = null;

  constructor(plan: ClientPlan, book: MessageBook) {
    this.plan = plan;
    this.#book = book;
    this.#chains = new Map(
      plan.channels.map((channel) => [
        channel,
        { begin: null, seqs: [], prevs: [], firsts: new Set(), isFirst: false },
      ]),
    );
    this.#byName = new Map(plan.channels.map((channel) => [channelName(channel), channel]));
  }

  get isConnected(): boolean {
    return this.#socket !== null;
  }

  get hasBegun(): boolean {
    return [...this.#chains.values()].every(({ begin }) => begin !== null);
  }

  lastSeq(channel: ChannelKey): number {
    const chain = this.#chains.get(channel);
    return chain?.seqs.at(-1) ?? chain?.begin ?? 0;
  }

  connect(base: string): void {
    const { apiKey } = this.plan;
    const headers = apiKey === null ? {} : { 'X-API-Key': apiKey };
    const socket = new WebSocket(`${base.replace('http', 'ws')}/api/v2/ws`, { headers });
    this.#socket = socket;
    socket.on('error', () => undefined);
    socket.on('close', () => {
      if (this.#socket === socket) this.#socket = null;
    });
    socket.on('message', (data) => {
      if (this.#socket === socket) this.#take((data as Buffer).toString());
    });
  }

  cut(): void {
    const socket = this.#socket;
    this.#socket = null;
    socket?.terminate();
  }

  told(): Told[] {
    return [...this.#chains].map(([channel, { begin, seqs, prevs, firsts }]) => ({
      channel,
      begin: begin ?? Infinity,
      seqs,
      prevs,
      firsts,
    }));
  }

  #take(text: string): void {
    const head = EVENT_HEAD.exec(text);
    if (head !== null) {
      const [, name = '', seq, prev] = head;
      return this.#takeEvent(name, Number(seq), prev === 'null' ? null : Number(prev), text);
    }
    const message = JSON.parse(text) as ControlMessage;
    expectMessage(message);
    switch (message.type) {
      case 'welcome':
        return this.#subscribe(message.epoch);
      case 'subscribed':
        for (const name of message.channels) this.#begin(name, message.seq);
        return;
      case 'heartbeat':
      case 'authenticated':
        return;
      default:
        this.faults.push(text);
    }
  }

  #subscribe(epoch: string): void {
    this.#epoch ??= epoch;
    if (this.hasBegun) this.resumptions += 1;
    const { channels, resumes } = this.plan;
    const groups = resumes === 'apart' ? channels.map((channel) => [channel]) : [channels];
    for (const group of groups) {
      const since = this.#position(group);
      this.#socket?.send(
        JSON.stringify({
          op: 'subscribe',
          channels: group.map(channelName),
          ...(since !== null && { since: { epoch: this.#epoch, seq: since } }),
        }),
      );
    }
  }

  #position(group: readonly ChannelKey[]): number | null {
    const [first] = group;
    if (first === undefined || this.#chains.get(first)?.begin === null) return null;
    if (this.plan.resumes === 'apart') return this.lastSeq(first);
    // The newest fact may have further messages on other channels, so the client resumes after the fact before.
    const begin = this.#chains.get(first)?.begin ?? 0;
    return Math.max(begin, this.#newest - 1);
  }

  #begin(name: string, seq: number): void {
    const channel = this.#byName.get(name);
    const chain = channel === undefined ? undefined : this.#chains.get(channel);
    if (chain === undefined) return void this.faults.push(`subscribed to ${name}`);
    chain.begin ??= seq;
    chain.isFirst = true;
  }

  #takeEvent(name: string, seq: number, prev: number | null, text: string): void {
    const channel = this.#byName.get(name);
    const chain = channel === undefined ? undefined : this.#chains.get(channel);
    if (channel === undefined || chain === undefined) return void this.faults.push(`not subscribed: ${text}`);
    this.#book.note(channel, seq, text);
    const isKnown = seq === chain.seqs.at(-1);
    if (isKnown && this.plan.resumes === 'together' && chain.isFirst) {
      chain.isFirst = false;
      this.dropped += 1;
      return;
    }
    if (chain.isFirst) chain.firsts.add(chain.seqs.length);
    chain.isFirst = false;
    chain.seqs.push(seq);
    chain.prevs.push(prev);
    if (this.plan.resumes === 'together' && seq < this.#newest)
      this.faults.push(`${name} ${String(seq)} came after ${String(this.#newest)}`);
    this.#newest = Math.max(this.#newest, seq);
  }
}
