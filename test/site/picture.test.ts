import express, { type Express } from 'express';
import { PNG } from 'pngjs';
import request from 'supertest';
import { createSite, type SiteOptions } from 'express-prediction-market/site';
import { marketPicture, type PictureData } from '../../site/picture/draw';
import type { View } from '../../site/layout';
import { createPictures } from '../../site/picture';
import { workQueue, TooManyWait } from '../../site/picture/work-queue';
import { drawableText, widthOf, wrapped } from '../../site/picture/letters';
import { fillOutline } from '../../site/picture/outline';
import { fakeDetail, fakeMarket, NOW, refusal, type FakeMarket } from './fake-market';

const WHITE = [255, 255, 255];
const GREEN = [11, 122, 75];
const RED = [180, 43, 43];
const candle = { time: '', high: 1, low: 0, volume: 0, trades: 0 };

function colorAt(png: PNG, x: number, y: number): number[] {
  const at = (y * png.width + x) * 4;
  return [...png.data.subarray(at, at + 3)];
}

function drawn(closes: number[], change: Partial<PictureData['market']> = {}): PNG {
  const candles = closes.map((close, index) => ({ ...candle, open: closes[index - 1] ?? close, close }));
  const market = { ...fakeDetail(1), question: 'Short?', ...change };
  return PNG.sync.read(marketPicture({ title: 'Prediction Market', market, candles }));
}

function inked(png: PNG, left: number, top: number, width: number, height: number): number {
  const places = Array.from({ length: width * height }, (_, index) => index);
  return places.filter(
    (index) => colorAt(png, left + (index % width), top + Math.floor(index / width)).join() !== WHITE.join(),
  ).length;
}

describe('the picture of a market', () => {
  it('has the size of link previews and the line of the chance in steps', () => {
    const rising = drawn([0.5, 1]);
    expect([rising.width, rising.height]).toEqual([1200, 630]);
    // A picture whose question fills one line has its plot from y 226 (100 %) to y 570 (0 %) and from x 440 to x 1050.
    expect(colorAt(rising, 600, 398)).toEqual(GREEN);
    expect(colorAt(rising, 600, 300)).toEqual(WHITE);
    expect(colorAt(rising, 1049, 300)).toEqual(GREEN);
    expect(colorAt(drawn([0.5, 0]), 1049, 500)).toEqual(RED);
  });

  it('shows question and chance, and leaves a question out that has letters without an outline', () => {
    const area = [60, 120, 1080, 60] as const;
    expect(inked(drawn([]), ...area)).toBeGreaterThan(500);
    expect(inked(drawn([], { question: 'هل ستمطر غدا؟' }), ...area)).toBeLessThan(inked(drawn([]), ...area));
    const figures = [60, 250, 360, 200] as const;
    expect(inked(drawn([]), ...figures)).toBeGreaterThan(2000);
  });

  it.each(['', ' ', '\u0000\u202e', '🎉', '日本', 'x'.repeat(500), 'a '.repeat(250), '\ud800'])(
    'is drawn for the question %j',
    (question) => {
      expect(drawn([0.2], { question }).width).toBe(1200);
    },
  );

  it.each(['YES', 'NO', 'VOID'] as const)('is drawn for the outcome %s', (outcome) => {
    const resolution = { resolvedAt: '', oracleConsensus: 1, method: 'operator' as const, outcome };
    expect(drawn([1], { status: 'resolved', resolution }).height).toBe(630);
  });

  it('is small, also with a long history', () => {
    const closes = Array.from({ length: 500 }, (_, index) => 0.5 + 0.4 * Math.sin(index / 15));
    const candles = closes.map((close) => ({ ...candle, open: close, close }));
    const question =
      'Will more than 20,000 passengers ride the new tram on a weekday before the end of June 2027?';
    const market = { ...fakeDetail(1), question };
    expect(marketPicture({ title: 'Prediction Market', market, candles }).length).toBeLessThan(60_000);
  });
});

describe('the letters of the picture', () => {
  it('know Latin, Greek and Cyrillic, and leave signs out, but no letter', () => {
    expect(drawableText('Пройдёт ли Łódź?')).toBe('Пройдёт ли Łódź?');
    expect(drawableText(' „Ελλάδα“ 5 €\n🎉  u\u0308ber ')).toBe('„Ελλάδα“ 5 € über');
    expect(drawableText('Köln 東京')).toBeNull();
  });

  it('break between words, and in a word that is wider than the line', () => {
    const width = widthOf('seven letters', 20) + 1;
    expect(wrapped('seven letters more', 20, width, 3)).toEqual(['seven letters', 'more']);
    expect(wrapped('one two three four five six', 20, width, 2)).toEqual(['one two', 'three four…']);
    expect(wrapped('m'.repeat(40), 20, widthOf('m', 20) * 10.5, 2)).toEqual([
      'm'.repeat(10),
      'm'.repeat(9) + '…',
    ]);
    expect(wrapped('wide', 20, 1, 2)).toEqual(['w', 'i…']);
  });

  it('cover each pixel by the part of it that lies inside the outline', () => {
    const square = fillOutline('M1 1L3.5 1L3.5 2.25L1 2.25', 1);
    expect([square.left, square.top]).toEqual([1, 1]);
    const rows = (count: number): number[] => [
      ...square.levels.subarray(count * square.width, count * square.width + 3),
    ];
    expect(rows(0)).toEqual([1, 1, 0.5]);
    expect(rows(1)).toEqual([0.25, 0.25, 0.125]);
    const triangle = fillOutline('M0 0L4 0L0 4', 1);
    expect(triangle.levels.reduce((sum, level) => sum + level, 0)).toBeCloseTo(8);
  });
});

