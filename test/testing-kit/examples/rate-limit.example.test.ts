import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import { describe, expect, it } from '@jest/globals'; // or from 'vitest'
import { memoryRateLimit, type RateLimitBackend } from 'express-prediction-market';
import { rateLimitConformance } from 'express-prediction-market/testing';

type Method = 'hit' | 'peek' | 'record' | 'count';

/** Counts on a server of your own, which all instances share. While it is silent, this instance counts alone. */
function remoteRateLimit({ url, key, timeoutMs = 250, pauseMs = 1_000 }: RemoteOptions): RateLimitBackend {
  const local = memoryRateLimit();
  let silentUntil = 0;

  /** Asks the server. `own` is the answer of this instance's own count, which is used while the server is silent. */
  async function ask<Answer>(
    method: Method,
    windowMs: number,
    input: unknown[],
    own: Answer,
  ): Promise<Answer> {
    // After a call without an answer, the calls of the next `pauseMs` do not ask the server.
    if (performance.now() < silentUntil) return own;
    try {
      const signal = AbortSignal.timeout(timeoutMs);
      const response = await fetch(`${url}/${method}`, {
        method: 'POST',
        headers: { authorization: `Bearer ${key}` },
        body: JSON.stringify([windowMs, ...input]),
        redirect: 'error', // the key goes to no other server
        signal,
      });
      if (!response.ok) throw new Error(`HTTP ${response.status}`);
      const answer = await jsonOf(response, signal); // the time limit goes on until the body has ended
      if (!isLike(answer, own)) throw new Error('not an answer');
      return answer;
    } catch {
      silentUntil = performance.now() + pauseMs;
      return own;
    }
  }

  return {
    name: 'remote',
    window(windowMs) {
      const own = local.window(windowMs);
      return {
        hit: async (...input) => ask('hit', windowMs, input, await own.hit(...input)),
        peek: async (...input) => ask('peek', windowMs, input, await own.peek(...input)),
      };
    },
    failures(windowMs) {
      const own = local.failures(windowMs);
      return {
        count: async (...input) => ask('count', windowMs, input, await own.count(...input)),
        async record(...input) {
          await own.record(...input);
          await ask('record', windowMs, input, null);
        },
      };
    },
  };
}

/** The body as JSON. Node 20 may forget the signal of `fetch` while the body is on its way, so it is watched here too. */
function jsonOf(response: Response, signal: AbortSignal): Promise<unknown> {
  const late = new Promise<never>((_resolve, reject) => {
    signal.addEventListener('abort', () => reject(new Error('too late')));
  });
  return Promise.race([response.json(), late]);
}

/** Whether the answer of the server has the fields of the own answer, with values of the same types. */
function isLike<Answer>(answer: unknown, own: Answer): answer is Answer {
  if (typeof own !== 'object' || own === null) return answer === own;
  if (typeof answer !== 'object' || answer === null) return false;
  return Object.entries(own).every(([name, value]) => typeof Reflect.get(answer, name) === typeof value);
}

interface RemoteOptions {
  url: string;
  key: string;
  timeoutMs?: number;
  /** How long this instance does not ask the server again after a call without an answer. */
  pauseMs?: number;
}

/** The server. It decides and counts in one step, because no other code runs between the decision and the count. */
async function server() {
  const counts = memoryRateLimit();
  const windows = new Map<number, ReturnType<typeof counts.window>>();
  const failures = new Map<number, ReturnType<typeof counts.failures>>();
  let silence: 'nothing' | 'halfBody' | null = null;
  let status = 200;
  let location = '';
  let spoil = (body: string): string => body;
  const answer = async (request: IncomingMessage, response: ServerResponse) => {
    const [windowMs, ...input] = (await json(request)) as [number, string, number, number];
    if (silence === 'nothing') return;
    if (status !== 200) return void response.writeHead(status, { location }).end('{}');
    const window = windows.get(windowMs) ?? counts.window(windowMs);
    const failed = failures.get(windowMs) ?? counts.failures(windowMs);
    windows.set(windowMs, window);
    failures.set(windowMs, failed);
    const method = request.url?.slice(1) as Method;
    const [subject, second, now] = input;
    const decide: Record<Method, () => unknown> = {
      hit: () => window.hit(subject, second, now),
      peek: () => window.peek(subject, second, now),
      record: () => failed.record(subject, second),
      count: () => failed.count(subject, second),
    };
    const body = spoil(JSON.stringify((await decide[method]()) ?? null));
    response.writeHead(200);
    if (silence === 'halfBody') response.write(body.slice(0, body.length / 2));
    else response.end(body);
  };
  const http = createServer((request, response) => void answer(request, response));
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(http.address() as AddressInfo).port}`,
    beSilent: (form: 'nothing' | 'halfBody' | null) => void (silence = form),
    async garble(nonsense: (body: string) => string) {
      spoil = nonsense; // the suite makes the nonsense
      return async () => void (spoil = (body) => body);
    },
    async failWith(error: number) {
      status = error; // nine statuses from 401 to 504
      return async () => void (status = 200);
    },
    async redirect(address: string) {
      status = 307;
      location = address;
    },
    async close() {
      http.closeAllConnections();
      await new Promise((resolve) => http.close(resolve));
    },
  };
}

const KEY = 'the-key-of-the-server';

rateLimitConformance(
  { describe, it, expect },
  {
    create: async () => {
      const { url, beSilent, failWith, garble, redirect, close } = await server();
      // `timeoutMs` is long enough for a busy machine. The suite lets calls of a silent server take two seconds.
      const make = () => remoteRateLimit({ url, key: KEY, timeoutMs: 1_000, pauseMs: 3_000 });
      return {
        backend: make(),
        another: async () => make(),
        async cutOff(form) {
          beSilent(form); // it takes the requests, and sends nothing, or half of an answer
          return async () => beSilent(null);
        },
        refuse: close,
        failWith,
        garble,
        redirect,
        secrets: [KEY],
        destroy: close,
      };
    },
  },
);
