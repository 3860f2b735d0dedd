/** The process of the bad clients. It has a low priority, so that it does not slow the other processes. */
import { constants, setPriority } from 'node:os';
import { answerQuestions } from '../child';
import { beginAbuse, endAbuse, type AbuseName, type Target } from './abuses';

export type AbuserQuestion = ({ op: 'begin'; name: AbuseName } & Target) | { op: 'end' };

export interface AbuserAnswer {
  opened: number;
}

setPriority(constants.priority.PRIORITY_LOW);

function answer(question: AbuserQuestion): AbuserAnswer {
  if (question.op === 'end') return { opened: endAbuse() };
  beginAbuse(question.name, question);
  return { opened: 0 };
}

answerQuestions<AbuserQuestion, AbuserAnswer>((question) => Promise.resolve(answer(question)));
