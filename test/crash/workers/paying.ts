import { setTimeout as pause } from 'node:timers/promises';
import type { Wallet } from 'ethers';
import { pay, type PaymentRequired } from '../../x402/support/payer';

const REPEAT_AFTER_MS = 300;
const ANSWER_LIMIT_MS = 40_000;

export interface PaidAnswers {
  deposits: number;
  feeds: number;
  refusals: string[];
  /**
   * Counts answers that are neither a success nor a refusal, by status and code, or by the code of a network error.
   */
  others: Map<string, number>;
}

export const newAnswers = (): PaidAnswers => ({ deposits: 0, feeds: 0, refusals: [], others: new Map() });

interface Answer {
  status: number;
  body: { code?: string };
}

export async function keepPaying(
  base: string,
  wallet: Wallet,
  answers: PaidAnswers,
  goOn: () => boolean,
): Promise<void> {
  for (let call = 0; goOn(); call += 1) {
    const isFeed = call % 3 === 0;
    const path = isFeed ? '/x402/feed' : '/x402/deposit';
    const body = isFeed ? undefined : { amount: 1 };
    const asked = await ask(base, path, body);
    if (asked.status !== 402) {
      await noteAndWait(answers, asked);
      continue;
    }
    const headers = await pay(wallet, asked.body as unknown as PaymentRequired, { now: Date.now() });
    const { status, body: answer } = await repeatUntilAnswered(base, path, body, headers, answers);
    if (status === 402) answers.refusals.push(JSON.stringify(answer));
    else if (isFeed) answers.feeds += 1;
    else answers.deposits += 1;
  }
}

async function repeatUntilAnswered(
  base: string,
  path: string,
  body: object | undefined,
  headers: Record<string, string>,
  answers: PaidAnswers,
): Promise<Answer> {
  for (;;) {
    const answer = await ask(base, path, body, headers);
    if ([200, 201, 402].includes(answer.status)) return answer;
    await noteAndWait(answers, answer);
  }
}

async function noteAndWait({ others }: PaidAnswers, { status, body }: Answer): Promise<void> {
  const name = `${status} ${body.code ?? ''}`.trim();
  others.set(name, (others.get(name) ?? 0) + 1);
  await pause(REPEAT_AFTER_MS);
}

async function ask(
  base: string,
  path: string,
  body: object | undefined,
  headers: Record<string, string> = {},
): Promise<Answer> {
  try {
    const response = await fetch(`${base}/api/v2${path}`, {
      method: body === undefined ? 'GET' : 'POST',
      headers: { ...headers, ...(body !== undefined && { 'content-type': 'application/json' }) },
      signal: AbortSignal.timeout(ANSWER_LIMIT_MS),
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    return { status: response.status, body: (await response.json()) as Answer['body'] };
  } catch (error) {
    const { cause } = error as { cause?: { code?: string } };
    return { status: 0, body: { code: cause?.code ?? String(error) } };
  }
}