function siteApp(market: FakeMarket, options: SiteOptions = {}): Express {
  return express().use(createSite(market, { now: () => NOW, ...options }));
}

describe('the address of the picture', () => {
  it('answers a PNG, to HEAD its headers, and 304 to a reader that has it', async () => {
    const app = siteApp(fakeMarket([fakeDetail(1)]));
    const { status, headers, body } = await request(app).get('/market/market-1/picture.png');
    expect([status, headers['content-type']]).toEqual([200, 'image/png']);
    expect(headers['cache-control']).toBe('public, max-age=60');
    expect(PNG.sync.read(body as Buffer).width).toBe(1200);
    const head = await request(app).head('/market/market-1/picture.png');
    expect([head.status, head.headers['content-length']]).toEqual([200, headers['content-length']]);
    expect(head.headers.etag).toBe(headers.etag);
    const again = await request(app)
      .get('/market/market-1/picture.png')
      .set('If-None-Match', `"other", W/${headers.etag}`);
    expect([again.status, again.headers.etag]).toEqual([304, headers.etag]);
  });

  it('asks the market once a minute, however the address is written', async () => {
    let now = NOW;
    const market = fakeMarket([fakeDetail(1)]);
    const app = siteApp(market, { now: () => now });
    const addresses = [
      '/market/market-1/picture.png',
      '/market/%6Darket%2D1/picture.png',
      '/market/market-1/picture.png?a=1',
    ];
    await Promise.all(addresses.map((address) => request(app).get(address).expect(200)));
    expect(market.calls).toHaveLength(2);
    now += 60_001;
    await request(app).get('/market/market-1/picture.png').expect(200);
    expect(market.calls).toHaveLength(4);
  });

  it('leads an id to the slug, and keeps neither an unknown market nor an outage', async () => {
    const markets = [fakeDetail(1)];
    const market = fakeMarket(markets);
    const app = siteApp(market);
    const moved = await request(app).get('/market/1/picture.png');
    expect([moved.status, moved.headers.location]).toEqual([302, '/market/market-1/picture.png']);
    await request(app).get('/market/%E0%A4/picture.png').expect(404);
    await request(app).get('/market/market-2/picture.png').expect(404);
    markets.push(fakeDetail(2));
    market.failWith = refusal('SERVICE_UNAVAILABLE', 503, 'The storage cannot be reached');
    const down = await request(app).get('/market/market-2/picture.png');
    expect([down.status, down.headers['retry-after']]).toEqual([503, '1']);
    market.failWith = null;
    await request(app).get('/market/market-2/picture.png').expect(200);
  });

  it('is in the head of the page and in oEmbed where the site has a public address', async () => {
    const page = async (siteUrl?: string): Promise<string> =>
      (
        await request(siteApp(fakeMarket([fakeDetail(1)]), siteUrl === undefined ? {} : { siteUrl })).get(
          '/market/market-1',
        )
      ).text;
    const address = 'https://a.example/m/market/market-1/picture.png';
    const text = await page('https://a.example/m');
    expect(text).toContain(`<meta property="og:image" content="${address}">`);
    expect(text).toContain('<meta property="og:title" content="Will question number 1');
    expect(text).toContain('<meta property="og:description" content="62%');
    expect(await page()).not.toContain('og:image');
    const app = siteApp(fakeMarket([fakeDetail(1)]), { siteUrl: 'https://a.example/m' });
    const { body } = await request(app).get('/oembed').query({ url: 'https://a.example/m/market/1' });
    expect(body).toMatchObject({ thumbnail_url: address, thumbnail_width: 1200, thumbnail_height: 630 });
  });
});

describe('the picture that too many wait for', () => {
  it('is refused with 429, because a 503 would ring the alarm for an outage', async () => {
    const refuse = (): Promise<never> => Promise.reject(new TooManyWait());
    const pictures = createPictures(fakeMarket([fakeDetail(1)]), () => NOW, refuse);
    const answer = await pictures({ base: '', siteUrl: '' } as View, '/market/market-1/picture.png');
    expect([answer.status, answer.headers]).toEqual([429, { 'Retry-After': '5' }]);
    expect(answer.body).toContain('RATE_LIMIT_EXCEEDED');
  });
});

describe('drawings in turn', () => {
  it('begin one after the other with a pause between, also after a failure', async () => {
    const seen: string[] = [];
    const turn = workQueue(5, async () => void seen.push('pause'));
    const work = (name: string) => async (): Promise<void> => {
      seen.push(`${name} begins`);
      await Promise.resolve();
      seen.push(`${name} ends`);
      if (name === 'first') throw new Error('storage');
    };
    const [first] = await Promise.allSettled([turn(work('first')), turn(work('second'))]);
    expect(first.status).toBe('rejected');
    expect(seen.slice(0, 5)).toEqual(['first begins', 'first ends', 'pause', 'second begins', 'second ends']);
  });

  it('are refused while too many wait', async () => {
    let release = (): void => undefined;
    const gate = new Promise<void>((resolve) => (release = resolve));
    const turn = workQueue(2, () => Promise.resolve());
    const running = turn(() => gate);
    await Promise.resolve();
    const waiting = [turn(() => gate), turn(() => gate)];
    await expect(turn(() => gate)).rejects.toBeInstanceOf(TooManyWait);
    release();
    await Promise.all([running, ...waiting]);
    await expect(turn(() => gate)).resolves.toBeUndefined();
  });
});
