import { PredictionMarketError } from '../../domain/errors';

export const noSuchConsumer = (): PredictionMarketError =>
  new PredictionMarketError('NOT_FOUND', 'There is no such consumer');
