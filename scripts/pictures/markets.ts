/** Markets for pictures: long texts, texts from right to left, and states that the sample markets do not show. */
import { Wallet } from 'ethers';
import type { MarketDetailView, PredictionMarket } from 'express-prediction-market';
import { UNDECIDED } from './server';

const DAY_MS = 86_400_000;

interface Words {
  question: string;
  resolutionCriteria: string;
  description?: string;
}

async function creatorOf(market: PredictionMarket): Promise<(words: Words) => Promise<MarketDetailView>> {
  const creator = Wallet.createRandom().address;
  await market.approveCreator({ address: creator });
  const resolveDate = new Date(Date.now() + 40 * DAY_MS).toISOString();
  return (words) => market.createMarket({ ...words, creator, resolveDate, category: 'other' });
}

/** Opens markets with texts from right to left, and a market with long texts. Returns the slugs. */
export async function openSpecialMarkets(market: PredictionMarket): Promise<Record<string, string>> {
  const create = await creatorOf(market);
  const open = async (question: string, resolutionCriteria: string, description: string): Promise<string> =>
    (await create({ question, resolutionCriteria, description })).slug;
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

/** Opens a market for each state that the sample markets do not show. Returns the slugs. */
export async function openStates(market: PredictionMarket): Promise<Record<string, string>> {
  const create = await creatorOf(market);
  const trader = Wallet.createRandom().address;
  await market.deposit({ address: trader, amount: 400, reference: 'for pictures' });
  const opened = async (question: string, resolutionCriteria: string): Promise<MarketDetailView> => {
    const made = await create({ question, resolutionCriteria });
    for (const [index, side] of (['YES', 'YES', 'NO'] as const).entries())
      await market.placeTrade({ wallet: trader, market: made.id, side, amount: 12 + 9 * index });
    return made;
  };
  const fresh = await opened(
    'Will the kite fly above the pier tonight?',
    'YES if the keeper of the pier sees it.',
  );
  const proposed = await opened(
    'Will the northern ferry leave on time today?',
    'YES if the harbour authority lists the departure as on time.',
  );
  const waiting = await opened(
    `Will the ${UNDECIDED} be open before noon?`,
    'YES if the road authority lists it as open at noon.',
  );
  const voided = await opened('Will the regatta have a winner?', 'YES if the jury names one.');
  for (const { id } of [proposed, waiting]) await market.closeMarket({ market: id });
  await market.runJobs();
  await market.resolveMarket({ market: voided.id, outcome: 'VOID', note: 'The regatta was called off.' });
  return { fresh: fresh.slug, proposed: proposed.slug, waiting: waiting.slug, void: voided.slug };
}
