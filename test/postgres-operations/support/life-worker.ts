/**
 * An instance whose clock and oracle obey standard input. Usage: tsx life-worker.ts <database url> <instant, ms>
 *
 * The process prints `ready` after its start, and obeys one command a line:
 * - `clock <ms>` sets the clock.
 * - `answer YES` and `answer NO` set the oracle's answer to later questions.
 * - `hold` keeps the oracle from answering, and `release` ends that.
 * - `pause` waits until no transaction is open, prints `paused`, and stops this process (SIGSTOP).
 * - `run` runs the jobs, and prints `ran` when they have ended.
 *
 * The process also prints `asked <question>` for each question to the oracle, `heard <trade id>` for each event of a trade, and
 * `logged <message>` for each warning and error.
 */
import { createInterface } from 'node:readline';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { createPredictionMarket, type Logger, type Storage } from 'express-prediction-market';
import { developmentFacilitator } from 'express-prediction-market/facilitator/development';
import { postgresStorage } from 'express-prediction-market/storage/postgres';
import { fakeOracle, testClock } from 'express-prediction-market/testing';
import { CRASH_CREATOR } from '../../crash/wallets';

const print = (line: string): void => void process.stdout.write(`${line}\n`);
const quiet = (): void => undefined;
const loud: Logger['warn'] = (_fields, message) => print(`logged ${message}`);

async function main(url: string, start: number): Promise<void> {
  const clock = testClock(start);
  const oracle = fakeOracle();
  let release = quiet;
  const { storage, isBusy } = watched(postgresStorage({ url, pool: { max: 4 } }));
  const pm = createPredictionMarket({
    storage,
    oracle: {
      name: 'told',
      ask: (question) => {
        print(`asked ${question.question}`);
        return oracle.ask(question);
      },
    },
    facilitator: developmentFacilitator(),
    payTo: CRASH_CREATOR,
    clock,
    // The interval is a day, so the jobs run only by the command `run`.
    jobIntervalMs: 86_400_000,
    logger: { debug: quiet, info: quiet, warn: loud, error: loud },
  });
  const commands: Record<string, (argument: string) => void> = {
    clock: (instant) => clock.set(Number(instant)),
    answer: (outcome) => oracle.answer(outcome === 'YES' ? 'YES' : 'NO'),
    hold: () => {
      release = oracle.hold();
    },
    release: () => release(),
    pause: () => void pauseBetweenTransactions(isBusy),
    run: () => void pm.runJobs().then(() => print('ran')),
  };
  pm.events.on('trade', ({ data }) => print(`heard ${data.id}`));
  await pm.start();
  print('ready');
  for await (const line of createInterface({ input: process.stdin })) {
    const [command = '', argument = ''] = line.split(' ');
    commands[command]?.(argument);
  }
}

function watched(storage: Storage): { storage: Storage; isBusy: () => boolean } {
  let underWay = 0;
  const counted = async <T>(task: Promise<T>): Promise<T> => {
    underWay += 1;
    try {
      return await task;
    } finally {
      underWay -= 1;
    }
  };
  return {
    storage: { ...storage, transaction: (work) => counted(storage.transaction(work)) },
    isBusy: () => underWay > 0,
  };
}

async function pauseBetweenTransactions(isBusy: () => boolean): Promise<void> {
  while (isBusy()) await nextTurn();
  print('paused');
  process.kill(process.pid, 'SIGSTOP');
}

const [url = '', start = ''] = process.argv.slice(2);
void main(url, Number(start));
