/**
 * Sample markets from the operators' page: `POST` starts, `GET` returns the progress (docs/standalone.md).
 */
import { Router, type RequestHandler, type Response } from 'express';
import { isPredictionMarketError, operatorOfToken } from 'express-prediction-market';
import type { Samples } from './samples';

/** The name in the operators' log if the token of the request has no name. */
const UNNAMED = 'operator';

export function createSampleRoutes(samples: Samples): Router {
  const router = Router();
  router.use((_request, response, next) => {
    response.set('Cache-Control', 'no-store');
    next();
  });
  router.get(
    '/',
    answering((response) => sendState(response, 200, samples)),
  );
  router.post(
    '/',
    answering(async (response) => {
      const refusal = await samples.start(operatorOfToken(response.req) ?? UNNAMED);
      if (refusal === null) await sendState(response, 202, samples);
      else sendRefusal(response, 409, refusal);
    }),
  );
  return router;
}

async function sendState(response: Response, status: number, samples: Samples): Promise<void> {
  const state = samples.state();
  const isOver = state.state === 'running' || state.state === 'done';
  response.status(status).json({ ...state, refusal: isOver ? null : await samples.refusal() });
}

function sendRefusal(
  response: Response,
  status: number,
  { code, message }: { code: string; message: string },
) {
  response.status(status).json({ error: message, code, message });
}

/** Answers a refusal of the market, such as an outage of the storage, in the form of the other routes. */
function answering(work: (response: Response) => Promise<void>): RequestHandler {
  return (_request, response, next) => {
    work(response).catch((error: unknown) => {
      if (!isPredictionMarketError(error)) return next(error);
      if (error.retryAfterSeconds !== undefined) response.set('Retry-After', String(error.retryAfterSeconds));
      sendRefusal(response, error.status, error);
    });
  };
}
