/** A standalone server with sample markets, for pictures of its pages. */
import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { Wallet } from 'ethers';
import type { PredictionMarket } from 'express-prediction-market';
import { createApp } from '../../examples/standalone';

export const OPERATOR_TOKEN = 'a-token-for-pictures-only-32-characters';
const DAY_MS = 86_400_000;

export interface PictureServer {
  base: string;
  market: PredictionMarket;
  close(): Promise<void>;
}

export async function startServer(): Promise<PictureServer> {
  const folder = await mkdtemp(join(tmpdir(), 'pictures-'));
  const DATABASE_URL = `sqlite:${join(folder, 'markets.db')}`;
  const sample = ['--import', 'tsx', 'cli/main.ts', 'sample'];
  await promisify(execFile)(process.execPath, sample, { env: { ...process.env, DATABASE_URL } });
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const standalone = createApp({
    DATABASE_URL,
    ADMIN_TOKEN: OPERATOR_TOKEN,
    BASE_URL: base,
    LOG_LEVEL: 'silent',
    ADDRESS_RATE_LIMIT: '100000',
  });
  server.on('request', standalone.app);
  standalone.market.attachWebSocket(server);
  await standalone.start();
  return {
    base,
    market: standalone.market,
    async close() {
      server.closeAllConnections();
      server.close();
      await standalone.market.close();
      await rm(folder, { recursive: true });
    },
  };
}

/** Markets whose texts run from right to left, and one whose texts are long. Returns their slugs. */
export async function openSpecialMarkets(market: PredictionMarket): Promise<Record<string, string>> {
  const creator = Wallet.createRandom().address;
  await market.approveCreator({ address: creator });
  const open = async (question: string, resolutionCriteria: string, description: string): Promise<string> => {
    const resolveDate = new Date(Date.now() + 40 * DAY_MS).toISOString();
    const input = { creator, question, resolutionCriteria, description, resolveDate };
    return (await market.createMarket({ ...input, category: 'other' })).slug;
  };
  return {
    arabic: await open(
      'هل ستصل درجة الحرارة في القاهرة إلى 45 درجة مئوية قبل نهاية الصيف؟',
      'نعم إذا نشرت **الهيئة العامة للأرصاد الجوية** قراءة لا تقل عن 45 درجة.\n\n- المصدر: [الموقع الرسمي](https://example.org)\n- وإلا فالجواب لا.',
      'سجلت القاهرة 44.6 درجة في حزيران.',
    ),
    hebrew: await open(
      'האם ירד שלג בירושלים לפני סוף ינואר 2027?',
      'כן אם השירות המטאורולוגי ידווח על שלג שנערם בעיר.',
      'בשנה שעברה לא ירד שלג.',
    ),
    long: await open(
      `Will the committee publish the whole of its report ${'with every annex and table '.repeat(4)}before the end of the year?`,
      `YES if the report is at https://example.org/${'a-very-long-path-without-a-break'.repeat(4)}, otherwise NO.`,
      'One line.',
    ),
  };
}
