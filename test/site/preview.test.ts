import type { AddressInfo } from 'node:net';
import express, { type Express } from 'express';
import request, { type Test } from 'supertest';
import {
  createPredictionMarket,
  type CreateMarketInput,
  type PredictionMarket,
} from 'express-prediction-market';
import { developmentFacilitator } from 'express-prediction-market/facilitator/development';
import { manualOracle } from 'express-prediction-market/oracle/manual';
import { createSite } from 'express-prediction-market/site';
import { memoryStorage } from 'express-prediction-market/storage/memory';
import { systemClock } from '../../src/ports/clock';

const NOW = Date.parse('2026-11-21T12:00:00Z');
const CREATOR = '0x1111111111111111111111111111111111111111';
const DRAFT = {
  question: 'Will it rain in Łódź?',
  resolutionCriteria: 'The **official** page.\n\n<script>alert(1)</script> [click](javascript:alert(1))',
  description: '| a | b |\n|---|---|\n| 1 | 2 |',
  resolveDate: '2026-12-24T18:00:00Z',
  category: 'science' as const,
};

let market: PredictionMarket;
let app: Express;

beforeAll(async () => {
  market = createPredictionMarket({
    storage: memoryStorage(),
    oracle: manualOracle(),
    facilitator: developmentFacilitator(),
    payTo: CREATOR,
    clock: { ...systemClock, now: () => NOW },
  });
  await market.start();
  app = express().use(createSite(market, { now: () => NOW, catchAll: true }));
});

afterAll(() => market.close());

const preview = (draft: object | string): Test =>
  request(app).post('/site-data/preview').set('content-type', 'application/json').send(draft);

const drawn = async (draft: object): Promise<string> =>
  ((await preview(draft).expect(200)).body as { html: string }).html;

describe('POST /site-data/preview', () => {
  it('draws markdown, the opening price and the address, and opens no market', async () => {
    const html = await drawn(DRAFT);
    expect(html).toContain('<strong>official</strong>');
    expect(html).toContain('<table>');
    expect(html).toContain('<strong>50%</strong>');
    expect(html).toContain('24 Dec 2026');
    expect(html).toContain('/market/will-it-rain-in-lodz</span>');
    expect((await market.listMarkets()).total).toBe(0);
  });

  it('tells the address under which the market is opened', async () => {
    await market.approveCreator({ address: CREATOR });
    const { slug } = await market.previewMarket(DRAFT);
    expect((await market.createMarket({ ...DRAFT, creator: CREATOR })).slug).toBe(slug);
  });

  it('says that a question without Latin letters gets its address from its number', async () => {
    expect(await drawn({ ...DRAFT, question: 'Идёт?' })).toContain('made from the number of the market');
  });

  it('shows tags and script links as text', async () => {
    const html = await drawn({ ...DRAFT, question: '<img src=x onerror=alert(1)>?' });
    expect(html).not.toMatch(/<script|<img|href="javascript/);
    expect(html).toContain('&lt;script&gt;');
  });

  it('names the fields that the service would refuse, in its words', async () => {
    for (const wrong of [
      { question: 'x'.repeat(281) },
      { category: 'odd' },
      { resolveDate: '2026-11-21T12:30:00Z' },
    ]) {
      const draft = { ...DRAFT, ...wrong };
      const { status, body } = await preview(draft);
      expect(status).toBe(400);
      const wrongInput = { ...draft, creator: CREATOR } as CreateMarketInput;
      await expect(market.createMarket(wrongInput)).rejects.toMatchObject({
        errors: (body as { errors: unknown }).errors,
      });
    }
    expect((await preview('{"question"')).status).toBe(400);
    expect((await preview('null')).status).toBe(400);
  });

  it('takes the longest draft in its longest spelling, and refuses what is larger', async () => {
    const escaped = (length: number): string => '\\u00e9'.repeat(length);
    const longest = `{"question":"${escaped(280)}","resolutionCriteria":"${escaped(1000)}","description":"${escaped(2000)}","resolveDate":"${DRAFT.resolveDate}","category":"science"}`;
    expect((await preview(longest)).status).toBe(200);
    const { status, body } = await preview({ ...DRAFT, description: 'x'.repeat(40_000) });
    expect([status, (body as { code: string }).code]).toEqual([413, 'PAYLOAD_TOO_LARGE']);
  });

  it('refuses another site, another content type, and GET', async () => {
    expect((await preview(DRAFT).set('sec-fetch-site', 'cross-site')).status).toBe(403);
    expect((await preview(DRAFT).set('origin', 'https://elsewhere.example')).status).toBe(403);
    expect((await preview(DRAFT).set('origin', 'null')).status).toBe(403);
    expect((await preview(DRAFT).set('sec-fetch-site', 'same-origin')).status).toBe(200);
    expect((await preview(JSON.stringify(DRAFT)).set('content-type', 'text/plain')).status).toBe(415);
    expect((await request(app).get('/site-data/preview')).status).toBe(404);
  });

  it('takes a body in chunks, and refuses one that grows too large', async () => {
    const server = app.listen(0);
    const chunked = async (texts: string[]): Promise<number> => {
      const { port } = server.address() as AddressInfo;
      const body = new ReadableStream({
        start(controller) {
          for (const text of texts) controller.enqueue(new TextEncoder().encode(text));
          controller.close();
        },
      });
      const headers = { 'content-type': 'application/json; charset=utf-8' };
      const init = { method: 'POST', headers, body, duplex: 'half' };
      return (await fetch(`http://127.0.0.1:${port}/site-data/preview`, init as RequestInit)).status;
    };
    const text = JSON.stringify(DRAFT);
    expect(await chunked([text.slice(0, 20), text.slice(20)])).toBe(200);
    expect(await chunked(Array.from({ length: 40 }, () => ' '.repeat(1_000)))).toBe(413);
    server.close();
    server.closeAllConnections();
  });

  it('takes a body that the host has parsed', async () => {
    const host = express().use(express.json(), createSite(market, { now: () => NOW }));
    expect((await request(host).post('/site-data/preview').send(DRAFT)).status).toBe(200);
  });
});
