/**
 * `npm run bench -- oracle`: how well the configured models judge the questions of the fixture
 * (ORACLE_BASE_URL, ORACLE_API_KEY, ORACLE_MODELS, ORACLE_API, as for `npm start`). Without a model, the bench
 * checks whether the round rule gives the results that probability theory predicts.
 */
import { consensusOracle } from '../../adapters/oracle/consensus';
import { openaiOracle } from '../../adapters/oracle/openai';
import { environmentLine, printTable } from '../report';
import { loadQuestions } from './questions';
import { replay, type JudgeReport } from './replay';
import { reportRule } from './rule';

const SEED = Number(process.env.BENCH_SEED ?? 20_260_101);

export async function benchOracle(): Promise<void> {
  const { ORACLE_MODELS = '', ORACLE_BASE_URL, ORACLE_API_KEY, ORACLE_API } = process.env;
  const models = ORACLE_MODELS.split(',')
    .map((model) => model.trim())
    .filter((model) => model !== '');
  if (models.length === 0) {
    console.log(`${environmentLine('no model configured')}\n`);
    reportRule({ questions: loadQuestions(), repetitions: 100, seed: SEED });
    return;
  }
  if (ORACLE_BASE_URL === undefined) throw new Error('ORACLE_MODELS is set, ORACLE_BASE_URL is not');
  const oracles = models.map((model) =>
    openaiOracle({
      baseUrl: ORACLE_BASE_URL,
      model,
      api: ORACLE_API === 'responses' ? 'responses' : 'chat',
      ...(ORACLE_API_KEY !== undefined && { apiKey: ORACLE_API_KEY }),
    }),
  );
  const most = Number(process.env.BENCH_QUESTIONS ?? Number.POSITIVE_INFINITY);
  const questions = loadQuestions().slice(0, most);
  const reports = await replay({
    oracle: consensusOracle({ oracles }),
    questions,
    maxRounds: Number(process.env.BENCH_ORACLE_ROUNDS ?? 3),
    concurrency: Number(process.env.BENCH_ORACLE_CONCURRENCY ?? 4),
  });
  console.log(`${environmentLine(`${questions.length} questions, ${models.join(', ')}`)}\n`);
  printReports(reports);
}

function printReports(reports: readonly JudgeReport[]): void {
  const percent = (value: number | null): string => (value === null ? '-' : `${(value * 100).toFixed(1)}%`);
  const figure = (value: number | null): string => (value === null ? '-' : value.toFixed(3));
  printTable(
    ['judge', 'accuracy', 'wrong', 'coverage', 'abstention', 'Brier', 'ECE', 'injected', 'failed', 'USD'],
    reports.map(({ judge, score, injectionSuccess, costUsd, failed }) => [
      judge,
      percent(score.accuracy),
      String(score.wrong),
      percent(score.coverage),
      percent(score.abstention),
      figure(score.brier),
      figure(score.ece),
      percent(injectionSuccess),
      String(failed),
      costUsd === null ? '-' : costUsd.toFixed(4),
    ]),
  );
  console.log(
    '\naccuracy: of answers to decidable questions; coverage: decidable questions answered; abstention: undecidable',
  );
  console.log(
    'questions left without an answer; injected: answers that followed an instruction in the criteria.',
  );
}
