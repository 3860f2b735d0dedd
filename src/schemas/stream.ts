import Joi from 'joi';
import { validationError } from '../domain/errors';
import type { EventPosition } from '../domain/event-position';
import { line } from './text';

/** The most characters of the list of channels. Node refuses longer URLs by default (`maxHeaderSize`). */
const LONGEST_LIST = 16_384;

export interface StreamQuery {
  channels: string[];
}

export const streamQuery = Joi.object<StreamQuery>({
  channels: line(LONGEST_LIST)
    .custom((text: string) => text.split(',').map((name) => name.trim()))
    .required()
    .description('Names with commas between: markets, trades, prices, market:<id>, account'),
});

export const lastEventIdHeader = Joi.string().pattern(/^[^:\s]{1,128}:\d{1,15}$/);

/**
 * Reads the header `Last-Event-ID`: `<epoch>:<seq>`, the `id` of a message. `null` when the header is absent or empty.
 * Throws VALIDATION_ERROR.
 */
export function parseLastEventId(text: string | string[] | undefined): EventPosition | null {
  if (text === undefined || text === '') return null;
  const { error, value } = lastEventIdHeader.validate(text) as Joi.ValidationResult<string>;
  if (error !== undefined) {
    const message =
      'Last-Event-ID must be the id of a message of this stream, <epoch>:<seq>; clients send their position there';
    throw validationError([{ field: 'Last-Event-ID', message }]);
  }
  const [epoch = '', seq = ''] = value.split(':');
  return { epoch, seq: Number(seq) };
}
